package debate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/internal/text"
)

// Limits of the lists that a user gives.
const (
	maxItems        = 8
	maxPerspective  = 80 // characters
	maxOptionLength = 40 // characters, as a label has
)

// WithOptions returns the mode with options, which make the question a choice, or why it
// takes none or not these.
func (m Mode) WithOptions(items []string) (Mode, error) {
	if len(items) == 1 { // "A;B": a comma is in none of them
		items = strings.Split(items[0], ";")
	}
	if err := m.TakesOptions(); err != nil {
		return m, err
	}
	options, err := cleanList(items, maxOptionLength)
	undecided := func(it string) bool { return strings.EqualFold(strings.Trim(it, "\"'`“”. "), UndecidedWord) }
	switch at := slices.IndexFunc(options, undecided); {
	case err != nil:
		return m, fmt.Errorf("options: %w", err)
	case at >= 0:
		return m, fmt.Errorf("options: %q is the vote that takes no side; it can be no option", options[at])
	case len(options) < 2:
		return m, fmt.Errorf("options: %w", ErrNoOptions)
	}
	m.Options = options
	return m, nil
}

// WithPerspectives returns the mode with other perspectives, or why it takes none or not these.
func (m Mode) WithPerspectives(items []string) (Mode, error) {
	if len(m.Perspectives) == 0 {
		return m, fmt.Errorf("mode %s has no perspectives to set", m.Name)
	}
	all, err := cleanList(items, maxPerspective)
	switch {
	case err != nil:
		return m, fmt.Errorf("perspectives: %w", err)
	case len(all) == 0:
		return m, fmt.Errorf("perspectives: the list is empty")
	}
	m.Perspectives = all
	return m, nil
}

// cleanList returns the items of a list, each in one line. It returns an error if they are too
// many or too long, or if two differ in case and white space alone.
func cleanList(items []string, length int) ([]string, error) {
	var out []string
	compact := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	for _, it := range items {
		if it = strings.Join(strings.Fields(text.Line(it)), " "); it == "" {
			continue
		}
		if n := utf8.RuneCountInString(it); n > length {
			return nil, fmt.Errorf("%q has %d characters; the limit is %d", it, n, length)
		}
		same := func(other string) bool { return strings.EqualFold(compact(other), compact(it)) }
		if at := slices.IndexFunc(out, same); at >= 0 {
			return nil, fmt.Errorf("%q and %q are the same", out[at], it)
		}
		out = append(out, it)
	}
	if len(out) > maxItems {
		return nil, fmt.Errorf("%d entries are too many; the limit is %d", len(out), maxItems)
	}
	return out, nil
}
