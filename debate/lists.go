package debate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"roundtable/agents"
	"roundtable/internal/text"
)

// UnfilledLists names the lists that a model is asked for.
func (m Mode) UnfilledLists() []List {
	if m.Fill == "" {
		return nil
	}
	return slices.DeleteFunc(m.Lists(), m.IsGiven)
}

// ListAuthor returns who names the lists that the user did not give: the light model.
// Options depend on the question alone, so without a light model the first seat names
// them. It returns false if the mode's own lists are used.
func (s Session) ListAuthor() (agents.Profile, bool) {
	lists := s.Mode.UnfilledLists()
	switch {
	case s.Light != nil && len(lists) > 0:
		return s.WithOutputLimit(*s.Light), true
	case slices.Contains(lists, OptionsList) && len(s.Seats) > 0:
		return s.WithOutputLimit(s.Seats[0]), true
	}
	return agents.Profile{}, false
}

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
	if l != OptionsList {
		return m.withList(l, cleanItems(items, maxItemLength))
	}
	if err := m.TakesOptions(); err != nil {
		return m, err
	}
	if len(items) == 1 { // "A;B": a comma is in none of them
		items = strings.Split(items[0], ";")
	}
	options := singleLines(items)
	if err := checkOptions(options); err != nil {
		return m, fmt.Errorf("%s: %w", l, err)
	}
	return m.withList(l, options)
}

func (m Mode) withList(l List, clean []string) (Mode, error) {
	if l != OptionsList && len(m.List(l)) == 0 {
		return m, fmt.Errorf("mode %s has no %s to set", m.Name, l)
	}
	switch {
	case len(clean) == 0:
		return m, fmt.Errorf("%s: the list is empty", l)
	case len(clean) > MaxListItems:
		return m, fmt.Errorf("%s: %d entries are too many; the limit is %d", l, len(clean), MaxListItems)
	}
	m.Given = append(slices.Clone(m.Given), l)
	return m.setList(l, clean), nil
}

func (m Mode) setList(l List, items []string) Mode {
	switch l {
	case PerspectivesList:
		m.Perspectives = items
	case OptionsList:
		m.Options = items
	case CriteriaList:
		m.Criteria = items
	case NoList:
	}
	return m
}

// Filled is a list of the mode's own that others were named for.
type Filled struct {
	List  List     `json:"list"`
	Items []string `json:"items"`
}

// FilledFrom returns the mode with lists that were named for the question counted as
// given. Before is the mode without them.
func (m Mode) FilledFrom(before Mode, lists []List) Mode {
	m.Given, m.Own = slices.Clone(m.Given), slices.Clone(m.Own)
	for _, l := range lists {
		if !m.IsGiven(l) {
			m.Given = append(m.Given, l)
		}
		m.Own = append(m.Own, Filled{l, before.List(l)})
	}
	return m
}

// Unfilled returns the mode as it was before lists were named for the question.
func (m Mode) Unfilled() Mode {
	m.Given = slices.Clone(m.Given)
	for _, own := range m.Own {
		m = m.setList(own.List, own.Items)
		m.Given = slices.DeleteFunc(m.Given, func(l List) bool { return l == own.List })
	}
	m.Own = nil
	return m
}

// Lists names the lists that the mode has.
func (m Mode) Lists() []List {
	var out []List
	for _, l := range []List{PerspectivesList, OptionsList, CriteriaList} {
		if len(m.List(l)) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// cleanItems returns the items as single lines of at most n characters, without
// duplicates.
func cleanItems(items []string, n int) []string {
	var out []string
	for _, it := range singleLines(items) {
		it = text.Head(it, n)
		if indexFold(out, it) < 0 {
			out = append(out, it)
		}
	}
	return out
}

func singleLines(items []string) []string {
	var out []string
	for _, it := range items {
		it = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, it)
		if it = strings.Join(strings.Fields(it), " "); it != "" {
			out = append(out, it)
		}
	}
	return out
}

// IsGiven reports whether a list is the user's own or was made for the question.
func (m Mode) IsGiven(l List) bool { return slices.Contains(m.Given, l) }

// indexFold returns the index of a name regardless of case and spacing, or -1.
func indexFold(list []string, name string) int {
	name = strings.Join(strings.Fields(name), " ")
	return slices.IndexFunc(list, func(s string) bool { return strings.EqualFold(strings.Join(strings.Fields(s), " "), name) })
}

// List names a list of a mode.
type List string

// The lists.
const (
	NoList           List = ""
	PerspectivesList List = "perspectives"
	OptionsList      List = "options"
	CriteriaList     List = "criteria"
)

// List returns one of the mode's lists.
func (m Mode) List(l List) []string {
	switch l {
	case PerspectivesList:
		return slices.Clone(m.Perspectives)
	case OptionsList:
		return slices.Clone(m.Options)
	case CriteriaList:
		return slices.Clone(m.Criteria)
	case NoList:
	}
	return nil
}

// WithNamedLists returns the mode with the lists that a model named. It returns an error
// if one of the lists is missing or has fewer than two items.
func (m Mode) WithNamedLists(lists []List, named map[List][]string) (Mode, error) {
	out := m
	for _, l := range lists {
		n := maxItemLength
		if l == OptionsList {
			n = maxOptionLength
		}
		items := cleanItems(named[l], n)
		if len(items) < 2 {
			return m, fmt.Errorf("the answer has no %s", l)
		}
		var err error
		if out, err = out.withList(l, items[:min(len(items), MaxListItems)]); err != nil {
			return m, err
		}
	}
	return out, nil
}

// OptionIndex returns the index of the option with that name, or -1.
// Case and spacing do not matter.
func (m Mode) OptionIndex(name string) int { return indexFold(m.Options, name) }

// CriterionIndex returns the index of the criterion of that name, -1 if there is
// none. Case and spacing do not matter.
func (m Mode) CriterionIndex(name string) int { return indexFold(m.Criteria, name) }
