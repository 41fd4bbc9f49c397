package screen

import (
	"sync"

	tea "charm.land/bubbletea/v2"
)

// SaveQueue runs the saves of drafts and answers one at a time, in the order in
// which Update added them. Bubble Tea runs commands concurrently: without the
// queue a draft could be stored after the answer that replaces it.
type SaveQueue struct {
	mu      sync.Mutex
	pending []*save
	running chan struct{} // has room for the one that runs pending saves
}

// save is one entry of a SaveQueue.
type save struct {
	run  func() tea.Msg
	done bool
	msg  tea.Msg
}

// NewSaveQueue returns an empty queue.
func NewSaveQueue() *SaveQueue { return &SaveQueue{running: make(chan struct{}, 1)} }

// Add appends a save and returns the command that runs it, after all that were
// added before it, even if their own commands never run.
func (q *SaveQueue) Add(run func() tea.Msg) tea.Cmd {
	s := &save{run: run}
	q.mu.Lock()
	q.pending = append(q.pending, s)
	q.mu.Unlock()
	return func() tea.Msg {
		q.running <- struct{}{}
		defer func() { <-q.running }()
		for !s.done {
			next := q.next()
			next.msg, next.done = next.run(), true
		}
		return s.msg
	}
}

// next removes and returns the oldest save.
func (q *SaveQueue) next() *save {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.pending[0]
	q.pending = q.pending[1:]
	return s
}

// Do adds a save and runs it at once.
func (q *SaveQueue) Do(run func() error) error {
	var err error
	q.Add(func() tea.Msg {
		err = run()
		return nil
	})()
	return err
}
