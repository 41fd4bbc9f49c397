package verdict

import (
	"roundtable/debate"
)

// extra is what came on top of round 1, whose votes are the baseline: the rounds
// after it, all that chairs wrote and all that the light model did.
func extra(s debate.Session, chair debate.Spent) debate.Spent {
	sum := s.MembersSpent(2)
	sum.Purpose = ""
	for _, part := range append([]debate.Spent{chair}, s.Aside...) {
		sum = sum.Plus(part.Calls, part.Usage, part.Cost)
	}
	return sum
}

// spent lists members, chair, the light model and the total, as far as they were
// called. What chairs took before, without coming to a verdict, is the chair's.
func spent(s debate.Session, chair debate.Spent) []debate.Spent {
	out := []debate.Spent{s.MembersSpent(1)}
	var others []debate.Spent
	for _, a := range s.Aside {
		if a.Purpose == debate.ForChair {
			chair = chair.Plus(a.Calls, a.Usage, a.Cost)
		} else {
			others = append(others, a)
		}
	}
	var total debate.Spent
	for _, part := range append([]debate.Spent{chair}, others...) {
		if part.Calls > 0 {
			out = append(out, part)
		}
	}
	total.Cost = out[0].Cost
	for _, part := range out {
		total = total.Plus(part.Calls, part.Usage, part.Cost)
	}
	return append(out, total)
}

// AddSpending puts into the verdict what the debate took, with what its chairs took.
func AddSpending(v *debate.Verdict, s debate.Session, chair debate.Spent) {
	v.Spent, v.Extra = spent(s, chair), extra(s, chair)
}
