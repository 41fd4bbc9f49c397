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
)

// decodeErrors says where a text is no mode file: at fields that there are not, or
// where a value is none or does not fit its field.
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
	text, _, _ := strings.Cut(strings.TrimPrefix(one.Error(), "toml: "), " into struct field") // of Go, which is nobody's business here
	if key := strings.Join(one.Key(), "."); key != "" {
		text = key + ": " + text
	}
	return fmt.Errorf("%s:%d: %s", file, row, text)
}

// didYouMean names the field that an unknown one is most like; "" where none is.
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
	name, best := key[len(key)-1], ""
	least := 1 + len(name)/3
	for i := range of.NumField() {
		known := of.Field(i).Tag.Get("toml")
		if d := distance(name, known); known != "-" && d <= least {
			best, least = known, d-1
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance counts the letters to be added, left out or changed from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, before+1)
		}
	}
	return row[len(b)]
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

// lineOf returns the line of the field that a text begins with: its own, or that
// of its role or phase; 0 where the field is not there.
func lineOf(raw, text string) int {
	kind, want, field := "", 0, regexp.MustCompile(`^\w+`).FindString(text)
	if m := entryPattern.FindStringSubmatch(text); m != nil {
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
