package verdict

import (
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// CheckSide returns an error if no verdict of a session can have the side that a label
// names: the question is answered otherwise, or nobody's side is counted.
func CheckSide(s debate.Session, label string) error {
	switch {
	case !CountsSides(s):
		return fmt.Errorf("mode %s counts no sides, so its verdict has none", s.Mode.Name)
	case len(voters(s)) == 0:
		return fmt.Errorf("the roles of mode %s prescribe every side, so its verdict has none", s.Mode.Name)
	}
	switch s.Question {
	case debate.QuestionEstimate:
		return errors.New("an estimate is a number, so its verdict has no side")
	case debate.QuestionYesNo, debate.QuestionUnset:
		if statement.YesOrNo(label) == debate.Undecided {
			return fmt.Errorf("the question is answered with yes or no, not with %q", text.Label(label))
		}
	case debate.QuestionChoice:
		if options := s.GivenOptions(); len(options) > 0 && optionNamed(options, label) < 0 {
			return fmt.Errorf("%q is none of the options: %s", text.Label(label), text.Line(strings.Join(options, "; ")))
		}
	case debate.QuestionOpen:
	}
	if !isReadable(label) || statement.IsNeutral(label) {
		return fmt.Errorf("%q takes no side", text.Label(label))
	}
	return nil
}

// HasSide reports whether the verdict of a session is the side that a label names. Labels
// that were counted as one answer name the same side.
func HasSide(s debate.Session, label string) bool {
	if s.Verdict == nil {
		return false
	}
	v := *s.Verdict
	if v.Rules == 0 { // an earlier version recorded no side
		Recount(&v, s)
	}
	wanted := debate.Statement{Choice: label, Stance: debate.Stance(statement.YesOrNo(label))}
	return v.Side != nil && *v.Side != debate.Undecided && *v.Side == SidesOf(s).Of(wanted)
}
