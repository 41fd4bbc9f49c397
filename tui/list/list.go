// Package list keeps the cursor of a list and shows the part of it that fits its place on
// the screen, scrolled so that the selected lines are visible.
//
// It imports theme. It must not know what the entries are, nor which key moves.
package list

import (
	"strings"

	"roundtable/internal/text"
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
	shown int                    // how many lines are visible
	Count func(from, to int) int // how many entries begin in lines; nil: each line is one
}

// Range returns which of so many lines a view of that height shows: it scrolls as little as
// possible to show the lines from top to bottom.
func (v *Viewport) Range(top, bottom, lines, height int) (from, to int) {
	v.first = max(0, min(max(v.first, bottom-height+1), max(top, 0), lines-height))
	v.shown = max(0, min(height, lines-v.first))
	return v.first, v.first + v.shown
}

// Row returns the row of a visible line in the last drawing.
func (v Viewport) Row(line int) int { return line - v.first }

// Line returns the line in a row of the last drawing; -1 for a row without one.
func (v Viewport) Line(row int) int {
	if row >= v.shown {
		return -1
	}
	return row + v.first
}

// View draws exactly height rows of exactly width cells. It scrolls as little as
// possible to show the lines from top to bottom, and only their beginning if they
// do not all fit. The last row of a list that is longer says how many entries are hidden.
func (v *Viewport) View(th *theme.Theme, lines []string, top, bottom, width, height int) string {
	room := height
	if len(lines) > height && height > 1 {
		room--
	}
	from, to := v.Range(top, bottom, len(lines), room)
	rows := make([]string, max(height, 0))
	copy(rows, lines[from:to])
	if room < height {
		note := th.HiddenNote(v.count(0, from), v.count(to, len(lines)))
		rows[room] = th.Row(nil, []theme.Part{{Text: note + " ", Style: th.Muted}}, width)
	}
	return strings.Join(text.Each(rows, func(row string) string { return th.Fit(row, width) }), "\n")
}

func (v *Viewport) count(from, to int) int {
	if v.Count != nil {
		return v.Count(from, to)
	}
	return to - from
}
