package debate

import (
	"slices"

	"roundtable/agents"
)

// Spending is what calls of one purpose took.
type Spending struct {
	Purpose Purpose      `json:"purpose"` // "" for a sum
	Calls   int          `json:"calls"`
	Usage   agents.Usage `json:"usage"`
	Cost    *float64     `json:"cost"` // nil: unknown
}

// Purpose says what a completion was for.
type Purpose string

// The purposes.
const (
	ForMember Purpose = "member"
	ForChair  Purpose = "chair"
	ForLight  Purpose = "light"
)

// WithAuxiliaryTurn returns the session with what a turn that is no member's has taken.
func (s Session) WithAuxiliaryTurn(purpose Purpose, x Response) Session {
	i := slices.IndexFunc(s.AuxiliarySpending, func(a Spending) bool { return a.Purpose == purpose })
	s.AuxiliarySpending = slices.Clone(s.AuxiliarySpending)
	if i < 0 {
		i = len(s.AuxiliarySpending)
		s.AuxiliarySpending = append(s.AuxiliarySpending, Spending{Purpose: purpose, Cost: new(float64)})
	}
	s.AuxiliarySpending[i] = s.AuxiliarySpending[i].Plus(x.Calls, x.Usage, x.Cost)
	return s
}

// Plus returns the sum with what further calls took. A cost that is unknown makes
// the sum unknown, so that it never looks like less than it is.
func (s Spending) Plus(calls int, u agents.Usage, cost *float64) Spending {
	if calls == 0 {
		return s
	}
	sum := s.Cost
	if s.Calls == 0 {
		sum = new(float64)
	}
	s.Calls, s.Usage, s.Cost = s.Calls+calls, s.Usage.Add(u), nil
	if sum != nil && cost != nil {
		total := *sum + *cost
		s.Cost = &total
	}
	return s
}

// MemberSpending sums what the members' calls took, from a round on. No call costs nothing.
func (s Session) MemberSpending(from int) Spending { return s.memberSpending(from, len(s.History)) }

// ForkSpending is what the rounds took that a fork was begun with. It counts as spent by
// the fork too, and against its budget.
func (s Session) ForkSpending() Spending { return s.memberSpending(1, s.ForkRound) }

func (s Session) memberSpending(from, to int) Spending {
	sum := Spending{Purpose: ForMember, Cost: new(float64)}
	for _, r := range s.History {
		if r.Number < from || r.Number > to {
			continue
		}
		for _, x := range r.Responses {
			sum = sum.Plus(x.Calls, x.Usage, x.Cost)
		}
	}
	return sum
}

// TotalSpending is what the session has taken so far.
func (s Session) TotalSpending() Spending {
	if v := s.Verdict; v != nil && len(v.Spending) > 0 {
		return v.Spending[len(v.Spending)-1]
	}
	sum := s.MemberSpending(1)
	sum.Purpose = ""
	for _, a := range s.AuxiliarySpending {
		sum = sum.Plus(a.Calls, a.Usage, a.Cost)
	}
	return sum
}
