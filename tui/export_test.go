package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
)


// Layout describes where the panes of a debate stand, for tests: a line per
// pane with its seat, and the row of the chips.
func Layout(w, h, seats, focus, first int, zoom bool) (panes []string, chips int) {
	l := arrange(w, h, seats, sight{focus: focus, first: first, zoom: zoom})
	for _, s := range l.slots {
		panes = append(panes, fmt.Sprintf("%d: %dx%d at %d,%d", s.seat+1, s.w, s.h, s.x, s.y))
	}
	return panes, l.chips
}

// Slots returns the same in numbers: seat, x, y, width and height of each pane.
func Slots(w, h, seats, focus, first int, zoom bool) [][5]int {
	var out [][5]int
	for _, s := range arrange(w, h, seats, sight{focus: focus, first: first, zoom: zoom}).slots {
		out = append(out, [5]int{s.seat, s.x, s.y, s.w, s.h})
	}
	return out
}

// Gathered is the message of events that came in one frame of the run under way.
func (m *Model) Gathered(events ...debate.Event) tea.Msg {
	var b batch
	for _, ev := range events {
		b.add(ev)
	}
	return eventsMsg{from: m.board.live, events: b.all()}
}

// Joined is what becomes of events that come in one frame.
func Joined(events ...debate.Event) []debate.Event {
	var b batch
	for _, ev := range events {
		b.add(ev)
	}
	return b.all()
}
