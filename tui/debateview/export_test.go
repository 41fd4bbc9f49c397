package debateview

import "fmt"

// Layout describes where the panes of a debate stand, for tests: a line per
// pane with its seat, and the row of the chips.
func Layout(w, h, seats, focus, first int, zoom bool) (panes []string, chips int) {
	l := arrange(w, h, seats, viewport{focus: focus, first: first, zoom: zoom})
	for _, s := range l.slots {
		panes = append(panes, fmt.Sprintf("%d: %dx%d at %d,%d", s.seat+1, s.w, s.h, s.x, s.y))
	}
	return panes, l.chips
}

// Slots returns the same in numbers: seat, x, y, width and height of each pane.
func Slots(w, h, seats, focus, first int, zoom bool) [][5]int {
	var out [][5]int
	for _, s := range arrange(w, h, seats, viewport{focus: focus, first: first, zoom: zoom}).slots {
		out = append(out, [5]int{s.seat, s.x, s.y, s.w, s.h})
	}
	return out
}
