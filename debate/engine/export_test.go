package engine

import (
	"context"

	"roundtable/agents"
	"roundtable/debate"
)

// Journal lets tests write to a journal as the engine does.
type Journal struct{ j *journal }

// JournalSize is from how many bytes on a journal does not wait.
const JournalSize = journalSize

func NewJournal(write func(context.Context, []debate.Text) error) Journal {
	return Journal{newJournal(write)}
}

func (j Journal) Start(ctx context.Context) (stop func() error) { return j.j.start(ctx) }
func (j Journal) Add(p debate.Text) error                       { return j.j.add(p) }
func (j Journal) Flush(ctx context.Context) error               { return j.j.flush(ctx) }
func (j Journal) Drop(t agents.Turn)                            { j.j.drop(t) }
