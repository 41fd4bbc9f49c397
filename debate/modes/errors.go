package modes

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"roundtable/debate"
	"roundtable/internal/text"
)

// decodeErrors returns the errors of a TOML decoder with their lines, one per unknown or
// invalid field.
func decodeErrors(file string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var errs []error
		for _, e := range strict.Errors {
			row, _ := e.Position()
			errs = append(errs, fmt.Errorf("%s:%d: unknown field %q%s", file, row, strings.Join(e.Key(), "."), didYouMean(e.Key())))
		}
		return errors.Join(errs...)
	}
	var one *toml.DecodeError
	if !errors.As(err, &one) {
		return fmt.Errorf("%s: %w", file, err)
	}
	row, _ := one.Position()
	message, _, _ := strings.Cut(strings.TrimPrefix(one.Error(), "toml: "), " into struct field") // names the Go struct
	if key := strings.Join(one.Key(), "."); key != "" {
		message = key + ": " + message
	}
	return fmt.Errorf("%s:%d: %s", file, row, message)
}

// didYouMean suggests the field most similar to an unknown one, "" if there is none.
func didYouMean(key []string) string {
	if len(key) == 0 {
		return ""
	}
	of := reflect.TypeFor[debate.Mode]()
	switch key[0] {
	case "roles":
		of = reflect.TypeFor[debate.Role]()
	case "phases":
		of = reflect.TypeFor[debate.Phase]()
	}
	var known []string
	for i := range of.NumField() {
		if tag := of.Field(i).Tag.Get("toml"); tag != "-" {
			known = append(known, tag)
		}
	}
	if best := text.Closest(key[len(key)-1], known); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// withLines adds to each error of a mode the line of the field that it begins with.
func withLines(file string, raw []byte, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s: %w", file, err)
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		place := file
		if row := lineOf(string(raw), e.Error()); row > 0 {
			place = fmt.Sprintf("%s:%d", file, row)
		}
		errs = append(errs, fmt.Errorf("%s: %w", place, e))
	}
	return errors.Join(errs...)
}

var (
	tablePattern = regexp.MustCompile(`^\s*\[\[\s*(\w+)\s*\]\]`)
	keyPattern   = regexp.MustCompile(`^\s*"?(\w+)"?\s*=`)
	entryPattern = regexp.MustCompile(`^(\w+)\[(\d+)\](?:\.(\w+))?`)
)

// lineOf returns the line of the field that a message begins with, or of its role or phase;
// 0 if it is not found.
func lineOf(raw, message string) int {
	kind, want, field := "", 0, regexp.MustCompile(`^\w+`).FindString(message)
	if m := entryPattern.FindStringSubmatch(message); m != nil {
		kind, field = m[1], m[3]
		want, _ = strconv.Atoi(m[2]) // digits
	}
	in, at, found := "", map[string]int{}, 0
	for i, line := range strings.Split(raw, "\n") {
		if m := tablePattern.FindStringSubmatch(line); m != nil {
			in = m[1]
			if in == kind && at[in] == want {
				found = i + 1
			}
			at[in]++
		}
		here := in == kind && (kind == "" || at[in] == want+1)
		if m := keyPattern.FindStringSubmatch(line); m != nil && here && m[1] == field {
			return i + 1
		}
	}
	return found
}
