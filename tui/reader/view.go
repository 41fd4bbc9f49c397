package reader

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func (r *Reader) head(f screen.Frame) []string {
	if r.Head == nil || r.h < 10 {
		return nil
	}
	return r.Head(r.th, r.w, f)
}

// headRows returns how many rows are above the list, with the heads of its columns.
func (r *Reader) headRows() int { return len(r.head(screen.Frame{})) + 1 }

func (r *Reader) listHeight() int {
	room := r.h - r.headRows()
	if len(r.shown) == 0 {
		return max(room, 0)
	}
	return min(len(r.shown), max(room/2, 1))
}

// boxHeight returns how many rows the text has with its box: all below the list, or below the head.
func (r *Reader) boxHeight() int {
	if r.whole {
		return r.h - len(r.head(screen.Frame{}))
	}
	return max(r.h-r.headRows()-r.listHeight(), 0)
}

func (r *Reader) textRows() int {
	if h := r.boxHeight(); h >= 3 {
		return h - 2
	}
	return max(r.boxHeight(), 1)
}

// View draws the list and the text.
func (r *Reader) View(f screen.Frame) string {
	r.refresh()
	rows := r.head(f)
	if !r.whole {
		listed, hidden := r.drawList(f)
		rows = append(append(rows, r.columnHeads(f, hidden)), listed...)
	}
	rows = append(rows, r.drawText(r.boxHeight())...)
	out := make([]string, r.h)
	copy(out, rows)
	return strings.Join(text.Each(out, func(row string) string { return r.th.Fit(row, r.w) }), "\n")
}

func (r *Reader) drawList(f screen.Frame) (rows []string, hidden string) {
	h := r.listHeight()
	if len(r.shown) == 0 {
		for _, l := range theme.Wrap(r.None, max(r.w-2, 1)) {
			rows = append(rows, r.th.Muted.Render(" "+l))
		}
	}
	from, to := r.list.Range(r.list.At, r.list.At, len(r.shown), h)
	widths := r.widths(f)
	for i := from; i < to; i++ {
		th, mark := r.th.ForRow(i == r.list.At)
		columns := []theme.Column{{Text: mark, Width: 2, Style: th.Accent}}
		for n, c := range r.shown[i].Cells(th, f) {
			columns = append(columns, r.column(n, widths[n], c))
		}
		rows = append(rows, th.Columns(columns...))
	}
	for len(rows) < h {
		rows = append(rows, "")
	}
	return rows, r.th.HiddenNote(from, len(r.shown)-to)
}

// column returns a cell in its place, with a blank behind it.
func (r *Reader) column(n, width int, c Cell) theme.Column {
	content := c.Text
	if width > 0 {
		if over := theme.Width(content) - width + 1; over > 0 && r.Columns[n].Left {
			content = ansi.TruncateLeft(content, over+1, r.th.Symbols.Cut)
		}
		content = r.th.Truncate(content, width-1)
		if r.Columns[n].Right {
			content += " "
		}
	}
	return theme.Column{Text: content, Width: width, Style: c.Style, Right: r.Columns[n].Right}
}

func (r *Reader) columnHeads(f screen.Frame, hidden string) string {
	columns := []theme.Column{{Width: 2, Style: r.th.Faint}}
	for n, width := range r.widths(f) {
		columns = append(columns, r.column(n, width, Cell{r.Columns[n].Title, r.th.Faint}))
	}
	if hidden == "" {
		return r.th.Columns(columns...)
	}
	note := r.th.Muted.Render(" " + hidden + " ")
	return r.th.Fit(r.th.Columns(columns...), r.w-theme.Width(note)) + note
}

// widths returns the widths of the columns; 0 is a column without room. Those without a width of
// their own share what the others leave.
func (r *Reader) widths(f screen.Frame) []int {
	out, rest, sharing := make([]int, len(r.Columns)), r.w-2, 0
	for _, row := range r.shown[:min(len(r.shown), 200)] {
		for i, c := range row.Cells(r.th, f) {
			out[i] = max(out[i], theme.Width(c.Text)+1)
		}
	}
	for i, c := range r.Columns {
		switch {
		case r.w < c.From:
			out[i] = 0
		case c.Width == 0:
			sharing++
		default:
			out[i] = min(max(out[i], theme.Width(c.Title)+1), c.Width)
			rest -= out[i]
		}
	}
	for i, c := range r.Columns {
		if c.Width == 0 && r.w >= c.From {
			out[i] = max(rest/sharing, 0)
			rest, sharing = rest-out[i], sharing-1
		}
	}
	return out
}

// drawText draws the visible lines of the row under the cursor in a box of a height; in very
// little room without the box.
func (r *Reader) drawText(h int) []string {
	row, ok := r.Selected()
	if h < 1 || !ok {
		return nil
	}
	r.lay()
	rows := r.textRows()
	from, to := r.text.Range(len(r.lines), rows)
	drawn := r.draw(from, to)
	if h < 3 {
		return drawn
	}
	th := r.th
	b := theme.Box{Width: r.w, Height: h, Title: row.Title, State: row.State, Lines: drawn, Focused: r.whole, Accent: th.Accent}
	if hidden := th.HiddenNote(from, len(r.lines)-to); hidden != "" {
		b.Hint = []theme.Part{{Text: hidden, Style: th.Muted}}
	}
	return th.Box(b)
}

func (r *Reader) draw(from, to int) []string {
	styled := make([]string, to-from)
	for i, l := range r.lines[from:to] {
		th := r.th
		if l.Marked {
			th = th.Selected()
		}
		if styled[i] = l.Text; l.Drawn {
			continue
		}
		style := th.Text
		if l.Faint {
			style = th.Muted
		}
		content := l.Text
		if l.Marked {
			content += strings.Repeat(" ", max(r.w-4-theme.Width(l.Lead)-theme.Width(content), 0))
		}
		styled[i] = style.Render(content)
	}
	if r.words != "" {
		styled = r.query.Highlight(r.th, styled)
	}
	for i, l := range slices.All(r.lines[from:to]) {
		styled[i] = r.th.Faint.Render(l.Lead) + styled[i]
	}
	return styled
}

// Wrapped returns the lines of a text, each with the lead of the first one or as many blanks.
func Wrapped(lead, content string, width int) []Line {
	var lines []Line
	for _, l := range theme.Wrap(content, max(width-theme.Width(lead), 8)) {
		lines = append(lines, Line{Lead: lead, Text: l})
		lead = fmt.Sprintf("%*s", theme.Width(lead), "")
	}
	return lines
}
