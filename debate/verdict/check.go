package verdict

import (
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// maxQuotedLength is how many characters notes quote of what a model wrote.
const maxQuotedLength = 40

// CheckStatement validates a statement against its role and the field it was asked for.
// It only adds notes and never changes what was said.
func CheckStatement(s debate.Session, x *debate.Response) {
	st := &x.Statement
	x.Side = SidesOf(s).Of(*st)
	st.AskedField = s.Mode.AskedField(x.Phase)
	if IsVote(s, *x) && x.Side == debate.Undecided {
		noteUncountedChoice(s, st)
	}
	_, seat := s.Seat(x.Turn.Agent)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	st.RoleBreach = roleBreach(role, st.Stance)
	switch st.AskedField {
	case debate.AsksRanking:
		var answers []agents.ID
		if r := s.Current(); r != nil {
			for _, y := range responsesInPhase(s, *r, "") {
				answers = append(answers, y.Turn.Agent)
			}
		}
		_, notes := ReadBallot(s, *x, answers)
		st.Notes = append(st.Notes, notes...)
	case debate.AsksScores:
		for _, sc := range st.Scores {
			if s.Mode.OptionIndex(sc.Option) < 0 || s.Mode.CriterionIndex(sc.Criterion) < 0 {
				st.AddNote("the score of %q by %q is of no option or criterion of this debate", text.Head(sc.Option,
					maxQuotedLength), text.Head(sc.Criterion, maxQuotedLength))
			}
		}
	case debate.AsksVote, debate.AsksStance:
	}
}

// noteUncountedChoice notes a choice that is no answer to the question.
func noteUncountedChoice(s debate.Session, st *debate.Statement) {
	choice := text.Head(st.Choice, maxQuotedLength)
	switch {
	case choice == "" || statement.IsNeutral(choice):
	case s.Question == debate.QuestionChoice:
		st.AddNote("choice %q is none of the options", choice)
	case s.Question == debate.QuestionYesNo && st.Stance == "":
		st.AddNote("choice %q is not yes or no", choice)
	}
}

// roleBreach says how a stance breaks the role, "" if it does not. A stance that is not
// stated breaks nothing.
func roleBreach(r debate.Role, stated debate.Stance) string {
	switch {
	case stated == "":
		return ""
	case r.Stance == debate.NoStance:
		return fmt.Sprintf("as %s it takes no side, and states %s", r.Name, stated)
	case r.Fixed && stated != r.Stance:
		return fmt.Sprintf("as %s it argues %s, and states %s", r.Name, r.Stance, stated)
	default:
		return ""
	}
}
