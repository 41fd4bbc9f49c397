package verdictview

import (
	"fmt"
	"slices"
	"strings"

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

// results are the panels of ballots.
func (ct *content) results(width int) []panel {
	var out []panel
	counted := ct.counted()
	if counted == nil {
		return nil
	}
	if k := counted.Ranking; k != nil {
		out = append(out, panel{"Ranking", fmt.Sprintf("Ranking, round %d", k.Round), "points, first places", ct.ranking(k, width)})
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
