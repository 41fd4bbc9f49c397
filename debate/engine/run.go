package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"roundtable/agents"
	"roundtable/debate"
)

// Run is a running round, the rest of one, or a verdict. The caller must read Events to
// the end. Its methods send commands, which are carried out in every phase of the run. A
// command that cannot be carried out is answered by a debate.Refused event.
type Run struct {
	events   chan debate.Event
	cancel   context.CancelCauseFunc
	paused   atomic.Bool // the verdict is not begun
	mu       sync.Mutex
	commands []command
	wake     chan struct{} // signals that commands is not empty
}

// Events returns the stream of events. Its last one is RoundEnded; then it is closed.
func (r *Run) Events() <-chan debate.Event { return r.events }

// Cancel ends the turn of a seat, whichever attempt it makes; the others go on. A turn
// that has not begun is skipped. A seat that has ended that turn is not skipped in a
// later one.
func (r *Run) Cancel(t agents.Turn) { r.send(command{cancelSeat, t}) }

// Retry asks a seat again that has no answer in the round. What the round was waiting
// for, such as the chair, begins again after it.
func (r *Run) Retry(agent agents.ID) { r.send(command{retrySeat, agents.Turn{Agent: agent}}) }

// RetryNow ends the back-off of a speaker's provider: the next try is sent at once. It
// applies to all requests that wait for that provider.
func (r *Run) RetryNow(agent agents.ID) { r.send(command{retryNow, agents.Turn{Agent: agent}}) }

// Pause sets whether the run ends before it begins the verdict. It ends after a round in
// any case.
func (r *Run) Pause(on bool) { r.paused.Store(on) }

// End ends the debate: running turns are cut off, and the chair concludes with what is
// settled.
func (r *Run) End() { r.send(command{action: endDebate}) }

// Stop ends the run at once. Turns under way become interrupted and start again later.
func (r *Run) Stop() { r.cancel(debate.ErrStopped) }
