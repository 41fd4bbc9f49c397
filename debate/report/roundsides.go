package report

import (
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// RoundSides says where the voters stand in a round.
type RoundSides struct {
	Round int
	Moves []*debate.Move // by seat; nil without a vote
	Votes string         // counted, by side
	Tally debate.Tally   // the same as numbers
	Level *float64       // of agreement, if it was measured and does not contradict the count
}

// SidesByRound returns where the voters stand in each round in which votes are cast, the
// one that runs included.
func SidesByRound(s debate.Session) []RoundSides {
	var out []RoundSides
	byRound := map[int]int{}
	for _, m := range verdict.Moves(s) {
		at, ok := byRound[m.Round]
		if !ok {
			at, byRound[m.Round] = len(out), len(out)
			out = append(out, RoundSides{Round: m.Round, Moves: make([]*debate.Move, len(s.Seats))})
		}
		if _, seat := s.Seat(m.Agent); seat > 0 {
			out[at].Moves[seat-1] = &m
		}
	}
	for i, a := range out {
		if t, ok := verdict.VotesOf(s, a.Round); ok {
			out[i].Tally, out[i].Votes = t, verdict.VoteCounts(t)
		}
		for _, r := range s.History {
			if c := r.Consensus; r.Number == a.Round && c != nil && c.Contradicts == "" {
				out[i].Level = c.Level
			}
		}
	}
	return out
}
