package debate

import (
	"slices"

	"roundtable/agents"
)

// Spending is what calls for one purpose cost.
type Spending struct {
	Purpose Purpose      `json:"purpose"` // "" for a sum
	Calls   int          `json:"calls"`
	Usage   agents.Usage `json:"usage"`
	Cost    *float64     `json:"cost"` // in USD; nil if unknown
}

// Purpose says what a completion is for.
type Purpose string

// The purposes.
const (
	ForMember Purpose = "member"
	ForChair  Purpose = "chair"
	ForLight  Purpose = "light"

	ForFollowUp Purpose = "followup"
)

// WithAuxiliaryTurn returns the session with the cost of a turn of a chair or of the
// light model.
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

// Plus returns the sum with further calls. An unknown cost makes the sum unknown, so
// that it never looks smaller than it is.
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

// MemberSpending sums the members' calls from a round on, without what a fork was begun
// with. Without any call the cost is zero.
func (s Session) MemberSpending(from int) Spending {
	return memberSpending(s, func(x Response) bool { return !x.Inherited && x.Turn.Round >= from })
}

// InheritedSpending sums what the rounds of a fork took before it was made. They are not
// a part of what the fork costs.
func (s Session) InheritedSpending() Spending {
	return memberSpending(s, func(x Response) bool { return x.Inherited })
}

func memberSpending(s Session, of func(Response) bool) Spending {
	sum := Spending{Purpose: ForMember, Cost: new(float64)}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if of(x) {
				sum = sum.Plus(x.Calls, x.Usage, x.Cost)
			}
		}
	}
	return sum
}

// TotalSpending returns what the session has cost so far, without what a fork was begun
// with. Verdicts on forks by earlier versions count that too.
func (s Session) TotalSpending() Spending {
	if v := s.Verdict; v != nil && len(v.Spending) > 0 && s.ForkRound == 0 && len(s.FollowUps) == 0 {
		return v.Spending[len(v.Spending)-1]
	}
	sum := s.MemberSpending(1)
	sum.Purpose = ""
	for _, a := range s.AuxiliarySpending {
		sum = sum.Plus(a.Calls, a.Usage, a.Cost)
	}
	return sum
}
