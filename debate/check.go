package debate

import (
	"fmt"

	"roundtable/agents"
)

// check holds a member's statement against what it was asked for: what breaks its
// role, and what of its ranking or scores cannot be counted. It changes nothing of
// what was said.
func (s Session) check(x *Response) {
	st := &x.Statement
	st.Asked = s.Mode.Asked(x.Phase)
	_, seat := s.Seat(x.Turn.Agent)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	st.Breaks = role.broken(st.Stance)
	switch st.Asked {
	case AsksRanking:
		var answers []agents.ID
		if r := s.Current(); r != nil {
			for _, y := range s.inPhase(*r, "") {
				answers = append(answers, y.Turn.Agent)
			}
		}
		_, notes := s.ballot(*x, answers)
		st.Notes = append(st.Notes, notes...)
	case AsksScores:
		for _, sc := range st.Scores {
			if indexFold(s.Mode.Options, sc.Option) < 0 || indexFold(s.Mode.Criteria, sc.Criterion) < 0 {
				st.note("the score of %q by %q is of no option or criterion of this debate", clipped(sc.Option), clipped(sc.Criterion))
			}
		}
	case AsksVote:
		if st.Stance == "" {
			st.note("it was asked for a vote and states none")
		}
	case AsksStance:
	}
}

// broken says how a stance breaks the role; "" when it does not. What is not stated
// breaks nothing.
func (r Role) broken(stated Stance) string {
	switch {
	case stated == "":
		return ""
	case r.Stance == NoStance:
		return fmt.Sprintf("as %s it takes no side, and states %s", r.Name, stated)
	case r.Fixed && stated != r.Stance:
		return fmt.Sprintf("as %s it argues %s, and states %s", r.Name, r.Stance, stated)
	default:
		return ""
	}
}

// Votes reports whether the stance that a seat states is its own, and not one that
// its role prescribes.
func (s Session) Votes(id agents.ID) bool {
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	return !role.Fixed && role.Stance != NoStance
}
