package verdict

import (
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// TallyAnswer is the side a count came to: yes, no, neutral, "split", or "" without one.
func TallyAnswer(t debate.Tally) string {
	switch {
	case t.None:
		return ""
	case t.Split:
		return "split"
	default:
		return string(t.Majority)
	}
}

var sides = []debate.Stance{debate.Yes, debate.No, debate.Neutral}

// votingStatements are the statements of a round whose stances are their speakers' own, and
// not prescribed by a role.
func votingStatements(s debate.Session, r debate.Round) []debate.Response {
	return slices.DeleteFunc(r.Statements(), func(x debate.Response) bool { return !HasVote(s, x.Turn.Agent) })
}

// countVoters counts the seats that have a stance of their own.
func countVoters(s debate.Session) int {
	n := 0
	for _, p := range s.Seats {
		if HasVote(s, p.ID) {
			n++
		}
	}
	return n
}

// unsure is the weight of a stance whose seat states no confidence.
const defaultWeight = 0.5

// tally counts the votes of a round. There is a count when at least half of the
// seats that have one state it.
func tally(s debate.Session, r debate.Round) debate.Tally {
	t := debate.Tally{Votes: map[debate.Stance]int{}, Weights: map[debate.Stance]float64{}}
	stated := 0
	for _, x := range votingStatements(s, r) {
		side := x.Statement.Stance
		if side == "" {
			continue
		}
		stated++
		t.Votes[side]++
		weight := defaultWeight
		if x.Statement.Confidence != nil {
			weight = *x.Statement.Confidence
		}
		t.Weights[side] += weight
	}
	if stated == 0 || 2*stated < countVoters(s) {
		return debate.Tally{None: true}
	}
	for side, w := range t.Weights {
		t.Weights[side] = math.Round(w*1e6) / 1e6 // so that 0.1 + 0.2 ties with 0.3
	}
	t.Majority, t.Split = leadingSide(t.Votes)
	t.Weighted, _ = leadingSide(t.Weights)
	return t
}

// baselineRound is round 1 as a panel without a debate would have had it: who voted in it
// before the debate counts with that vote, and not with what it held later on.
func baselineRound(s debate.Session) debate.Round {
	r := s.History[0]
	voted := map[agents.ID]bool{}
	for _, x := range r.Latest() {
		if x.State == debate.TurnDone && x.Statement.Stance != "" && isEarlyVote(s, x) {
			voted[x.Turn.Agent] = true
		}
	}
	r.Responses = slices.DeleteFunc(slices.Clone(r.Responses), func(x debate.Response) bool {
		return voted[x.Turn.Agent] && !isEarlyVote(s, x)
	})
	return r
}

// isEarlyVote reports whether a response is a vote that was cast before the statements.
func isEarlyVote(s debate.Session, x debate.Response) bool {
	return slices.ContainsFunc(s.Mode.Phases, func(p debate.Phase) bool {
		return p.Name == x.Phase && p.Before && p.Asks == debate.AsksVote
	})
}

// leadingSide returns the side with the highest count; on a tie there is none.
func leadingSide[N int | float64](counts map[debate.Stance]N) (top debate.Stance, tie bool) {
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

// HasVote reports whether the stance that a seat states is its own, and not one that
// its role prescribes.
func HasVote(s debate.Session, id agents.ID) bool {
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	return !role.Fixed && role.Stance != debate.NoStance
}
