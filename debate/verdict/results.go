package verdict

import (
	"roundtable/debate"
)

// Results returns the results of the structured parts up to the given round, nil if no
// round asked for any. Polls count over all these rounds, the first as before and the
// last as after; of rankings and scores the newest count.
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

// responsesInPhase returns the responses in a phase of a round, by seat.
func responsesInPhase(s debate.Session, r debate.Round, phase string) []debate.Response {
	var out []debate.Response
	latest := r.Latest()
	for _, p := range s.Seats {
		for _, x := range latest {
			if x.Turn.Agent == p.ID && x.Phase == phase && x.HasStatement() {
				out = append(out, x)
			}
		}
	}
	return out
}
