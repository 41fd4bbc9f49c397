package theme

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Part is a piece of a line that may have too little room.
type Part struct {
	Text  string // plain, safe, without line breaks
	Style lipgloss.Style

	// Cut is the order in which parts are shortened: first 1, then 2 and so on, last 0.
	Cut int
	// Whole parts are dropped without a mark instead of being shortened, as hints of
	// keys are, which help lists too.
	Whole bool
}

// Length returns how many cells parts take.
func Length(parts []Part) int {
	n := 0
	for _, p := range parts {
		n += Width(p.Text)
	}
	return n
}

// HiddenNote says how many items are hidden above and below; it is "" if none are.
func (t *Theme) HiddenNote(above, below int) string {
	var words []string
	if above > 0 {
		words = append(words, fmt.Sprintf("%d above", above))
	}
	if below > 0 {
		words = append(words, fmt.Sprintf("%d below", below))
	}
	return strings.Join(words, " "+t.Symbols.Sep+" ")
}

// Row draws a line of exactly the given width, with parts at both ends and at least
// one blank between them. Parts that do not fit are shortened in their order, each
// with a mark.
func (t *Theme) Row(left, right []Part, width int) string {
	return row{left: left, right: right, fill: " ", edge: t.blank}.draw(t, width)
}

type row struct {
	before, after     string // drawn in the style of the edge, like the filling
	padLeft, padRight string // between parts and filling
	fill              string
	edge              lipgloss.Style
	left, right       []Part
}

func (r row) draw(t *Theme, width int) string {
	if width <= 0 {
		return ""
	}
	fixed := Width(r.before) + Width(r.padLeft) + Width(r.padRight) + Width(r.after)
	parts := slices.Concat(r.left, r.right)
	used := shorten(parts, len(r.left), width-fixed-1, t.Symbols.Cut)
	left, right := parts[:len(r.left)], parts[len(r.left):]

	var b strings.Builder
	writeStyled(&b, r.edge, r.before)
	writeParts(&b, left)
	writeStyled(&b, r.edge, r.padLeft+strings.Repeat(r.fill, max(width-fixed-used, 0))+r.padRight)
	writeParts(&b, right)
	writeStyled(&b, r.edge, r.after)
	if fixed+used > width { // not even the marks fit
		return t.Fit(b.String(), width)
	}
	return b.String()
}

func writeParts(b *strings.Builder, parts []Part) {
	for _, p := range parts {
		writeStyled(b, p.Style, p.Text)
	}
}

// writeStyled writes nothing for no text, which takes as long to render as any other.
func writeStyled(b *strings.Builder, style lipgloss.Style, text string) {
	if text != "" {
		b.WriteString(style.Render(text))
	}
}

// shorten cuts parts, which it modifies, until they fit into room cells or nothing is
// left to cut. It returns how many cells they take. The first n parts are at the
// left end of the line, the others at the right.
func shorten(parts []Part, n, room int, mark string) int {
	used := Length(parts)
	onlyMark := make([]bool, len(parts)) // nothing is left but the mark
	for _, i := range cutOrder(parts) {
		if used <= room {
			break
		}
		p, before := &parts[i], Width(parts[i].Text)
		if p.Whole {
			p.Text = ""
			used -= before
			continue
		}
		// One mark is enough for neighbours that are both cut.
		if next := i + 1; next < len(parts) && next != n && onlyMark[next] {
			parts[next].Text = ""
			used -= Width(mark)
		}
		keep := max(before-max(used-room, 0), 1)
		onlyMark[i] = keep == 1
		p.Text = ansi.Truncate(p.Text, keep-1, "") + mark
		used += Width(p.Text) - before
	}
	return used
}

// cutOrder returns the indices of the parts in the order in which they are cut; of
// equal parts the last one is cut first.
func cutOrder(parts []Part) []int {
	order := make([]int, 0, len(parts))
	for i := range parts {
		if parts[i].Text != "" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch ca, cb := parts[a].Cut, parts[b].Cut; {
		case ca == cb:
			return b - a
		case ca == 0:
			return 1
		case cb == 0:
			return -1
		default:
			return ca - cb
		}
	})
	return order
}

// Column is one cell of a table row.
type Column struct {
	Text  string // plain and safe, one line
	Width int    // in terminal cells
	Style lipgloss.Style
	Right bool // aligned to the right
}

// Columns draws columns side by side, each cut or padded to its width.
func (t *Theme) Columns(columns ...Column) string {
	var b strings.Builder
	for _, c := range columns {
		text := t.Truncate(c.Text, c.Width)
		pad := strings.Repeat(" ", max(c.Width-ansi.StringWidth(text), 0))
		if c.Right {
			text, pad = pad+text, ""
		}
		b.WriteString(c.Style.Render(text + pad))
	}
	return b.String()
}

// Truncate cuts plain text to at most width cells; the symbol Cut marks the cut.
func (t *Theme) Truncate(text string, width int) string {
	return ansi.Truncate(text, max(width, 0), t.Symbols.Cut)
}

// Wrap breaks plain text into lines of at most width cells.
func Wrap(text string, width int) []string {
	width = max(width, 1)
	var lines []string
	for l := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
		if Width(l) <= width {
			lines = append(lines, l)
			continue
		}
		for part := range strings.SplitSeq(ansi.Hardwrap(l, width, true), "\n") { // ansi.Wrap does not count some hyphens
			lines = append(lines, strings.TrimRight(part, " "))
		}
	}
	return lines
}

// Box is a frame with a title and a state in the top line, hints and totals in the
// bottom line, and lines of content in between.
type Box struct {
	Width, Height int // outer size in cells, which the drawing has exactly

	Title, State []Part
	Hint, Total  []Part

	// Focused puts the focus symbol before the title and draws the border in Accent.
	Focused bool
	Accent  lipgloss.Style

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
	rows = append(rows, t.top(b, edge))
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
	return append(rows, t.bottom(b, edge))
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

// Fit returns a styled line of exactly the given width, padded with blanks or cut with a mark.
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

// Width returns the number of cells of a styled line. It equals [ansi.StringWidth] but
// is faster for ASCII, borders, symbols and colours, which make up most of a screen
// that is measured in every frame.
func Width(line string) int {
	n := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case ' ' <= r && r < 0x7f, r == '·', '‐' <= r && r <= '…', '─' <= r && r <= '▟':
			n++
		case r == '\x1b' && styleSequence(line[i:]) > 0:
			size = styleSequence(line[i:])
		default:
			return ansi.StringWidth(line)
		}
		i += size
	}
	return n
}

// styleSequence returns the length in bytes of the SGR escape sequence that begins s, or 0.
func styleSequence(s string) int {
	end := strings.IndexByte(s, 'm')
	if end < 0 || s[1] != '[' || strings.Trim(s[2:end], "0123456789;:") != "" {
		return 0
	}
	return end + 1
}
