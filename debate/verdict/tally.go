package verdict

import (
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// TallyAnswer returns the result of a tally: yes, no, neutral, "split", or "" if there
// is none.
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

var sides = []debate.Side{debate.Side(debate.Yes), debate.Side(debate.No), debate.Side(debate.Neutral)}

// votingStatements returns the statements of a round whose stances are not prescribed by
// a role.
func votingStatements(s debate.Session, r debate.Round) []debate.Response {
	return slices.DeleteFunc(r.Statements(), func(x debate.Response) bool { return !HasVote(s, x.Turn.Agent) })
}

// countVoters returns the number of seats whose stance is their own.
func countVoters(s debate.Session) int {
	n := 0
	for _, p := range s.Seats {
		if HasVote(s, p.ID) {
			n++
		}
	}
	return n
}

// defaultWeight is the weight of a stance without a confidence.
const defaultWeight = 0.5

// tally counts the votes of a round. There is a result if at least half of the voting
// seats state a side.
func tally(s debate.Session, r debate.Round) debate.Tally {
	t := debate.Tally{Votes: map[debate.Side]int{}, Weights: map[debate.Side]float64{}}
	stated := 0
	for _, x := range votingStatements(s, r) {
		side := debate.Side(x.Statement.Stance)
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

// baselineRound returns round 1 as a panel without a debate would have voted: a vote
// before the debate counts instead of later statements.
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

// isEarlyVote reports whether a response is a vote cast before the statements.
func isEarlyVote(s debate.Session, x debate.Response) bool {
	return slices.ContainsFunc(s.Mode.Phases, func(p debate.Phase) bool {
		return p.Name == x.Phase && p.Before && p.Asks == debate.AsksVote
	})
}

// leadingSide returns the side with the highest count, and whether there is a tie.
func leadingSide[N int | float64](counts map[debate.Side]N) (top debate.Side, tie bool) {
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

// HasVote reports whether a seat's stance is its own rather than prescribed by its role.
func HasVote(s debate.Session, id agents.ID) bool {
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	return !role.Fixed && role.Stance != debate.NoStance
}
