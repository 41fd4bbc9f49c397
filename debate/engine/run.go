package engine

import (
	"context"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
)

// Run is one run of the engine: a round, what is left of one, or a verdict.
// Whoever starts it must read Events to the end.
type Run struct {
	events   chan debate.Event
	cancel   context.CancelCauseFunc
	mu       sync.Mutex
	commands []command
	wake     chan struct{} // says that commands is not empty
}

// Events returns the stream of what happens. It ends with RoundEnded and is then closed.
func (r *Run) Events() <-chan debate.Event { return r.events }

// Cancel ends one seat's turn; the others go on. A seat whose step is still to come
// is skipped in it: its turn is cancelled before anything of it is sent.
func (r *Run) Cancel(agent agents.ID) { r.send(command{agent, cancelSeat}) }

// Retry runs a seat of the current step again that has failed or was cancelled.
func (r *Run) Retry(agent agents.ID) { r.send(command{agent, retrySeat}) }

// RetryNow ends the wait of a speaker for its provider: the next try is sent at
// once. All who wait for that provider go on with it.
func (r *Run) RetryNow(agent agents.ID) { r.send(command{agent, retryNow}) }

// Stop ends the run at once. Turns under way become interrupted and start again later.
func (r *Run) Stop() { r.cancel(debate.ErrStopped) }
