package verdict

import (
	"roundtable/debate"
	"roundtable/debate/budget"
)

// extraSpending returns what everything but the first votes cost: what members said
// after them, chairs and the light model. Without votes, all of round 1 counts as them.
// What a fork was begun with is no cost of it.
func extraSpending(s debate.Session, chair debate.Spending) debate.Spending {
	sum := debate.Spending{Cost: new(float64)}
	first, _ := firstAndLast(s, SidesOf(s))
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.Inherited || first == nil && r.Number == 1 || first != nil && untilVotes(*first, x) {
				continue
			}
			sum = sum.Plus(x.Calls, x.Usage, x.Cost)
		}
	}
	for _, part := range append([]debate.Spending{chair}, s.AuxiliarySpending...) {
		if part.Purpose == debate.ForFollowUp { // no part of the answer
			continue
		}
		sum = sum.Plus(part.Calls, part.Usage, part.Cost)
	}
	return sum
}

// untilVotes reports whether a response was given up to the step of the votes.
func untilVotes(b ballotBox, x debate.Response) bool {
	if x.Turn.Round != b.round.Number {
		return x.Turn.Round < b.round.Number
	}
	step := 0
	for _, v := range b.votes {
		step = max(step, v.Turn.Step)
	}
	return x.Turn.Step <= step
}

// spendingByPurpose lists what members, chair and light model cost, as far as they were
// called, and the total. Earlier chairs without a verdict count as the chair.
func spendingByPurpose(s debate.Session, chair debate.Spending) []debate.Spending {
	out := []debate.Spending{budget.MemberSpending(s, 1)}
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

// AddSpending sets what the debate cost. Chair is what the chairs of this verdict cost.
func AddSpending(v *debate.Verdict, s debate.Session, chair debate.Spending) {
	v.Spending, v.ExtraSpending = spendingByPurpose(s, chair), extraSpending(s, chair)
}
