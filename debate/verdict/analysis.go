package verdict

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// UnreadError says why a text is not the answer that was asked for.
type UnreadError struct{ text string }

// Error returns the reason.
func (e *UnreadError) Error() string { return e.text }

func unreadf(format string, args ...any) error { return &UnreadError{fmt.Sprintf(format, args...)} }

const maxItemLength = 400 // of one item

type labelLists [][]string

// UnmarshalJSON reads the lists of labels. A label by itself is a list of one.
func (l *labelLists) UnmarshalJSON(raw []byte) error {
	var lists []json.RawMessage
	if json.Unmarshal(raw, &lists) != nil {
		return nil
	}
	for _, one := range lists {
		var labels []string
		if json.Unmarshal(one, &labels) != nil {
			labels = make([]string, 1)
			if json.Unmarshal(one, &labels[0]) != nil {
				continue
			}
		}
		*l = append(*l, labels)
	}
	return nil
}

func clip(text string) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > maxItemLength {
		return string(r[:maxItemLength-1]) + "…"
	}
	return string(r)
}

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
	noteAccount(s, x)
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
	case debate.AsksFindings:
		noteUnknownFindings(s, x)
	case debate.AsksVote, debate.AsksStance:
	}
}

// noteUnknownFindings notes judgements of what is no finding of another seat.
func noteUnknownFindings(s debate.Session, x *debate.Response) {
	found := FirstFindings(s)
	for _, j := range x.Statement.Judgements {
		if !slices.ContainsFunc(found, func(f debate.ReviewFinding) bool {
			return f.ID == j.Finding && !slices.Contains(f.FoundBy, x.Turn.Agent)
		}) {
			x.Statement.AddNote("the judgement of %s is of no finding of another seat", j.Finding)
		}
	}
}

func noteUncountedChoice(s debate.Session, st *debate.Statement) {
	choice := text.Head(st.Choice, maxQuotedLength)
	switch {
	case choice == "" || statement.IsNeutral(choice):
	case s.Question == debate.QuestionYesNo && statement.IsNeutralAnswer(choice):
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
