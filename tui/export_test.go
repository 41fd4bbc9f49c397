package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/screen"
)

// Gathered is the message of events that came in one frame of the run under way.
func Gathered(m *Model, events ...debate.Event) tea.Msg {
	return eventsMsg{from: m.stack.open.run, events: Joined(events...)}
}

// GatheredOf is Gathered of a session that is open, shown or not.
func GatheredOf(m *Model, id string, events ...debate.Event) tea.Msg {
	return eventsMsg{from: m.sessions.session(id).run, events: Joined(events...)}
}

// Joined is what becomes of events that come in one frame.
func Joined(events ...debate.Event) []debate.Event {
	b := batch{texts: map[agents.ID]int{}}
	for _, ev := range events {
		b.add(ev)
	}
	return b.events
}

// Keys returns the keys of the screen that is shown, without those that only move.
func Keys(m *Model) []string {
	var all []string
	for _, c := range m.commands.list() {
		if c.Group != screen.Moving || m.commands.reason(c) != "" {
			all = append(all, c.Keys()...)
		}
	}
	return all
}
