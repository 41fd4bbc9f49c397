package verdictview

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// panels are the boxes of figures beside the report.
func (sc *Screen) panels() []panel {
	c := sc.verdict
	if c == nil {
		return nil
	}
	_, right := sc.split()
	width := right - 4
	var ps []panel
	if c.Pick != nil {
		ps = append(ps, panel{name: "Pick"}) // box draws it
	}
	votes := "Votes"
	if c.Review != nil {
		ps, votes = append(ps, panel{name: "Findings"}), "Added" // findingsBox draws them
	}
	ps = append(ps,
		panel{votes, c.Baseline.Title, "counted, no model", sc.votes(c, width)},
		panel{"Missing", report.CautionsTitle, "", sc.cautions(c, width)})
	return append(ps, sc.results(width)...)
}

// figures draws all panels in a column of exactly h rows. If they do not fit, it
// drops their blank lines first, and then shows those around the panel in focus.
func (sc *Screen) figures(w, h int) []string {
	ps, focus := sc.panels(), sc.focus
	if sc.verdict != nil && sc.verdict.Pick != nil {
		ps, focus = ps[1:], focus-1
	}
	if total(ps) > h {
		for i := range ps {
			ps[i].lines = slices.DeleteFunc(ps[i].lines, func(l string) bool { return l == "" })
		}
	}
	var rows []string
	top, bottom := 0, 0
	for i, p := range ps {
		n := len(p.lines) + 2
		if i == len(ps)-1 {
			n = max(n, h-len(rows))
		}
		if i+1 == focus {
			p.lines = sc.find.Mark(sc.th, p.lines)
			top, bottom = len(rows), len(rows)+n-1
		}
		rows = append(rows, sc.panel(p, w, n, i+1 == focus, 0)...)
	}
	for len(rows) < h {
		rows = append(rows, strings.Repeat(" ", w))
	}
	return sc.visibleRows(rows, top, bottom, w, h)
}

func total(ps []panel) int {
	n := 0
	for _, p := range ps {
		n += len(p.lines) + 2
	}
	return n
}

// visibleRows returns the visible rows; the first and the last of them count
// the hidden ones.
func (sc *Screen) visibleRows(rows []string, top, bottom, w, h int) []string {
	from, to := sc.boxes.Range(top, bottom, len(rows), h)
	shown := slices.Clone(rows[from:to])
	mark := func(n int, where string) string {
		return sc.th.Fit(sc.th.Muted.Render(fmt.Sprintf("  %d rows %s %s tab: go there", n, where, sc.th.Symbols.Sep)), w)
	}
	if from > 0 {
		shown[0] = mark(from+1, "above")
	}
	if below := len(rows) - to; below > 0 {
		shown[h-1] = mark(below+1, "below")
	}
	return shown
}

// panel draws one box, of which some lines may be hidden below.
func (sc *Screen) panel(p panel, w, h int, focused bool, below int) []string {
	b := theme.Box{
		Width: w, Height: h, Focused: focused, Accent: sc.th.Accent, Lines: p.lines,
		Title: []theme.Part{{Text: p.title, Style: sc.th.Text}},
	}
	if below > 0 {
		b.Hint = []theme.Part{{Text: fmt.Sprintf("%d below", below), Style: sc.th.Muted}}
	}
	if p.state != "" {
		b.State = []theme.Part{{Text: p.state, Style: sc.th.Faint, Cut: 1}}
	}
	return sc.th.Box(b)
}

// prose wraps a sentence in the panel's muted style.
func (ct *content) prose(content string, width int) []string {
	var lines []string
	for _, l := range theme.Wrap(text.Line(content), max(width, 8)) {
		lines = append(lines, ct.th.Muted.Render(l))
	}
	return lines
}

// cautions draws what is missing and weak, and that nothing is missing.
func (ct *content) cautions(c *report.Conclusion, width int) []string {
	th := ct.th
	var lines []string
	if len(c.Missing) == 0 {
		lines = append(ct.prose(c.Presence+".", width), "")
	}
	cautions := c.Cautions()
	if c.Review != nil {
		cautions = slices.Concat(c.Review.Notes, cautions)
	}
	for _, t := range cautions {
		lines = append(lines, wrapped(th.Warning.Render, th.Symbols.Warning+" "+text.Line(t), width)...)
	}
	return append(lines, "")
}

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
		votes := fmt.Sprintf("%-7s %s %-7s", said(v.Before), ct.th.Symbols.Right, said(v.After))
		if v.OtherModel {
			votes += " other model"
		}
		lines = append(lines, ct.row(fmt.Sprintf("%d %s", n, text.Line(seat.Name)), votes, width))
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
			return th.Symbols.Done + text.Line(m.Options[o])
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
			mark = ct.th.Symbols.Done + " "
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
