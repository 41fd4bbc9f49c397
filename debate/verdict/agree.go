package verdict

import (
	"slices"

	"roundtable/debate"
)

// Ending returns why a debate ends with the round that has ended before its planned rounds.
func Ending(s debate.Session) debate.StopReason {
	switch {
	case s.Question == debate.QuestionEstimate || s.Eval != nil:
	case s.Ends == debate.EndsAgreed && AllAgree(s):
		return debate.EndedByConsensus
	case s.Ends == debate.EndsSettled && Settled(s):
		return debate.EndedByConvergence
	}
	return debate.NotStopped
}

// AllAgree reports whether the blind first round ends a debate: every voting seat, at least
// two, holds one side, no two of them run one model, nobody asked anything, and nothing of
// what they should have read or said is missing.
func AllAgree(s debate.Session) bool {
	p := pollOf(s)
	blind := len(s.History) == 1 && s.Mode.Sees() == debate.SeesRounds
	if !blind || len(p.voters) < 2 || s.Question == debate.QuestionEstimate || p.ranks {
		return false
	}
	models := map[string]bool{}
	var side debate.Side
	for _, v := range p.voters {
		who, _ := s.Seat(v.id)
		if v.now.state != debate.VoteRead || side != "" && v.now.side != side || models[modelKey(who)] {
			return false
		}
		side, models[modelKey(who)] = v.now.side, true
	}
	s.Stopped = debate.EndedByConsensus // what lacks is told of a debate that has ended
	return len(s.Requests) == 0 && !slices.ContainsFunc(Count(s).Cautions, func(c debate.Caution) bool {
		return c.ID == CautionCutPrompts || c.ID == CautionUnreadEvidence || c.ID == CautionMissedTurn
	})
}

// Settled reports whether no voting seat's side changed over the newest two rounds, both complete.
func Settled(s debate.Session) bool {
	p := pollOf(s)
	n := len(p.rounds)
	if n < 2 || len(p.voters) == 0 || p.ranks || p.rounds[n-1] != len(s.History) {
		return false
	}
	return !slices.ContainsFunc(p.voters, func(v voter) bool {
		a, b := v.cells[n-2], v.cells[n-1]
		return !a.readable() || !b.readable() || !a.equals(b)
	})
}
