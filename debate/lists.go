package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/internal/text"
)

// Limits of a mode's lists.
const (
	MaxListItems    = 8
	maxItemLength   = 80
	maxOptionLength = 40 // of options that are given: as long as a label
)

// WithList returns the mode with a list of the user's own. It returns an error if the
// mode does not take such a list or the items are not usable. Any mode takes options,
// unless TakesOptions returns an error; they make the question a choice.
func (m Mode) WithList(l List, items []string) (Mode, error) {
	if l == OptionsList && len(items) == 1 { // "A;B": a comma is in none of them
		items = strings.Split(items[0], ";")
	}
	clean := singleLines(items)
	var err error
	switch {
	case l != OptionsList && len(m.List(l)) == 0:
		return m, fmt.Errorf("mode %s has no %s to set", m.Name, l)
	case l != OptionsList:
		clean = distinct(clean)
	default:
		if err = m.TakesOptions(); err != nil {
			return m, err
		}
		err = checkOptions(clean)
	}
	switch {
	case err != nil:
		return m, fmt.Errorf("%s: %w", l, err)
	case len(clean) == 0:
		return m, fmt.Errorf("%s: the list is empty", l)
	case len(clean) > MaxListItems:
		return m, fmt.Errorf("%s: %d entries are too many; the limit is %d", l, len(clean), MaxListItems)
	}
	if l == OptionsList {
		m.Options = clean
	} else {
		m.Perspectives = clean
	}
	return m, nil
}

func distinct(lines []string) []string {
	var out []string
	for _, it := range lines {
		it = text.Head(it, maxItemLength)
		if !slices.ContainsFunc(out, func(s string) bool { return strings.EqualFold(s, it) }) {
			out = append(out, it)
		}
	}
	return out
}

func singleLines(items []string) []string {
	var out []string
	for _, it := range items {
		if it = strings.Join(strings.Fields(text.Line(it)), " "); it != "" {
			out = append(out, it)
		}
	}
	return out
}

// List names a list of a mode.
type List string

const (
	NoList           List = ""
	PerspectivesList List = "perspectives"
	OptionsList      List = "options"
)

// List returns one of the mode's lists.
func (m Mode) List(l List) []string {
	return slices.Clone(map[List][]string{PerspectivesList: m.Perspectives, OptionsList: m.Options}[l])
}
