package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/tui/form"
)

// frame is how long events are gathered before the model sees them.
const frame = 40 * time.Millisecond

// liveRun is a run whose channel is not closed yet.
type liveRun struct {
	session string
	run     control.Run
	drafts  []form.Draft // to be saved once it is closed and left
}

// eventsMsg carries what happened in one run since the last one, in order.
type eventsMsg struct {
	from   *liveRun
	events []debate.Event
	closed bool
}

// gather waits for the next event of a run and then collects for one frame. One gather is in
// flight per run, which keeps the events in order; also of a run that the user has left, so that
// it never blocks on its channel.
func gather(l *liveRun) tea.Cmd {
	return func() tea.Msg {
		ch := l.run.Events()
		ev, ok := <-ch
		if !ok {
			return eventsMsg{from: l, closed: true}
		}
		b := batch{texts: map[agents.ID]int{}}
		b.add(ev)
		timer := time.NewTimer(frame)
		defer timer.Stop()
		for {
			select {
			case ev, ok := <-ch:
				if !ok {
					return eventsMsg{from: l, events: b.events, closed: true}
				}
				b.add(ev)
			case <-timer.C:
				return eventsMsg{from: l, events: b.events}
			}
		}
	}
}

// batch collects events and joins the text of each passage. A seat's text may
// move ahead of other seats' events, never of its own.
type batch struct {
	events []debate.Event
	texts  map[agents.ID]int // where text that can still grow is among them
}

func (b *batch) add(ev debate.Event) {
	t, isText := ev.(debate.Text)
	turn, ofTurn := debate.TurnOf(ev)
	switch at, grows := b.texts[turn.Agent]; {
	case isText && grows:
		whole := b.events[at].(debate.Text)
		piece := t.Text
		if t.Text = whole.Text; t == whole {
			t.Text += piece
			b.events[at] = t
			return
		}
		t.Text = piece
		ev = t
	case !isText && ofTurn:
		delete(b.texts, turn.Agent)
	case !isText:
		clear(b.texts)
	}
	if isText {
		b.texts[turn.Agent] = len(b.events)
	}
	b.events = append(b.events, ev)
}
