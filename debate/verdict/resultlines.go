package verdict

import (
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
)

// ResultLines says what ballots, votes and scores came to, a sentence each. Called names
// the agents.
func ResultLines(r *debate.Results, called func(agents.ID) string) []string {
	var out []string
	if r == nil {
		return nil
	}
	if r.Ranking != nil {
		out = append(out, rankingLine(r.Ranking, called))
	}
	if r.Shift != nil {
		out = append(out, shiftLine(r.Shift))
	}
	if r.Matrix != nil {
		out = append(out, matrixLine(r.Matrix))
	}
	return out
}

// HasVoteShift reports whether votes before and after the debate decide it.
func HasVoteShift(r *debate.Results) bool { return r != nil && r.Shift != nil }

// DecisionPhrase says in a phrase what ballots, votes or scores decide; "" where there are
// none.
func DecisionPhrase(r *debate.Results, s debate.Session) string {
	switch {
	case r == nil:
		return ""
	case r.Shift != nil:
		return shiftDecided(r.Shift, s.Mode)
	case r.Ranking != nil:
		return rankingDecided(r.Ranking, s.NameOf)
	case r.Matrix == nil:
		return ""
	case r.Matrix.Best == "":
		return "by the scores no option is ahead"
	default:
		return "by the scores ahead: " + r.Matrix.Best
	}
}

// shiftDecided says how the votes moved, and whose side won by that.
func shiftDecided(v *debate.VoteShift, m debate.Mode) string {
	votes := func(of map[debate.Stance]int) string {
		var parts []string
		for _, side := range []debate.Stance{debate.Yes, debate.No, debate.Neutral} {
			if n := of[side]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", side, n))
			}
		}
		return strings.Join(parts, ", ")
	}
	if len(v.Before) == 0 {
		return "nobody voted both before and after: neither side wins"
	}
	end := "neither side wins"
	if v.Winner != "" {
		end = string(v.Winner) + " wins"
		for _, role := range m.Roles {
			if role.Fixed && role.Stance == v.Winner {
				end = "the " + role.Name + " wins"
			}
		}
	}
	return fmt.Sprintf("votes went from %s to %s: %s", votes(v.Before), votes(v.After), end)
}

// rankingDecided names the first of the ranking.
func rankingDecided(r *debate.Ranking, called func(agents.ID) string) string {
	var first []string
	for _, p := range r.Places {
		if p.Place == 1 {
			first = append(first, called(p.Agent))
		}
	}
	switch n := len(first); {
	case n == 0:
		return ""
	case n == 1:
		return "ranked first: " + first[0]
	case n == len(r.Places):
		return "the ranking is a tie of all"
	default:
		return "ranked first together: " + strings.Join(first, ", ")
	}
}

func rankingLine(r *debate.Ranking, called func(agents.ID) string) string {
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

func shiftLine(v *debate.VoteShift) string {
	votes := func(of map[debate.Stance]int) string {
		text := fmt.Sprintf("yes %d, no %d", of[debate.Yes], of[debate.No])
		if n := of[debate.Neutral]; n > 0 {
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

func matrixLine(m *debate.Matrix) string {
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
