package tui

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)

// results are the panels of what ballots, votes and scores came to.
func (r *report) results(v *debate.Verdict, width int) []panel {
	var out []panel
	counted := r.counted(v)
	if counted == nil {
		return nil
	}
	if k := counted.Ranking; k != nil {
		out = append(out, panel{"Ranking", fmt.Sprintf("Ranking, round %d", k.Round), "points, first places", r.ranking(k, width)})
	}
	if s := counted.Shift; s != nil {
		out = append(out, panel{"Votes", "Votes", "before, after", r.shift(s, width)})
	}
	if m := counted.Matrix; m != nil {
		out = append(out, panel{"Scores", fmt.Sprintf("Scores, round %d", m.Round), "mean of 0 to 10", r.matrix(m, width)})
	}
	return out
}

// row is a line of a table: what, and figures at the right.
func (r *report) row(what, figures string, width int) string {
	return r.th.Row([]theme.Part{{Text: what, Style: r.th.Text, Cut: 1}}, []theme.Part{{Text: "  " + figures, Style: r.th.Muted}}, width)
}

func (r *report) ranking(k *debate.Ranking, width int) []string {
	var lines []string
	for _, p := range k.Places {
		seat, _ := r.session.Seat(p.Agent)
		lines = append(lines, r.row(fmt.Sprintf("%d. %s", p.Place, safetext.Line(seat.Name)), fmt.Sprintf("%3d  %2d", p.Points, p.Firsts), width))
	}
	text := fmt.Sprintf("%s, counted without a model; nobody ranks itself.", count(len(k.Ballots), "ballot", "ballots"))
	return append(append(lines, ""), r.prose(text, width)...)
}

func (r *report) shift(s *debate.VoteShift, width int) []string {
	var lines []string
	for _, v := range s.Votes {
		seat, n := r.session.Seat(v.Agent)
		said := func(side debate.Stance) string {
			if side == "" {
				return "none"
			}
			return string(side)
		}
		lines = append(lines, r.row(fmt.Sprintf("%d %s", n, safetext.Line(seat.Name)), fmt.Sprintf("%-7s %s %-7s", said(v.Before), r.th.Symbols.Right, said(v.After)), width))
	}
	gain := "Neither side gained."
	if s.Winner != "" {
		gain = fmt.Sprintf("%s gained: that side won.", begun(string(s.Winner)))
	}
	return append(append(lines, ""), r.prose(gain, width)...)
}

// matrix lists the options with their means, then each with its criteria.
func (r *report) matrix(m *debate.Matrix, width int) []string {
	score := func(f *float64) string {
		if f == nil {
			return "  ?"
		}
		return fmt.Sprintf("%4.1f", *f)
	}
	var lines []string
	for o, option := range m.Options {
		var total *float64
		if o < len(m.Totals) {
			total = m.Totals[o]
		}
		mark := "  "
		if option == m.Best {
			mark = r.th.Symbols.Focus + " "
		}
		lines = append(lines, r.row(mark+safetext.Line(option), score(total), width))
		for c, criterion := range m.Criteria {
			var mean *float64
			if i := o*len(m.Criteria) + c; i < len(m.Cells) {
				mean = m.Cells[i].Mean
			}
			what := ansi.Truncate("    "+safetext.Line(criterion), max(width-8, 4), r.th.Symbols.Cut)
			lines = append(lines, r.th.Row([]theme.Part{{Text: what, Style: r.th.Muted}}, []theme.Part{{Text: score(mean), Style: r.th.Faint}}, width))
		}
	}
	end := "No option is ahead of all others."
	if m.Best != "" {
		end = safetext.Line(m.Best) + " is ahead."
	}
	return append(append(lines, ""), r.prose(end, width)...)
}
