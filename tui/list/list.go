// Package list keeps the cursor of a list and shows the part of it that fits its place on
// the screen, scrolled so that the selected lines are visible.
//
// It imports theme. It must not know what the entries are, nor which key moves.
package list

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// List is a list of which one entry is selected. Its zero value selects the first one.
type List struct {
	At int // the selected entry
	Viewport
}

// Move moves the selection by n of so many entries, and with 0 only keeps it among them.
func (l *List) Move(n, entries int) { l.At = max(0, min(l.At+n, entries-1)) }

// Reset selects the first entry of another list and shows its beginning.
func (l *List) Reset() { *l = List{} }

// Viewport remembers how far a list is scrolled. Its zero value shows the beginning.
type Viewport struct {
	first int                    // the first visible line
	above int                    // rows above it that only count the hidden lines: 0 or 1
	Count func(from, to int) int // how many entries begin in lines; nil: each line is one
}

// Range returns which of so many lines a view of that height shows: it scrolls as little as
// possible to show the lines from top to bottom.
func (v *Viewport) Range(top, bottom, lines, height int) (from, to int) {
	v.first = max(0, min(max(v.first, bottom-height+1), top, lines-height))
	return v.first, min(v.first+max(height, 0), lines)
}

// Row returns the row of a visible line in the last drawing.
func (v Viewport) Row(line int) int { return line - v.first + v.above }

// Line returns the line in a row of the last drawing.
func (v Viewport) Line(row int) int { return row + v.first - v.above }

// maxPasses bounds how often View places the lines: once they have moved, the count
// of hidden lines may no longer need a row of its own. It is even, so that two
// places that lead to each other do not alternate from frame to frame.
const maxPasses = 4

// View draws exactly height rows of exactly width cells. It scrolls as little as
// possible to show the lines from top to bottom, and only their beginning if they
// do not all fit. The number of lines hidden above and below is shown at the end
// of the first and the last row, or in a row of its own where it would cover text.
func (v *Viewport) View(th *theme.Theme, lines []string, top, bottom, width, height int) string {
	var p part
	for range maxPasses {
		first, above := v.first, v.above
		p = v.partAround(lines, top, bottom, width, height)
		v.first, v.above = p.first, p.rowsAbove
		if v.first == first && v.above == above {
			break
		}
	}
	shown := p.lines
	if p.rowsAbove > 0 {
		shown = slices.Insert(shown, 0, "")
	}
	if p.rowsBelow > 0 {
		shown = append(shown, "")
	}
	for i := range height {
		switch {
		case i >= len(shown):
			shown = append(shown, th.Fit("", width))
		case i == 0 && p.above != "" && height > 2:
			shown[i] = withNote(th, shown[i], p.above, width)
		case i == height-1 && p.below != "" && height > 2:
			shown[i] = withNote(th, shown[i], p.below, width)
		default:
			shown[i] = th.Fit(shown[i], width)
		}
	}
	return strings.Join(shown, "\n")
}

// part is the visible part of a list and the notes that count what is hidden.
type part struct {
	first                int // its first line
	lines                []string
	above, below         string // notes, "" if nothing is hidden there
	rowsAbove, rowsBelow int    // 1 if the note needs a row of its own
}

// partAround returns the part that shows the lines from top to bottom, as near to
// the first line of the last drawing as possible.
func (v *Viewport) partAround(lines []string, top, bottom, width, height int) (p part) {
	for {
		room := height - p.rowsAbove - p.rowsBelow
		p.first = max(0, min(v.first, max(top, 0), len(lines)-room), bottom-room+1)
		if p.first > top && top >= 0 { // not all of them fit
			p.first = top
		}
		p.lines = slices.Clone(lines[p.first:min(len(lines), p.first+room)])
		p.above, p.below = v.hiddenNote(0, p.first, "above"), v.hiddenNote(p.first+len(p.lines), len(lines), "below")
		switch {
		case height > 3 && p.above != "" && p.rowsAbove == 0 && covers(p.lines[0], p.above, width):
			p.rowsAbove = 1
		case height > 3 && p.below != "" && p.rowsBelow == 0 && covers(p.lines[len(p.lines)-1], p.below, width):
			p.rowsBelow = 1
		default:
			return p
		}
	}
}

// hiddenNote says how many entries are hidden in lines; it is "" if none are.
func (v *Viewport) hiddenNote(from, to int, where string) string {
	n := to - from
	if v.Count != nil {
		n = v.Count(from, to)
	}
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" %d %s ", n, where)
}

// covers reports whether a note at the end of a line would hide some of its text.
func covers(line, note string, width int) bool {
	return ansi.StringWidth(strings.TrimRight(ansi.Strip(line), " ")) > width-len(note)
}

// withNote puts a note at the end of a line. If that covers text, it is marked as cut.
func withNote(th *theme.Theme, line, note string, width int) string {
	room, mark := max(width-len(note), 0), ""
	if covers(line, note, width) {
		mark = th.Symbols.Cut
	}
	return th.Fit(th.Fit(ansi.Truncate(line, room, mark), room)+th.Muted.Render(note), width)
}
