package engine

import (
	"context"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
)

// Run is a running round, the rest of one, or a verdict. The caller must read Events to
// the end.
type Run struct {
	events   chan debate.Event
	cancel   context.CancelCauseFunc
	mu       sync.Mutex
	commands []command
	wake     chan struct{} // signals that commands is not empty
}

// Events returns the stream of events. Its last one is RoundEnded; then it is closed.
func (r *Run) Events() <-chan debate.Event { return r.events }

// Cancel ends the turn of one seat; the others go on. A seat whose step has not begun is
// skipped in it: its turn is cancelled before anything is sent.
func (r *Run) Cancel(agent agents.ID) { r.send(command{agent, cancelSeat}) }

// Retry runs a seat of the current step again that failed or was cancelled.
func (r *Run) Retry(agent agents.ID) { r.send(command{agent, retrySeat}) }

// RetryNow ends the back-off of a speaker's provider: the next try is sent at once. It
// applies to all requests that wait for that provider.
func (r *Run) RetryNow(agent agents.ID) { r.send(command{agent, retryNow}) }

// Stop ends the run at once. Turns under way become interrupted and start again later.
func (r *Run) Stop() { r.cancel(debate.ErrStopped) }
