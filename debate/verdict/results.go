package verdict

import (
	"roundtable/debate"
)

// Results returns what the structured parts of the rounds come to, up to the given
// one; nil where no round asked for any. Polls count over all of the rounds: the
// first one is before, the last one after. Of rankings and scores the newest count.
func Results(s debate.Session, round int) *debate.Results {
	var out debate.Results
	polls := PollPhases(s.Mode)
	for i := range s.History[:min(round, len(s.History))] {
		r := s.History[i]
		for _, p := range append([]debate.Phase{s.Mode.Phase("")}, s.Mode.Phases...) {
			switch p.Asks {
			case debate.AsksRanking:
				if got := rankingOf(s, r, p.Name); got != nil {
					out.Ranking = got
				}
			case debate.AsksScores:
				if got := matrixOf(s, r, p.Name); got != nil {
					out.Matrix = got
				}
			case debate.AsksStance, debate.AsksVote:
			}
		}
	}
	if len(polls) == 2 {
		out.Shift = shiftOf(s, s.History[:min(round, len(s.History))], polls[0], polls[1])
	}
	if out == (debate.Results{}) {
		return nil
	}
	return &out
}

// responsesInPhase returns what was said in one phase of a round, by seat.
func responsesInPhase(s debate.Session, r debate.Round, phase string) []debate.Response {
	var out []debate.Response
	for _, p := range s.Seats {
		for _, x := range r.Latest() {
			if x.Turn.Agent == p.ID && x.Phase == phase && x.HasStatement() {
				out = append(out, x)
			}
		}
	}
	return out
}
