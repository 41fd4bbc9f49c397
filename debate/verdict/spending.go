package verdict

import (
	"roundtable/debate"
)

// extraSpending is what came on top of round 1, whose votes are the baseline: the rounds
// after it, all that chairs wrote and all that the light model did.
func extraSpending(s debate.Session, chair debate.Spending) debate.Spending {
	sum := s.MemberSpending(2)
	sum.Purpose = ""
	for _, part := range append([]debate.Spending{chair}, s.AuxiliarySpending...) {
		sum = sum.Plus(part.Calls, part.Usage, part.Cost)
	}
	return sum
}

// spendingByPurpose lists members, chair, the light model and the total, as far as they were
// called. What chairs took before, without coming to a verdict, is the chair's.
func spendingByPurpose(s debate.Session, chair debate.Spending) []debate.Spending {
	out := []debate.Spending{s.MemberSpending(1)}
	var others []debate.Spending
	for _, a := range s.AuxiliarySpending {
		if a.Purpose == debate.ForChair {
			chair = chair.Plus(a.Calls, a.Usage, a.Cost)
		} else {
			others = append(others, a)
		}
	}
	var total debate.Spending
	for _, part := range append([]debate.Spending{chair}, others...) {
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
func AddSpending(v *debate.Verdict, s debate.Session, chair debate.Spending) {
	v.Spending, v.ExtraSpending = spendingByPurpose(s, chair), extraSpending(s, chair)
}
