package verdict

import (
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Agreement measures agreement after the last round from stances and confidences,
// without a model: the share of the heaviest side in the stated weight. Seats without a
// side or a statement count against it.
func Agreement(s debate.Session) debate.Consensus {
	r := s.History[len(s.History)-1]
	done := r.Statements()
	c := debate.Consensus{
		Method: debate.ConsensusComputed, Answered: len(done), Seats: len(s.Seats),
		Opposed: opposed(votingStatements(s, r)),
	}
	if !c.AllAnswered() {
		c.Cause = fmt.Sprintf("only %d of %d members answered", c.Answered, c.Seats)
	}
	switch len(done) {
	case 0:
		c.Method, c.Cause = debate.ConsensusUnavailable, "nothing to analyse"
		return c
	case 1:
		one := 1.0
		c.Level = &one
	default:
		t, own := tally(s, r), countVoters(s)
		if own == 1 {
			c.Cause = "only one member has a vote"
			return c
		}
		if t.None {
			c.Cause = "too few seats state a side"
			return c
		}
		level := agreement(t, own)
		c.Level = &level
	}
	for _, side := range sides {
		var who []agents.ID
		for _, x := range done {
			if debate.Side(x.Statement.Stance) == side {
				who = append(who, x.Turn.Agent)
			}
		}
		if len(who) > 0 {
			c.Clusters = append(c.Clusters, debate.Cluster{Theme: string(side), Agents: who})
		}
	}
	return c
}

// opposed reports whether one response says yes and another no.
func opposed(done []debate.Response) bool {
	says := func(side debate.Stance) bool {
		return slices.ContainsFunc(done, func(x debate.Response) bool { return x.Statement.Stance == side })
	}
	return says(debate.Yes) && says(debate.No)
}

func agreement(t debate.Tally, seats int) float64 {
	var all, top float64
	stated := 0
	for _, side := range sides {
		all += t.Weights[side]
		top = max(top, t.Weights[side])
		stated += t.Votes[side]
	}
	if all == 0 {
		return 0
	}
	return top / all * float64(stated) / float64(seats)
}
