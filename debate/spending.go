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
