package debate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"roundtable/internal/text"
)

// UnfilledLists names the lists that the light model is to name for the question.
func (m Mode) UnfilledLists() []List {
	if m.Fill == "" {
		return nil
	}
	return slices.DeleteFunc(m.Lists(), m.IsGiven)
}

// The most of one of a mode's lists, and the most characters of an entry.
const (
	MaxListItems  = 8
	maxItemLength = 80
)

// Take returns the mode with a list of the user's own instead of the one that it
// has. A mode that has no such list, or a list that is none, is an error.
func (m Mode) WithList(l List, items []string) (Mode, error) {
	if len(m.Items(l)) == 0 {
		return m, fmt.Errorf("mode %s has no %s that could be given", m.Name, l)
	}
	clean := TidyItems(items)
	switch {
	case len(clean) == 0:
		return m, fmt.Errorf("%s: the list is empty", l)
	case len(clean) > MaxListItems:
		return m, fmt.Errorf("%s: %d are too many; %d is the most", l, len(clean), MaxListItems)
	}
	m.Given = append(slices.Clone(m.Given), l)
	switch l {
	case PerspectivesList:
		m.Perspectives = clean
	case OptionsList:
		m.Options = clean
	case CriteriaList:
		m.Criteria = clean
	case NoList:
	}
	return m, nil
}

// Lists names the lists that a mode has.
func (m Mode) Lists() []List {
	var out []List
	for _, l := range []List{PerspectivesList, OptionsList, CriteriaList} {
		if len(m.Items(l)) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// List returns one of the mode's lists.
func (m Mode) List(l List) []string { return slices.Clone(m.Items(l)) }

// TidyItems returns the entries as single lines of visible text, each once.
func TidyItems(items []string) []string {
	var out []string
	for _, it := range items {
		it = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, it)
		it = strings.TrimSpace(text.Head(strings.Join(strings.Fields(it), " "), maxItemLength))
		if it != "" && IndexFold(out, it) < 0 {
			out = append(out, it)
		}
	}
	return out
}

// HasGiven reports whether a list is the user's own, or was made for the question.
func (m Mode) IsGiven(l List) bool { return slices.Contains(m.Given, l) }

// IndexFold finds a name whatever its case and the space around it; -1: it is not there.
func IndexFold(list []string, name string) int {
	name = strings.Join(strings.Fields(name), " ")
	return slices.IndexFunc(list, func(s string) bool { return strings.EqualFold(strings.Join(strings.Fields(s), " "), name) })
}

// List names one of a mode's lists.
type List string

// The lists.
const (
	NoList           List = ""
	PerspectivesList List = "perspectives"
	OptionsList      List = "options"
	CriteriaList     List = "criteria"
)

func (m Mode) Items(l List) []string {
	switch l {
	case PerspectivesList:
		return m.Perspectives
	case OptionsList:
		return m.Options
	case CriteriaList:
		return m.Criteria
	case NoList:
	}
	return nil
}
