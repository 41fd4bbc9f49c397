package debate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoOptions is returned for a choice without options.
var ErrNoOptions = errors.New("a choice needs at least two options")

// QuestionKinds lists the kinds of questions that can be debated in the mode: the one
// that it fixes, a choice if the user gave options, else those that suit its roles.
func (m Mode) QuestionKinds() []QuestionKind {
	switch {
	case m.Question != QuestionUnset:
		return []QuestionKind{m.Question}
	case m.IsGiven(OptionsList):
		return []QuestionKind{QuestionChoice}
	case m.arguesYesNo():
		return []QuestionKind{QuestionYesNo, QuestionOpen}
	default:
		return QuestionKinds()
	}
}

// QuestionFor returns the kind of question of a new debate in the mode. Wanted is the
// user's choice; QuestionUnset leaves it to the mode, whose default is an open question.
// It returns ErrNoOptions for a choice without options.
func (m Mode) QuestionFor(wanted QuestionKind) (QuestionKind, error) {
	kinds := m.QuestionKinds()
	if wanted == QuestionUnset {
		if wanted = QuestionOpen; !slices.Contains(kinds, wanted) {
			wanted = kinds[0]
		}
	}
	switch {
	case slices.Contains(kinds, wanted) && wanted == QuestionChoice && len(m.Options) == 0:
		return "", ErrNoOptions
	case slices.Contains(kinds, wanted):
		return wanted, nil
	case m.Question != QuestionUnset:
		return "", fmt.Errorf("mode %s sets question = %q, so the question cannot be %q", m.Name, m.Question, wanted)
	case m.IsGiven(OptionsList):
		return "", fmt.Errorf("options make the question a choice, so it cannot be %q", wanted)
	default:
		return "", fmt.Errorf("the roles of mode %s argue yes or no, so the question cannot be %q", m.Name, wanted)
	}
}

// TakesOptions returns an error if the user cannot give options in the mode.
func (m Mode) TakesOptions() error {
	switch {
	case m.Question != QuestionUnset && m.Question != QuestionChoice:
		return fmt.Errorf("mode %s sets question = %q, so there are no options to choose from", m.Name, m.Question)
	case m.arguesYesNo():
		return fmt.Errorf("the roles of mode %s argue yes or no, so there are no options to choose from", m.Name)
	}
	return nil
}

// arguesYesNo reports whether a role argues yes or no.
func (m Mode) arguesYesNo() bool {
	return slices.ContainsFunc(m.Roles, func(r Role) bool { return r.Stance == Yes || r.Stance == No })
}

// checkOptions returns an error if items cannot be the options of a choice: the label
// that a member states must be able to name exactly one of them, whatever its case and
// white space.
func checkOptions(items []string) error {
	if len(items) < 2 {
		return ErrNoOptions
	}
	compact := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for i, it := range items {
		same := func(other string) bool { return strings.EqualFold(compact(other), compact(it)) }
		if n := len([]rune(it)); n > maxOptionLength {
			return fmt.Errorf("%q has %d characters; an option has %d at most", it, n, maxOptionLength)
		}
		if first := slices.IndexFunc(items[:i], same); first >= 0 {
			return fmt.Errorf("%q and %q are the same option", items[first], it)
		}
	}
	return nil
}

// GivenOptions returns the options of a choice that the user gave, or that were named
// for the question; nil if there are none yet.
func (s Session) GivenOptions() []string {
	if s.Question != QuestionChoice || !s.Mode.IsGiven(OptionsList) {
		return nil
	}
	return s.Mode.List(OptionsList)
}
