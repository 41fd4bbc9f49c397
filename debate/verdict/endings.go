package verdict

import (
	"math"

	"roundtable/agents"
	"roundtable/debate"
)

// Ending returns the end condition of the session that holds when its last round
// ends with the given consensus, and debate.NotStopped if none does.
func Ending(s debate.Session, c debate.Consensus) debate.StopReason {
	switch {
	case s.EndConditions.OnConsensus && agreed(s, c):
		return debate.EndedByConsensus
	case s.EndConditions.Convergence && converged(s):
		return debate.EndedByConvergence
	default:
		return debate.NotStopped
	}
}

// agreed reports whether the consensus reaches the threshold. Whatever level a model
// estimates, there is none while a member is missing or members are opposed.
func agreed(s debate.Session, c debate.Consensus) bool {
	return c.Level != nil && *c.Level >= s.EndConditions.ConsensusThreshold() && c.AllAnswered() && c.Answered > 1 && !c.Opposed
}

// maxSteadyChange is by how much a confidence may change in a converged debate.
const maxSteadyChange = 0.15

// converged reports whether every seat with a statement in the last round states the
// same side as in the round before, about as surely. It is false if one of them
// states no side.
func converged(s debate.Session) bool {
	n := len(s.History)
	if n < 2 {
		return false
	}
	before := map[agents.ID]debate.Statement{}
	for _, x := range s.History[n-2].Statements() {
		before[x.Turn.Agent] = x.Statement
	}
	statements := s.History[n-1].Statements()
	for _, x := range statements {
		previous, spoke := before[x.Turn.Agent]
		now := x.Statement
		if !spoke || now.Stance == "" || now.Stance != previous.Stance || changedConfidence(previous.Confidence, now.Confidence) {
			return false
		}
	}
	return len(statements) > 1
}

func changedConfidence(before, now *float64) bool {
	return before != nil && now != nil && math.Abs(*before-*now) > maxSteadyChange+1e-9
}
