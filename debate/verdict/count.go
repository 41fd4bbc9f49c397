package verdict

import (
	"fmt"
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Agreement measures agreement after the last round from stances and confidences,
// without a model: the share of the stated weight that is on the heaviest side.
// Seats that state no side, or nothing, count against it.
func Agreement(s debate.Session) debate.Consensus {
	r := s.History[len(s.History)-1]
	done := r.Statements()
	c := debate.Consensus{Method: debate.Computed, Answered: len(done), Seats: len(s.Seats), Opposed: opposed(votes(s, r))}
	if !c.Whole() {
		c.Cause = fmt.Sprintf("only %d of %d members answered", c.Answered, c.Seats)
	}
	switch len(done) {
	case 0:
		c.Method, c.Cause = debate.Unavailable, "nothing to analyse"
		return c
	case 1:
		one := 1.0
		c.Level = &one
	default:
		t, own := tally(s, r), voters(s)
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
			if x.Statement.Stance == side {
				who = append(who, x.Turn.Agent)
			}
		}
		if len(who) > 0 {
			c.Clusters = append(c.Clusters, debate.Cluster{Theme: string(side), Agents: who})
		}
	}
	return c
}

// opposed reports whether one says yes and another no.
func opposed(done []debate.Response) bool {
	says := func(side debate.Stance) bool {
		return slices.ContainsFunc(done, func(x debate.Response) bool { return x.Statement.Stance == side })
	}
	return says(debate.Yes) && says(debate.No)
}

var sides = []debate.Stance{debate.Yes, debate.No, debate.Neutral}

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

// votes are the statements of a round whose stances are their speakers' own, and
// not prescribed by a role.
func votes(s debate.Session, r debate.Round) []debate.Response {
	return slices.DeleteFunc(r.Statements(), func(x debate.Response) bool { return !Votes(s, x.Turn.Agent) })
}

// voters counts the seats that have a stance of their own.
func voters(s debate.Session) int {
	n := 0
	for _, p := range s.Seats {
		if Votes(s, p.ID) {
			n++
		}
	}
	return n
}

// unsure is the weight of a stance whose seat states no confidence.
const unsure = 0.5

// tally counts the votes of a round. There is a count when at least half of the
// seats that have one state it.
func tally(s debate.Session, r debate.Round) debate.Tally {
	t := debate.Tally{Votes: map[debate.Stance]int{}, Weights: map[debate.Stance]float64{}}
	stated := 0
	for _, x := range votes(s, r) {
		side := x.Statement.Stance
		if side == "" {
			continue
		}
		stated++
		t.Votes[side]++
		weight := unsure
		if x.Statement.Confidence != nil {
			weight = *x.Statement.Confidence
		}
		t.Weights[side] += weight
	}
	if stated == 0 || 2*stated < voters(s) {
		return debate.Tally{None: true}
	}
	for side, w := range t.Weights {
		t.Weights[side] = math.Round(w*1e6) / 1e6 // so that 0.1 + 0.2 ties with 0.3
	}
	t.Majority, t.Split = most(t.Votes)
	t.Weighted, _ = most(t.Weights)
	return t
}

// opening is round 1 as a panel without a debate would have had it: who voted in it
// before the debate counts with that vote, and not with what it held later on.
func opening(s debate.Session) debate.Round {
	r := s.History[0]
	voted := map[agents.ID]bool{}
	for _, x := range r.Latest() {
		if x.State == debate.TurnDone && x.Statement.Stance != "" && polled(s, x) {
			voted[x.Turn.Agent] = true
		}
	}
	r.Responses = slices.DeleteFunc(slices.Clone(r.Responses), func(x debate.Response) bool {
		return voted[x.Turn.Agent] && !polled(s, x)
	})
	return r
}

// polled reports whether a response is a vote that was cast before the statements.
func polled(s debate.Session, x debate.Response) bool {
	return slices.ContainsFunc(s.Mode.Phases, func(p debate.Phase) bool {
		return p.Name == x.Phase && p.Before && p.Asks == debate.AsksVote
	})
}

// most returns the side with the highest count; on a tie there is none.
func most[N int | float64](counts map[debate.Stance]N) (top debate.Stance, tie bool) {
	var best N
	for _, side := range sides {
		switch n := counts[side]; {
		case n > best:
			top, best, tie = side, n, false
		case n == best && n > 0:
			tie = true
		}
	}
	if tie {
		return "", true
	}
	return top, false
}
