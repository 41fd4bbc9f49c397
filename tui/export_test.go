package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/screen"
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

// Keys returns the keys of the screen that is shown, without those that only move.
func (m *Model) Keys() []string {
	var all []string
	for _, c := range m.commands.list() {
		if c.Group != screen.Moving || m.commands.reason(c) != "" {
			all = append(all, c.Keys()...)
		}
	}
	return all
}

// Refuses reports whether the command of a key cannot run now.
func (m *Model) Refuses(key string) bool {
	c, ok := m.commands.of(key)
	return ok && m.commands.reason(c) != ""
}

// Awaits reports whether a question is asked, the form is open or text is typed.
func (m *Model) Awaits() bool {
	return m.question != nil || m.palette != nil || m.stack.typing() || m.stack.onForm()
}
