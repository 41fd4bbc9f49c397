package engine_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/internal/crash"
	"roundtable/store"
)

// panickingJournal is a store whose journal panics; that is written by a goroutine of its own.
type panickingJournal struct {
	*store.Store
	asked chan struct{} // closed when something is to be written; nil: the journal is whole
}

func (b panickingJournal) Journal(ctx context.Context, parts []debate.PartialText) error {
	if b.asked != nil {
		close(b.asked)
		panic("with the key sk-canary-1357924680")
	}
	return b.Store.Journal(ctx, parts)
}

// waitingProvider is a provider that goes on with its answer when the journal has been asked.
type waitingProvider struct {
	agents.Provider
	until chan struct{}
}

func (s waitingProvider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		for c, err := range s.Provider.Stream(ctx, req) {
			if !yield(c, err) {
				return
			}
			if s.until != nil {
				<-s.until
			}
		}
	}
}

// Whatever panics ends a turn or a run, not the program, and somebody is told.
func TestDefect_isToldOfEveryPanic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seat, journal bool
		told          int
	}{"none": {false, false, 0}, "of a seat": {true, false, 1}, "of the journal": {false, true, 1}} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, map[string]replyFunc{"a": replyText("Fine."), "b": replyText("Fine.")})
			var asked chan struct{}
			if c.journal {
				asked = make(chan struct{})
			}
			provider := func(p agents.Profile) (agents.Provider, error) {
				return noticingProvider{Provider: waitingProvider{h.provider, asked}, panics: c.seat && p.Model == "b"}, nil
			}
			var mu sync.Mutex
			var told []*crash.Panic
			h.engine = engine.New(engine.Options{
				Recorder: panickingJournal{h.store, asked}, Provider: provider,
				OnPanic: func(p *crash.Panic) {
					mu.Lock()
					defer mu.Unlock()
					told = append(told, p)
				},
			})
			var end debate.RunEnded
			for ev := range h.engine.Start(t.Context(), h.session("collaborative", 2, "a", "b")).Events() {
				end, _ = ev.(debate.RunEnded)
			}
			var panicked *crash.Panic
			if errors.As(end.Err, &panicked) != c.journal {
				t.Errorf("the run ended with %v", end.Err)
			}
			if len(told) != c.told {
				t.Errorf("told of %d panics, want %d", len(told), c.told)
			}
		})
	}
}
