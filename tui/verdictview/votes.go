package verdictview

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// panels are what stands beside or below the report: the votes, or the ranking, and the cautions.
func (ct *content) panels(width int) []panel {
	c := ct.verdict
	if c == nil {
		return nil
	}
	ps := []panel{{cmp.Or(c.Table.Title, "Votes"), ct.table(c, width)}}
	if c.Review != nil {
		ps[0].title = "Findings"
	}
	var lines []string
	for i, caution := range c.Cautions {
		if what, _, _ := strings.Cut(caution, ":"); c.Counted.Cautions[i].ID == "open_question" ||
			strings.HasSuffix(what, " vote") && strings.Contains(c.Line.String(), "("+what+":") {
			continue // the question itself says it, or the line and the votes do
		}
		lines = append(lines, wrapped(ct.th.Warning.Render, ct.th.Symbols.Warning+" "+caution, width)...)
	}
	if lines = append(lines, ct.open(width)...); len(lines) > 0 {
		ps = append(ps, panel{report.CautionsTitle, lines})
	}
	return ps
}

// open draws the questions that have no answer after the verdict.
func (ct *content) open(width int) []string {
	var lines []string
	for _, r := range ct.session.OpenRequests() {
		words := fmt.Sprintf("%s %s open: %s", ct.th.Symbols.Warning, r.ID, text.Line(r.Query))
		lines = append(lines, wrapped(ct.th.Warning.Render, words, width)...)
	}
	if len(lines) > 0 {
		lines = append(lines, ct.th.Muted.Render("  "+ct.keys.Of("answer")+" answers"))
	}
	return lines
}

// figures draws the panels in a column of exactly h rows.
func (sc *Screen) figures(w, h int) []string {
	var rows []string
	ps := sc.panels(max(w-4, 8))
	for i, p := range ps {
		n := len(p.lines) + 2
		if i == len(ps)-1 {
			n = max(n, h-len(rows))
		}
		rows = append(rows, sc.th.Box(theme.Box{
			Width: w, Height: n, Lines: p.lines, Title: []theme.Part{{Text: p.title, Style: sc.th.Text}},
		})...)
	}
	for len(rows) < h {
		rows = append(rows, strings.Repeat(" ", w))
	}
	return rows
}

// prose wraps a sentence in the muted style.
func (ct *content) prose(content string, width int) []string {
	return wrapped(ct.th.Muted.Render, text.Line(content), max(width, 8))
}

// table draws the votes, a row for each seat, with what they come to below.
func (ct *content) table(c *report.Conclusion, width int) []string {
	th := ct.th
	var lines []string
	for _, p := range c.Counted.Result.Places {
		left := []theme.Part{{Text: fmt.Sprintf("%d. %s", p.Place, text.Line(ct.session.NameOf(p.Seat))), Style: th.Text, Cut: 1}}
		points := fmt.Sprintf("  %s, %d first", text.Count(p.Points, "point"), p.Firsts)
		lines = append(lines, th.Row(left, []theme.Part{{Text: points, Style: th.Muted}}, width))
	}
	if ct.session.Mode.Critiques() {
		lines = ct.concerns(width)
	}
	t := c.Votes.Within(width)
	widths := make([]int, len(t.Rounds)+1)
	for _, row := range t.Rows {
		widths[0] = max(widths[0], ansi.StringWidth(row.Name))
		for i, cell := range row.Cells {
			widths[i+1] = max(widths[i+1], ansi.StringWidth(cell.Text), 2)
		}
	}
	if len(t.Rows) > 0 {
		head := strings.Repeat(" ", widths[0]+2)
		for i, n := range t.Rounds {
			head += fmt.Sprintf("%-*s", widths[i+1]+2, fmt.Sprintf("R%d", n))
		}
		lines = append(lines, th.Faint.Render(ansi.Truncate(strings.TrimRight(head, " "), width, "")))
	}
	for _, row := range t.Rows {
		lines = append(lines, ct.voteRow(c, row, widths, width)...)
	}
	t.Now = "" // the line says it
	rows := append(t.Key, t.Results()...)
	if c.Pick != nil {
		rows = append(rows, c.Pick.Heading)
	}
	for _, line := range rows {
		lines = append(lines, wrapped(th.Muted.Render, line, width)...)
	}
	if b := ct.session.Budget; b.Capped() {
		lines = append(lines, wrapped(th.Muted.Render, "Budget: "+b.String(), width)...)
	}
	return lines
}

func (ct *content) concerns(width int) []string {
	th := ct.th
	var lines []string
	for _, c := range ct.session.Concerns() {
		_, number := ct.session.Seat(c.By)
		style := th.Success
		if c.Does != debate.Accepts {
			style = th.Warning
		}
		by := text.Line(ct.session.NameOf(c.By))
		left := []theme.Part{{Text: c.ID + " ", Style: th.Muted}, {Text: by, Style: th.Seat(number), Cut: 1}}
		lines = append(lines, th.Row(left, []theme.Part{{Text: "  " + c.Does.Word(), Style: style}}, width))
		lines = append(lines, wrapped(th.Text.Render, "   "+text.Line(c.Title), width)...)
		if c.Reason != "" {
			lines = append(lines, wrapped(th.Muted.Render, "   "+text.Line(c.Reason), width)...)
		}
	}
	return lines
}

// voteRow draws the votes of a seat. What changed them stands in a row of its own where it has
// no room.
func (ct *content) voteRow(c *report.Conclusion, row report.VoteRow, widths []int, width int) []string {
	_, number := ct.session.Seat(row.Seat)
	pad := func(words string, n int) string {
		return words + strings.Repeat(" ", max(n-ansi.StringWidth(words), 0))
	}
	line, used := ct.th.Seat(number).Render(pad(row.Name, widths[0]+2)), widths[0]+2
	for i, cell := range row.Cells {
		line += screen.SideStyle(ct.th, cell.Side, c.Counted.Result).Render(pad(cell.Text, widths[i+1]+2))
		used += widths[i+1] + 2
	}
	by := "by " + row.By
	if row.By == "?" {
		by = row.By
	}
	switch {
	case row.By == "":
		return []string{ansi.Truncate(line, width, ct.th.Symbols.Cut)}
	case used+ansi.StringWidth(by) <= width:
		return []string{line + ct.th.Muted.Render(by)}
	}
	return append([]string{ansi.Truncate(line, width, ct.th.Symbols.Cut)}, wrapped(ct.th.Muted.Render, "  "+by, width)...)
}

func (sc *Screen) positions(width int) []string {
	th := sc.th
	var lines []string
	for i, side := range sc.verdict.Positions {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, wrapped(th.Accent.Render, side.Side, width)...)
		for _, p := range side.All {
			who := p.Name
			if p.Role != "" {
				who += ", " + text.Line(p.Role)
			}
			if p.Confidence != nil {
				who += ", " + text.Percent(*p.Confidence)
			}
			words := text.Line(p.Text)
			if words == "" {
				words = "no position stated"
			}
			lines = append(lines, wrapped(th.Text.Bold(true).Render, who, width)...)
			lines = append(lines, wrapped(th.Text.Render, words, width)...)
		}
	}
	return lines
}
