package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// Bounds of how far the journal may lag behind what was shown.
const (
	journalDelay = 200 * time.Millisecond
	journalSize  = 4 << 10 // bytes
)

// journal collects the streamed text of all seats and writes it in one transaction,
// every journalDelay or journalSize, so that a crash loses no more.
type journal struct {
	write   func(context.Context, []debate.Text) error
	writing lock // held while a batch is written, to keep the order
	wake    chan struct{}
	full    chan struct{}
	mu      sync.Mutex
	parts   []debate.Text
	size    int
	err     error
}

// lock is a mutex that is held while the store writes, which may wait for another process.
// Unlike with a sync.Mutex, a goroutine blocked on it is durably blocked, see testing/synctest.
type lock chan struct{}

func newLock() lock { return make(lock, 1) }

// Lock blocks until the lock is free.
func (l lock) Lock() { l <- struct{}{} }

// Unlock releases the lock.
func (l lock) Unlock() { <-l }

func newJournal(write func(context.Context, []debate.Text) error) *journal {
	return &journal{write: write, writing: newLock(), wake: make(chan struct{}, 1), full: make(chan struct{}, 1)}
}

// start begins writing. The function that it returns writes the rest and ends the
// journal.
func (j *journal) start(ctx context.Context) (stop func() error) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for j.wait(quit) {
			if j.flush(ctx) != nil {
				return // every seat gets the error from its next add
			}
		}
	}()
	return func() error {
		close(quit)
		<-done
		return j.flush(ctx)
	}
}

func (j *journal) wait(quit <-chan struct{}) bool {
	select {
	case <-j.wake:
	case <-quit:
		return false
	}
	timer := time.NewTimer(journalDelay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-j.full:
	case <-quit:
		return false
	}
	return true
}

// add adds a piece. It returns the error of an earlier write.
func (j *journal) add(p debate.Text) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	if n := len(j.parts); n > 0 && !p.Moves && j.parts[n-1].Turn == p.Turn && j.parts[n-1].Passage == p.Passage &&
		j.parts[n-1].Reasoning == p.Reasoning {
		j.parts[n-1].Text += p.Text
	} else {
		j.parts = append(j.parts, p)
	}
	j.size += len(p.Text)
	signal(j.wake)
	if j.size >= journalSize {
		signal(j.full)
	}
	return nil
}

func signal(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default: // already signalled
	}
}

func (j *journal) flush(ctx context.Context) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	parts := j.parts
	j.parts, j.size = nil, 0
	err := j.err
	j.mu.Unlock()
	if err != nil || len(parts) == 0 {
		return err
	}
	if err := j.save(ctx, parts); err != nil {
		j.mu.Lock()
		j.err = err
		j.mu.Unlock()
		return err
	}
	return nil
}

// save writes pieces and turns a panic into an error, since it may run in the journal's
// own goroutine.
func (j *journal) save(ctx context.Context, parts []debate.Text) (err error) {
	defer crash.Catch(&err)
	return j.write(ctx, parts)
}

// drop discards the pieces of a turn whose whole text is about to be written.
func (j *journal) drop(t agents.Turn) {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.parts = slices.DeleteFunc(j.parts, func(p debate.Text) bool {
		if p.Turn == t {
			j.size -= len(p.Text)
		}
		return p.Turn == t
	})
}
