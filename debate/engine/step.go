package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// stepRunner runs the seats of one step in parallel until none of its turns runs or is
// due.
type stepRunner struct {
	*runner
	snap    prompt.Snapshot
	step    debate.Step
	toolkit *tools.Executor
	running sync.WaitGroup
	waiting map[agents.Turn]bool // turns whose wait was announced
	failed  error                // of the store; guarded by turns
}

// newStep returns the runner of a step, whose seats see the statements of earlier steps.
func (r *runner) newStep(ctx context.Context, step debate.Step) (*stepRunner, error) {
	s := r.current()
	c := s.Current()
	snap, err := prompt.NewSnapshot(s, c.Number)
	if err != nil {
		return nil, err
	}
	for _, earlier := range snap.Mode.Steps(c.Manifest.Seats, c.Number, snap.Rounds)[:step.Index] {
		var said []debate.Response
		for _, x := range c.Latest() {
			if x.Turn.Step == earlier.Index {
				said = append(said, x)
			}
		}
		snap = snap.With(said).WithRequests(s.Requests)
	}
	kit, err := r.toolkit(ctx, snap, step)
	return &stepRunner{runner: r, snap: snap, step: step, toolkit: kit, waiting: map[agents.Turn]bool{}}, err
}

// runStep runs the turns of a step.
func (r *runner) runStep(ctx context.Context, step debate.Step) error {
	if err := r.useExternalTools(ctx); err != nil {
		return err
	}
	st, err := r.newStep(ctx, step)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer st.running.Wait()
	for {
		wait, more := st.startTurns(ctx, cancel)
		if !more {
			break
		}
		timer := time.NewTimer(wait)
		select {
		case <-r.changed:
		case <-timer.C:
		case <-ctx.Done():
			st.running.Wait()
		}
		timer.Stop()
	}
	if st.failed != nil {
		return st.failed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// maxWait is how long a step waits at most before it asks again what is due.
const maxWait = time.Hour

// startTurns starts the turns that are due. It returns how long the next one has to wait,
// and false if none of the step is left.
func (st *stepRunner) startTurns(ctx context.Context, cancel context.CancelCauseFunc) (wait time.Duration, more bool) {
	st.turns.Lock()
	defer st.turns.Unlock()
	wait = maxWait
	now := st.Now()
	due := st.current().Due(now)
	if ctx.Err() != nil || due.Action != debate.RunTurns || due.Step.Index != st.step.Index {
		return wait, len(st.active) > 0
	}
	for _, t := range due.Turns {
		if !st.playing(t.Agent) {
			st.startTurn(ctx, cancel, t)
		}
	}
	for _, w := range due.Waiting {
		in := w.At.Sub(now)
		st.announceWait(w.Turn, retryAt(st.lastCause(w.Turn), w.At, in))
		wait = min(wait, in)
	}
	return wait, len(st.active)+len(due.Waiting) > 0
}

// playing reports whether a seat has a turn of the step that has not ended: an attempt
// that could not be saved is due again before that is known. The caller holds turns.
func (st *stepRunner) playing(seat agents.ID) bool {
	for t := range st.active {
		if t.Agent == seat && t.Step == st.step.Index {
			return true
		}
	}
	return false
}

// causeWait is why a turn is made later that was cut off while its provider let it wait.
const causeWait = "The provider asked to wait."

// retryAt returns that a turn is made at a time, after a wait.
func retryAt(cause string, at time.Time, in time.Duration) agents.Retry {
	r := agents.Retry{Cause: cause, Try: 1, Of: 1, In: in, Void: true}
	if in > time.Minute {
		r.Until = at
	}
	return r
}

// announceWait announces once that a turn has to wait. The caller holds turns.
func (st *stepRunner) announceWait(t agents.Turn, r agents.Retry) {
	if !st.waiting[t] {
		st.waiting[t] = true
		st.emit(debate.TurnRetrying{Turn: t, Retry: r, At: st.Now()})
	}
}

// lastCause returns why the attempt before a turn failed, or has to be made later.
func (st *stepRunner) lastCause(t agents.Turn) string {
	switch x := st.previous(t); {
	case x.State == debate.TurnInterrupted:
		return causeWait
	case x.Failure != nil:
		return x.Failure.Cause
	}
	return ""
}

// previous returns the newest attempt before a turn of which anything was sent; the zero
// value if there is none.
func (st *stepRunner) previous(t agents.Turn) debate.Response {
	for _, x := range slices.Backward(st.current().History[t.Round-1].AttemptsOf(t.Agent)) {
		if x.Turn.Step == t.Step && x.Turn.Attempt < t.Attempt && x.Calls > 0 {
			return x
		}
	}
	return debate.Response{}
}

// startTurn starts a turn. The caller holds turns.
func (st *stepRunner) startTurn(step context.Context, stop context.CancelCauseFunc, t agents.Turn) {
	ctx, cancel := context.WithCancelCause(step)
	st.active[t] = cancel
	st.running.Go(func() {
		defer cancel(nil)
		err := st.playTurn(ctx, step, t)
		st.turns.Lock()
		delete(st.active, t)
		if err != nil && st.failed == nil {
			st.failed = err
			stop(debate.ErrStopped)
		}
		st.turns.Unlock()
		signal(st.changed)
	})
}
