package debate

import (
	"slices"

	"roundtable/agents"
)

// WithAside returns the session with what a turn that is no member's has taken.
func (s Session) WithAside(purpose Purpose, x Response) Session {
	i := slices.IndexFunc(s.Aside, func(a Spent) bool { return a.Purpose == purpose })
	s.Aside = slices.Clone(s.Aside)
	if i < 0 {
		i = len(s.Aside)
		s.Aside = append(s.Aside, Spent{Purpose: purpose, Cost: new(float64)})
	}
	s.Aside[i] = s.Aside[i].Plus(x.Sent, x.Usage, x.Cost)
	return s
}

// Plus returns the sum with what further calls took. A cost that is unknown makes
// the sum unknown, so that it never looks like less than it is.
func (s Spent) Plus(calls int, u agents.Usage, cost *float64) Spent {
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

// MembersSpent sums what the members' calls took, from a round on. No call costs nothing.
func (s Session) MembersSpent(from int) Spent { return s.membersSpent(from, len(s.History)) }

// ForkSpent is what the rounds took that a fork was begun with. It counts as spent by
// the fork too, and against its budget.
func (s Session) ForkSpent() Spent { return s.membersSpent(1, s.ForkRound) }

func (s Session) membersSpent(from, to int) Spent {
	sum := Spent{Purpose: ForMember, Cost: new(float64)}
	for _, r := range s.History {
		if r.Number < from || r.Number > to {
			continue
		}
		for _, x := range r.Responses {
			sum = sum.Plus(x.Sent, x.Usage, x.Cost)
		}
	}
	return sum
}

// Spent is what the session has taken so far.
func (s Session) Spent() Spent {
	if v := s.Verdict; v != nil && len(v.Spent) > 0 {
		return v.Spent[len(v.Spent)-1]
	}
	sum := s.MembersSpent(1)
	sum.Purpose = ""
	for _, a := range s.Aside {
		sum = sum.Plus(a.Calls, a.Usage, a.Cost)
	}
	return sum
}
