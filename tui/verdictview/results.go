package verdictview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// results are the panels of ballots, votes and scores.
func (ct *content) results(width int) []panel {
	var out []panel
	counted := ct.counted()
	if counted == nil {
		return nil
	}
	if k := counted.Ranking; k != nil {
		out = append(out, panel{"Ranking", fmt.Sprintf("Ranking, round %d", k.Round), "points, first places", ct.ranking(k, width)})
	}
	if s := counted.Shift; s != nil {
		out = append(out, panel{"Polls", "Polls", "before, after", ct.shift(s, width)})
	}
	if m := counted.Matrix; m != nil {
		out = append(out, panel{"Scores", fmt.Sprintf("Scores, round %d", m.Round), "mean of 0 to 10", ct.matrix(m, width)})
	}
	return out
}

// row is a line of a table, with figures at the right.
func (ct *content) row(what, figures string, width int) string {
	return ct.th.Row([]theme.Part{{Text: what, Style: ct.th.Text, Cut: 1}}, []theme.Part{{Text: "  " + figures, Style: ct.th.Muted}}, width)
}

func (ct *content) ranking(k *debate.Ranking, width int) []string {
	var lines []string
	places := k.Places
	if !slices.ContainsFunc(k.Ballots, func(b debate.Ballot) bool { return len(b.Order) > 0 }) {
		places = nil // all would share the first
	}
	for _, p := range places {
		seat, _ := ct.session.Seat(p.Agent)
		lines = append(lines, ct.row(fmt.Sprintf("%d. %s", p.Place, text.Line(seat.Name)), fmt.Sprintf("%3d  %2d", p.Points, p.Firsts),
			width))
	}
	return append(append(lines, ""), ct.prose(report.RankingLine(*k), width)...)
}

func (ct *content) shift(s *debate.VoteShift, width int) []string {
	var lines []string
	for _, v := range s.Votes {
		seat, n := ct.session.Seat(v.Agent)
		said := func(side debate.Stance) string {
			if side == "" {
				return "none"
			}
			return string(side)
		}
		lines = append(lines, ct.row(fmt.Sprintf("%d %s", n, text.Line(seat.Name)),
			fmt.Sprintf("%-7s %s %-7s", said(v.Before), ct.th.Symbols.Right, said(v.After)), width))
	}
	return append(append(lines, ""), ct.prose(report.ShiftLine(*s), width)...)
}

// The least cells of a column of an option, and of that of the criteria.
const (
	optionLeast    = 8
	criterionLeast = 16
)

// matrix draws a table of criteria by options, or, if that has no room, a list of
// the options with their criteria.
func (ct *content) matrix(m *debate.Matrix, width int) []string {
	lines := ct.crossTable(m, width)
	if lines == nil {
		lines = ct.optionList(m, width)
	}
	return append(append(lines, ""), ct.prose(report.MatrixLine(*m), width)...)
}

// score writes a mean; "?" if nobody gave one.
func score(f *float64) string {
	if f == nil {
		return "?"
	}
	return fmt.Sprintf("%.1f", *f)
}

// mean returns the mean score of an option by a criterion; nil if there is none.
func mean(m *debate.Matrix, option, criterion int) *float64 {
	if i := option*len(m.Criteria) + criterion; i < len(m.Cells) {
		return m.Cells[i].Mean
	}
	return nil
}

// optionTotal returns the total score of an option; nil if there is none.
func optionTotal(m *debate.Matrix, option int) *float64 {
	if option < len(m.Totals) {
		return m.Totals[option]
	}
	return nil
}

// crossTable draws the table, with the leading option marked; nil if there is no
// room for the options' names.
func (ct *content) crossTable(m *debate.Matrix, width int) []string {
	th := ct.th
	longest := criterionLeast
	for _, criterion := range m.Criteria {
		longest = max(longest, ansi.StringWidth(text.Line(criterion))+1)
	}
	most := max((width-min(longest, max(width/2, criterionLeast)))/max(len(m.Options), 1)-2, optionLeast)
	widths, rest := make([]int, len(m.Options)), width-1
	for o, option := range m.Options {
		widths[o] = min(max(ansi.StringWidth(text.Line(option))+1, optionLeast), most)
		rest -= widths[o] + 2
	}
	if rest < criterionLeast || ct.ambiguous(m.Options, widths) {
		return nil
	}
	row := func(name string, style lipgloss.Style, cell func(option int) string, each lipgloss.Style) string {
		parts := []theme.Part{{Text: ansi.Truncate(name, rest, th.Symbols.Cut), Style: style}}
		var right []theme.Part
		for o := range m.Options {
			text := ansi.Truncate(cell(o), widths[o], th.Symbols.Cut)
			right = append(right, theme.Part{Text: strings.Repeat(" ", 2+widths[o]-ansi.StringWidth(text)) + text, Style: each})
		}
		return th.Row(parts, right, width)
	}
	lines := []string{row("", th.Muted, func(o int) string {
		if m.Options[o] == m.Best {
			return th.Symbols.Focus + text.Line(m.Options[o])
		}
		return text.Line(m.Options[o])
	}, th.Text)}
	for c, criterion := range m.Criteria {
		lines = append(lines, row(text.Line(criterion), th.Muted, func(o int) string { return score(mean(m, o, c)) }, th.Muted))
	}
	return append(lines, row("in all", th.Text, func(o int) string { return score(optionTotal(m, o)) }, th.Text))
}

// ambiguous reports whether two names are the same once they are cut to these
// widths.
func (ct *content) ambiguous(names []string, widths []int) bool {
	seen := map[string]bool{}
	for i, name := range names {
		short := ansi.Truncate(text.Line(name), widths[i]-1, ct.th.Symbols.Cut)
		if seen[short] {
			return true
		}
		seen[short] = true
	}
	return false
}

// optionList lists the options with their means, and below each its criteria.
func (ct *content) optionList(m *debate.Matrix, width int) []string {
	var lines []string
	for o, option := range m.Options {
		mark := "  "
		if option == m.Best {
			mark = ct.th.Symbols.Focus + " "
		}
		lines = append(lines, ct.row(mark+text.Line(option), score(optionTotal(m, o)), width))
		for c, criterion := range m.Criteria {
			what := ansi.Truncate("    "+text.Line(criterion), max(width-8, 4), ct.th.Symbols.Cut)
			lines = append(lines, ct.th.Row([]theme.Part{{Text: what, Style: ct.th.Muted}},
				[]theme.Part{{Text: score(mean(m, o, c)), Style: ct.th.Faint}}, width))
		}
	}
	return lines
}

// scores lists who gave which score and why, option by option.
func (ct *content) scores(width int) []string {
	counted := ct.counted()
	if counted == nil || counted.Matrix == nil {
		return nil
	}
	th, m := ct.th, counted.Matrix
	var lines []string
	for i, cell := range m.Cells {
		if len(cell.Scores) == 0 || i >= len(m.Options)*len(m.Criteria) {
			continue
		}
		what := text.Line(m.Options[i/len(m.Criteria)] + ", " + m.Criteria[i%len(m.Criteria)])
		lines = append(lines, th.Row([]theme.Part{{Text: what, Style: th.Muted, Cut: 1}},
			[]theme.Part{{Text: "  " + score(cell.Mean), Style: th.Muted}}, width))
		for _, s := range cell.Scores {
			seat, _ := ct.session.Seat(s.Agent)
			why := cmp.Or(text.Line(s.Reason), "no reason stated")
			text := fmt.Sprintf("%s %s %s: %s", th.Symbols.Bullet, text.Line(seat.Name), strconv.FormatFloat(s.Score, 'f', -1, 64), why)
			lines = append(lines, ct.prose(text, width)...)
		}
	}
	if lines == nil {
		return nil
	}
	round := []theme.Part{{Text: fmt.Sprintf("round %d", m.Round), Style: th.Muted, Cut: 1}}
	return append([]string{"", th.Row([]theme.Part{{Text: "Scores, one by one", Style: th.Accent}}, round, width)}, lines...)
}
