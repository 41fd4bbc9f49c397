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
func (r *Run) Cancel(t agents.Turn) { r.send(command{action: cancelSeat, turn: t}) }

// Retry asks a seat again that has no answer in the round. What the round was waiting
// for, such as the chair, begins again after it.
func (r *Run) Retry(agent agents.ID) {
	r.send(command{action: retrySeat, turn: agents.Turn{Agent: agent}})
}

// RetryNow ends the back-off of a speaker's provider: the next try is sent at once. It
// applies to all requests that wait for that provider.
func (r *Run) RetryNow(agent agents.ID) {
	r.send(command{action: retryNow, turn: agents.Turn{Agent: agent}})
}

// Pause sets whether the run ends before it begins the verdict. It ends after a round in
// any case. To pause denies the commands that wait for approval.
func (r *Run) Pause(on bool) {
	r.paused.Store(on)
	if on {
		r.send(command{action: denyCommands})
	}
}

// Decide decides on a command for which a tool call waits, see debate.ApprovalAsked.
func (r *Run) Decide(call string, a debate.Approval) {
	r.send(command{action: decideCommand, call: call, approval: a})
}

// End ends the debate: running turns are cut off, and the chair concludes with what is
// settled.
func (r *Run) End() { r.send(command{action: endDebate}) }

// Stop ends the run at once. Turns under way become interrupted and start again later.
func (r *Run) Stop() { r.cancel(debate.ErrStopped) }
