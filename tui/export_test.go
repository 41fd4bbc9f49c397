package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
)

// Gathered is the message of events that came in one frame of the run under way.
func (m *Model) Gathered(events ...debate.Event) tea.Msg {
	var b batch
	for _, ev := range events {
		b.add(ev)
	}
	return eventsMsg{from: m.stack.open.run, events: b.all()}
}

// Joined is what becomes of events that come in one frame.
func Joined(events ...debate.Event) []debate.Event {
	var b batch
	for _, ev := range events {
		b.add(ev)
	}
	return b.all()
}
