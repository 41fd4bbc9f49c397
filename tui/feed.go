package tui

import (
	"strings"
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

// gather waits for the next event of a run and then collects for one frame. One
// gather is in flight per run, which keeps the events in order. A run that the
// user has left is gathered to its end too, so that it never blocks on its
// channel.
func gather(l *liveRun) tea.Cmd {
	return func() tea.Msg {
		ch := l.run.Events()
		ev, ok := <-ch
		if !ok {
			return eventsMsg{from: l, closed: true}
		}
		var b batch
		b.add(ev)
		timer := time.NewTimer(frame)
		defer timer.Stop()
		for {
			select {
			case ev, ok := <-ch:
				if !ok {
					return eventsMsg{from: l, events: b.all(), closed: true}
				}
				b.add(ev)
			case <-timer.C:
				return eventsMsg{from: l, events: b.all()}
			}
		}
	}
}

// batch collects events and joins the text of each passage. A seat's text may
// move ahead of other seats' events, never of its own.
type batch struct {
	events   []debate.Event
	texts    map[agents.ID]*passage // that can still grow
	passages []*passage
}

// passage is text that grows at one place in the batch.
type passage struct {
	at   int
	head debate.Text // without its text
	text strings.Builder
}

func (b *batch) add(ev debate.Event) {
	t, ok := ev.(debate.Text)
	if !ok {
		b.close(ev)
		b.events = append(b.events, ev)
		return
	}
	piece := t.Text
	t.Text = ""
	j := b.texts[t.Turn.Agent]
	if j == nil || j.head != t {
		j = &passage{at: len(b.events), head: t}
		b.events = append(b.events, t)
		b.passages = append(b.passages, j)
		if b.texts == nil {
			b.texts = map[agents.ID]*passage{}
		}
		b.texts[t.Turn.Agent] = j
	}
	j.text.WriteString(piece)
}

// close ends the passages that ev must not be overtaken by.
func (b *batch) close(ev debate.Event) {
	if turn, ok := debate.TurnOf(ev); ok {
		delete(b.texts, turn.Agent)
		return
	}
	clear(b.texts)
}

// all returns the events with their joined texts.
func (b *batch) all() []debate.Event {
	for _, j := range b.passages {
		t := j.head
		t.Text = j.text.String()
		b.events[j.at] = t
	}
	return b.events
}
