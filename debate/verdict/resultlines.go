package verdict

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// ResultLines describes ballots, votes and scores, a sentence each. NameOf returns the
// name of an agent.
func ResultLines(r *debate.Results, nameOf func(agents.ID) string) []string {
	var out []string
	if r == nil {
		return nil
	}
	if r.Ranking != nil {
		out = append(out, placesLine(r.Ranking, nameOf))
	}
	if r.Shift != nil {
		out = append(out, shiftLine(r.Shift))
	}
	if r.Matrix != nil {
		out = append(out, matrixLine(r.Matrix))
	}
	return out
}

func placesLine(r *debate.Ranking, nameOf func(agents.ID) string) string {
	places := make([]string, len(r.Places))
	for i, p := range r.Places {
		places[i] = fmt.Sprintf("%d. %s, %d", p.Place, nameOf(p.Agent), p.Points)
	}
	ballots := text.Count(len(r.Ballots), "ballot")
	if readableBallots(*r) == 0 {
		return fmt.Sprintf("No ranking in round %d: none of %s could be read.", r.Round, ballots)
	}
	return fmt.Sprintf("Ranking of round %d, points of %d of %s: %s.", r.Round, readableBallots(*r), ballots, strings.Join(places, "; "))
}

func shiftLine(v *debate.VoteShift) string {
	if len(v.Before) == 0 {
		return text.Capitalize(whoVotedTwice(*v)) + " voted both before and after."
	}
	end := "neither side gained"
	if v.Winner != "" {
		end = string(v.Winner) + " gained"
	}
	return fmt.Sprintf("Votes before: %s; after: %s; %s.", shiftCounts(v.Before), shiftCounts(v.After), end)
}

func matrixLine(m *debate.Matrix) string {
	totals := make([]string, len(m.Options))
	for i, option := range m.Options {
		totals[i] = option + " no score"
		if i < len(m.Totals) && m.Totals[i] != nil {
			totals[i] = fmt.Sprintf("%s %.*f", option, decimals(*m), *m.Totals[i])
		}
	}
	return fmt.Sprintf("Scores of round %d, from 0 to 10: %s. %s.", m.Round, strings.Join(totals, ", "), matrixPhrase(*m))
}
