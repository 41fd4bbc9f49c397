package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Box is a frame with a title and a state in the top line, hints and totals in the
// bottom line, and lines of content in between.
type Box struct {
	Width, Height int // outer size in cells, which the drawing has exactly

	Title, State []Part
	Hint, Total  []Part

	// Focused puts the focus symbol before the title and draws the border in Accent.
	Focused bool
	Accent  lipgloss.Style

	// Top and Bottom are rows from an earlier drawing, to be used again; if they are
	// "", the rows are drawn.
	Top, Bottom string

	// Lines are styled lines of at most [Box.Inner] cells, shown from the first one.
	// Missing lines are blank; lines beyond the height are dropped, so callers have to
	// say what is hidden.
	Lines []string
}

// Inner returns the width and height available to the content.
func (b Box) Inner() (width, height int) {
	return max(b.Width-4, 0), max(b.Height-2, 0)
}

// Box draws a box and returns its rows.
func (t *Theme) Box(b Box) []string {
	if b.Width <= 0 || b.Height <= 0 {
		return nil
	}
	edge := t.Line
	if b.Focused {
		edge = b.Accent
	}
	rows := make([]string, 0, b.Height)
	if b.Top == "" {
		b.Top = t.top(b, edge)
	}
	rows = append(rows, b.Top)
	side, blank := edge.Render(t.Border.Vertical), strings.Repeat(" ", max(b.Width-2, 0))
	width, height := b.Inner()
	for i := range height {
		switch {
		case b.Width < 2:
			rows = append(rows, side)
		case i < len(b.Lines) && width > 0:
			rows = append(rows, side+" "+t.Fit(b.Lines[i], width)+" "+side)
		default:
			rows = append(rows, side+blank+side)
		}
	}
	if b.Height == 1 {
		return rows
	}
	if b.Bottom == "" {
		b.Bottom = t.bottom(b, edge)
	}
	return append(rows, b.Bottom)
}

// top draws the line with title and state:
//
//	╭▸title ──────────── state ╮
func (t *Theme) top(b Box, edge lipgloss.Style) string {
	lead := t.Border.Horizontal
	switch {
	case b.Focused:
		lead = t.Symbols.Focus
	case len(b.Title) > 0:
		lead = " "
	}
	row := row{left: b.Title, right: b.State, fill: t.Border.Horizontal, edge: edge}
	row.before, row.after = t.Border.TopLeft+lead, t.Border.TopRight
	if len(b.Title) > 0 {
		row.padLeft = " "
	}
	if len(b.State) > 0 {
		row.padRight, row.after = " ", " "+t.Border.TopRight
	}
	return row.draw(t, b.Width)
}

// bottom draws the line with hints and totals:
//
//	╰─ hint ──────────── total ─╯
func (t *Theme) bottom(b Box, edge lipgloss.Style) string {
	h := t.Border.Horizontal
	row := row{left: b.Hint, right: b.Total, fill: h, edge: edge}
	row.before, row.after = t.Border.BottomLeft+h, h+t.Border.BottomRight
	if len(b.Hint) > 0 {
		row.before, row.padLeft = row.before+" ", " "
	}
	if len(b.Total) > 0 {
		row.padRight, row.after = " ", " "+row.after
	}
	return row.draw(t, b.Width)
}

// Fit returns a styled line of exactly the given width, padded with blanks or cut with
// a mark.
func (t *Theme) Fit(line string, width int) string {
	n := Width(line)
	if n > width {
		line = ansi.Truncate(line, width, t.Symbols.Cut)
		n = Width(line)
	}
	switch {
	case n >= width:
		return line
	case t.plain:
		return line + strings.Repeat(" ", width-n)
	}
	return line + t.blank.Render(strings.Repeat(" ", width-n))
}
