package verdict

import (
	"context"
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Assess measures agreement after the last round from stances and confidences,
// without a model: the share of the stated weight that is on the heaviest side.
// Seats that state no side, or nothing, count against it.
func (j Judge) Assess(_ context.Context, s debate.Session) (debate.Consensus, error) {
	r := s.History[len(s.History)-1]
	c := debate.Consensus{Method: debate.Computed}
	done := statements(r)
	switch len(done) {
	case 0:
		return debate.Consensus{Method: debate.Unavailable, Cause: "nothing to analyse"}, nil
	case 1:
		one := 1.0
		c.Level = &one
	default:
		t := tally(s, r)
		if t.None {
			c.Cause = "too few seats state a side"
			return c, nil
		}
		level := agreement(t, len(s.Seats))
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
	return c, nil
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

func statements(r debate.Round) []debate.Response {
	return slices.DeleteFunc(r.Latest(), func(x debate.Response) bool { return x.State != debate.TurnDone })
}

// unsure is the weight of a stance whose seat states no confidence.
const unsure = 0.5

// tally counts the stances of a round. There is a count when at least half of
// the seats state one.
func tally(s debate.Session, r debate.Round) debate.Tally {
	t := debate.Tally{Votes: map[debate.Stance]int{}, Weights: map[debate.Stance]float64{}}
	stated := 0
	for _, x := range statements(r) {
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
	if stated == 0 || 2*stated < len(s.Seats) {
		return debate.Tally{None: true}
	}
	for side, w := range t.Weights {
		t.Weights[side] = math.Round(w*1e6) / 1e6 // so that 0.1 + 0.2 ties with 0.3
	}
	t.Majority, t.Split = most(t.Votes)
	t.Weighted, _ = most(t.Weights)
	return t
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

// missing lists every seat and round without a statement.
func missing(s debate.Session) []debate.Absence {
	var out []debate.Absence
	for _, r := range s.History {
		done := statements(r)
		for _, p := range s.Seats {
			if slices.ContainsFunc(done, func(x debate.Response) bool { return x.Turn.Agent == p.ID }) {
				continue
			}
			a := debate.Absence{Agent: p.ID, Name: p.Name, Round: r.Number}
			for _, x := range r.Of(p.ID) {
				if x.Failure != nil {
					a.Cause = x.Failure.Cause
				}
			}
			out = append(out, a)
		}
	}
	return out
}
