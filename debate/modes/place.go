package modes

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// decoding says where a text is no mode file: at fields that there are not, or
// where a value is none or does not fit its field.
func decoding(file string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var errs []error
		for _, e := range strict.Errors {
			row, _ := e.Position()
			errs = append(errs, fmt.Errorf("%s:%d: unknown field %q", file, row, strings.Join(e.Key(), ".")))
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

// validating adds to each error of a mode the line of the field that it begins with.
func validating(file string, raw []byte, err error) error {
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
	table = regexp.MustCompile(`^\s*\[\[\s*roles\s*\]\]`)
	key   = regexp.MustCompile(`^\s*"?(\w+)"?\s*=`)
	role  = regexp.MustCompile(`^roles\[(\d+)\](?:\.(\w+))?`)
)

// lineOf returns the line of the field that a text begins with: its own, or that
// of its role; 0 where the field is not there.
func lineOf(raw, text string) int {
	want, field := -1, regexp.MustCompile(`^\w+`).FindString(text)
	if m := role.FindStringSubmatch(text); m != nil {
		want, _ = strconv.Atoi(m[1]) // digits
		field = m[2]
	}
	at, found := -1, 0
	for i, line := range strings.Split(raw, "\n") {
		if table.MatchString(line) {
			if at++; at == want {
				found = i + 1
			}
		}
		if m := key.FindStringSubmatch(line); m != nil && at == want && m[1] == field {
			return i + 1
		}
	}
	return found
}
