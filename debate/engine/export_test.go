package engine

import (
	"context"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// Journal lets tests write to a journal as the engine does.
type Journal struct{ j *journal }

// JournalSize is from how many bytes on a journal does not wait.
const JournalSize = journalSize

func NewJournal(write func(context.Context, []debate.PartialText) error) Journal {
	return Journal{newJournal(write)}
}

func (j Journal) Start(ctx context.Context) (stop func() error) { return j.j.start(ctx) }
func (j Journal) Add(p debate.PartialText) error                { return j.j.add(p) }
func (j Journal) Flush(ctx context.Context) error               { return j.j.flush(ctx) }
func (j Journal) Drop(t agents.Turn)                            { j.j.drop(t) }

// Kit returns the executor that a round of the session has, as the engine sets it
// up, and what takes the events off that its calls have announced.
func (e *Engine) Kit(s debate.Session) (kit *tools.Executor, announced func() []debate.Event, err error) {
	r := &Run{events: make(chan debate.Event, 1<<12), cancel: func(error) {}, wake: make(chan struct{}, 1)}
	p := &runner{
		Options: e.options, kept: &sessionTools{}, run: r, session: s, noting: newLock(),
		approvals: approvals{waiting: map[string]waitingCommand{}},
	}
	kit, err = p.toolkit(nil, prompt.Snapshot{Round: 1, Rounds: 2}, debate.Step{})
	return kit, func() []debate.Event {
		close(r.events)
		var all []debate.Event
		for ev := range r.events {
			all = append(all, ev)
		}
		return all
	}, err
}
