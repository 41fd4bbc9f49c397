package debate

import (
	"fmt"
	"strings"

	"roundtable/agents"
)

// Lines says what ballots, votes and scores came to, a sentence each. Called names
// the agents.
func (r *Results) Lines(called func(agents.ID) string) []string {
	var out []string
	if r == nil {
		return nil
	}
	if r.Ranking != nil {
		out = append(out, r.Ranking.line(called))
	}
	if r.Shift != nil {
		out = append(out, r.Shift.line())
	}
	if r.Matrix != nil {
		out = append(out, r.Matrix.line())
	}
	return out
}

func (r *Ranking) line(called func(agents.ID) string) string {
	places := make([]string, len(r.Places))
	for i, p := range r.Places {
		places[i] = fmt.Sprintf("%d. %s, %d", p.Place, called(p.Agent), p.Points)
	}
	ballots := "1 ballot"
	if n := len(r.Ballots); n != 1 {
		ballots = fmt.Sprintf("%d ballots", n)
	}
	return fmt.Sprintf("Ranking of round %d, points of %s: %s.", r.Round, ballots, strings.Join(places, "; "))
}

func (v *VoteShift) line() string {
	votes := func(of map[Stance]int) string {
		text := fmt.Sprintf("yes %d, no %d", of[Yes], of[No])
		if n := of[Neutral]; n > 0 {
			text += fmt.Sprintf(", neutral %d", n)
		}
		return text
	}
	end := "neither side gained"
	if v.Winner != "" {
		end = string(v.Winner) + " gained"
	}
	return fmt.Sprintf("Votes before: %s; after: %s; %s.", votes(v.Before), votes(v.After), end)
}

func (m *Matrix) line() string {
	totals := make([]string, len(m.Options))
	for i, option := range m.Options {
		totals[i] = option + " no score"
		if i < len(m.Totals) && m.Totals[i] != nil {
			totals[i] = fmt.Sprintf("%s %.1f", option, *m.Totals[i])
		}
	}
	end := "no option is ahead"
	if m.Best != "" {
		end = m.Best + " is ahead"
	}
	return fmt.Sprintf("Scores of round %d, from 0 to 10: %s; %s.", m.Round, strings.Join(totals, ", "), end)
}
