package verdict

import (
	"roundtable/agents"
	"roundtable/debate"
)

// Ending returns the end condition of the session that holds when its last round
// ends with the given consensus, and debate.NotStopped if none does. None holds before
// the votes that decide were cast.
func Ending(s debate.Session, c debate.Consensus) debate.StopReason {
	switch {
	case !votesHeld(s, s.History[len(s.History)-1]):
		return debate.NotStopped
	case s.EndConditions.OnConsensus && agreed(s, c):
		return debate.EndedByConsensus
	case s.EndConditions.Convergence && converged(s, c.Labels):
		return debate.EndedByConvergence
	default:
		return debate.NotStopped
	}
}

// agreed reports whether the consensus reaches the threshold. Whatever level a model
// estimates, there is none while a member is missing, without a side that at least two
// voters hold, and against the count.
func agreed(s debate.Session, c debate.Consensus) bool {
	return c.Level != nil && *c.Level >= s.EndConditions.ConsensusThreshold() && c.AllAnswered() &&
		c.Side != debate.Undecided && !c.Opposed && c.Contradicts == ""
}

// converged reports whether at least two voters voted, each for a side, in the last
// round and in the one before, and none changed sides.
func converged(s debate.Session, labels *debate.Grouping) bool {
	n := len(s.History)
	if n < 2 || !CountsSides(s) || !votesHeld(s, s.History[n-2]) {
		return false
	}
	q := SidesOf(s)
	if labels != nil {
		q = sidesWith(s, labels)
	}
	before := map[agents.ID]debate.Side{}
	for _, v := range votesIn(s, q, s.History[n-2], s.Mode.Votes).votes {
		before[v.Turn.Agent] = v.side
	}
	votes := votesIn(s, q, s.History[n-1], s.Mode.Votes).votes
	for _, v := range votes {
		if v.side == debate.Undecided || before[v.Turn.Agent] != v.side {
			return false
		}
	}
	return len(votes) > 1 && len(votes) == len(before)
}

// CanConverge reports whether convergence can be found in the last round, and why not.
func CanConverge(s debate.Session) (ok bool, why string) {
	r := s.History[len(s.History)-1]
	switch {
	case !CountsSides(s), len(voters(s)) == 0:
		return false, "this mode counts no sides"
	case !votesHeld(s, r):
		return true, ""
	}
	q := SidesOf(s)
	if t := count(s, q, votesIn(s, q, r, s.Mode.Votes).votes); t.None && t.Median == nil {
		return false, "nobody takes a side"
	}
	return true, ""
}
