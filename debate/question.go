package debate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// QuestionKind says how answers are counted. A session gets it when it begins and keeps it.
type QuestionKind string

const (
	QuestionUnset    QuestionKind = "" // not chosen
	QuestionYesNo    QuestionKind = "yes-no"
	QuestionChoice   QuestionKind = "choice"   // one of the session's options
	QuestionEstimate QuestionKind = "estimate" // a number with a unit
	QuestionOpen     QuestionKind = "open"     // the members name their answers themselves
)

// QuestionKinds lists the kinds that a user can choose.
func QuestionKinds() []QuestionKind {
	return []QuestionKind{QuestionYesNo, QuestionChoice, QuestionEstimate, QuestionOpen}
}

// Description says how a member answers such a question; it is "" for QuestionUnset.
func (k QuestionKind) Description() string {
	switch k {
	case QuestionYesNo:
		return "yes or no"
	case QuestionChoice:
		return "one of the options"
	case QuestionEstimate:
		return "a number"
	case QuestionOpen:
		return "open, each names its answer"
	case QuestionUnset:
	}
	return ""
}

// Side is a countable answer: "yes" or "no", an option, or a label.
type Side string

// Sides of every kind of question; others are options and labels.
const (
	Undecided Side = ""
	SideYes   Side = "yes"
	SideNo    Side = "no"
)

// NoUnit is the unit of an estimate that is a bare count, as a user gives it.
const NoUnit = "none"

const maxUnit = 40 // characters

// UnitFor returns the unit of a question of a kind as a session has it: "" for a bare count
// and for all that is no estimate. It returns ErrNoUnit for an estimate without one.
func (k QuestionKind) UnitFor(given string) (string, error) {
	unit := strings.Join(strings.Fields(given), " ")
	switch {
	case k != QuestionEstimate && unit == "":
		return "", nil
	case k != QuestionEstimate:
		return "", fmt.Errorf("a unit makes the question an estimate, so it cannot be %q", k)
	case unit == "":
		return "", ErrNoUnit
	case strings.EqualFold(unit, NoUnit):
		return "", nil
	case strings.ContainsAny(unit, "0123456789"):
		return "", fmt.Errorf("%q is no unit; give a word or a sign, such as weeks, or none for a bare count", given)
	case len([]rune(unit)) > maxUnit:
		return "", fmt.Errorf("a unit has at most %d characters, %q has %d", maxUnit, given, len([]rune(unit)))
	}
	return unit, nil
}

// ErrNoUnit is returned for an estimate without a unit.
var ErrNoUnit = errors.New("an estimate needs its unit, such as weeks, or none for a bare count")

// ErrNoOptions is returned for a choice without options.
var ErrNoOptions = errors.New("a choice needs at least two options")

// QuestionKinds lists the kinds of questions that can be debated in the mode: the one
// that it fixes, a choice if the user gave options, else those that suit its roles.
func (m Mode) QuestionKinds() []QuestionKind {
	switch {
	case m.Question != QuestionUnset:
		return []QuestionKind{m.Question}
	case len(m.Options) > 0:
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
	case len(m.Options) > 0:
		return "", fmt.Errorf("options make the question a choice, so it cannot be %q", wanted)
	default:
		return "", fmt.Errorf("the roles of mode %s argue yes or no, so the question cannot be %q", m.Name, wanted)
	}
}

// TakesOptions returns an error if the user cannot give options in the mode.
func (m Mode) TakesOptions() error {
	if _, err := m.QuestionFor(QuestionChoice); !errors.Is(err, ErrNoOptions) {
		return err
	}
	return nil
}

func (m Mode) arguesYesNo() bool {
	return slices.ContainsFunc(m.Roles, func(r Role) bool { return r.Stance == Yes || r.Stance == No })
}

// UndecidedWord is the vote that takes no side, in any kind of question.
const UndecidedWord = "undecided"

// GivenOptions returns the options of a choice; nil if there are none yet.
func (s Session) GivenOptions() []string {
	if s.Question != QuestionChoice {
		return nil
	}
	return s.Mode.Options
}
