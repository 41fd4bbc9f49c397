package theme

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Part is a piece of a line that may have too little room.
type Part struct {
	Text  string // plain, safe, without line breaks
	Style lipgloss.Style

	// Cut is the order in which parts are shortened: first 1, then 2 and so on, and
	// last 0.
	Cut int
	// Whole parts are dropped without a mark instead of being shortened, as hints of
	// keys are, which help lists too.
	Whole bool
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

// row is a line to be drawn: before, left, filling, right, after.
type row struct {
	before, after     string // drawn in the style of the edge, like the filling
	padLeft, padRight string // between parts and filling
	fill              string
	edge              lipgloss.Style
	left, right       []Part
}

// draw draws the line and fills it to the width.
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

// writeParts writes the parts, each in its style.
func writeParts(b *strings.Builder, parts []Part) {
	for _, p := range parts {
		writeStyled(b, p.Style, p.Text)
	}
}

// writeStyled writes a text in its style. It writes nothing for no text, which takes
// as long to render as any other.
func writeStyled(b *strings.Builder, style lipgloss.Style, text string) {
	if text != "" {
		b.WriteString(style.Render(text))
	}
}

// shorten cuts parts, which it modifies, until they fit into room cells or nothing is
// left to cut. It returns how many cells they take. The first n parts stand at the
// left end of the line, the others at the right.
func shorten(parts []Part, n, room int, mark string) int {
	used := 0
	for _, p := range parts {
		used += Width(p.Text)
	}
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
