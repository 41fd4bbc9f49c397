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

// stepRunner runs the seats of one step in parallel until all turns have ended.
type stepRunner struct {
	*runner
	snap           prompt.Snapshot
	step           debate.Step
	toolkit        *tools.Executor
	turns          sync.WaitGroup
	results        chan turnResult
	active         map[agents.ID]activeTurn
	latest         map[agents.ID]debate.Response
	autoRetried    map[agents.ID]bool // seats that were retried without a command
	retryRequested map[agents.ID]bool // seats to retry when their turn has ended
}

// activeTurn is the running turn of a seat.
type activeTurn struct {
	cancel   context.CancelCauseFunc
	retryNow chan struct{} // ends its wait for another attempt
}

type turnResult struct {
	response debate.Response
	retry    *agents.Retry // see agents.SpeakError
	err      error         // of the store; it ends the run
}

// run runs the seats of the step that are not done in r and returns the newest response
// of every seat. With again, failed seats are retried.
func (st *stepRunner) run(ctx context.Context, r debate.Round, again bool) ([]debate.Response, error) {
	return st.runSeats(ctx, r, func(x debate.Response, has bool) bool {
		return !has || !x.Finished() || again && x.State != debate.TurnDone
	})
}

// runSeat runs a single seat of the step.
func (st *stepRunner) runSeat(ctx context.Context, r debate.Round, seat agents.ID) ([]debate.Response, error) {
	return st.runSeats(ctx, r, func(x debate.Response, has bool) bool { return has && x.Turn.Agent == seat })
}

// runSeats starts the selected seats and handles results and commands until none is
// active.
func (st *stepRunner) runSeats(ctx context.Context, r debate.Round, want func(x debate.Response,
	has bool) bool,
) ([]debate.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer st.turns.Wait()
	st.results = make(chan turnResult, len(st.step.Seats))
	st.active, st.latest, st.autoRetried = map[agents.ID]activeTurn{}, map[agents.ID]debate.Response{}, map[agents.ID]bool{}
	st.retryRequested = map[agents.ID]bool{}
	for _, x := range r.Latest() {
		if x.Turn.Step == st.step.Index {
			st.latest[x.Turn.Agent] = x
		}
	}
	for _, seat := range st.step.Seats {
		if x, has := st.latest[seat]; want(x, has) {
			st.startTurn(ctx, seat, nil)
		}
	}
	var failed error
	for len(st.active) > 0 {
		select {
		case o := <-st.results:
			if st.turnEnded(ctx, o); o.err != nil && failed == nil {
				failed = o.err
				cancel(debate.ErrStopped)
			}
		case <-st.runner.run.wake:
			for _, c := range st.runner.run.takeCommands() {
				st.handle(ctx, c)
			}
		}
	}
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	return st.latestBySeat(), failed
}

// turnEnded records the result of a turn. A turn whose answer broke off in its text is
// retried once, as a new attempt.
func (st *stepRunner) turnEnded(ctx context.Context, result turnResult) {
	seat := result.response.Turn.Agent
	delete(st.active, seat)
	st.latest[seat] = result.response
	retry := st.retryRequested[seat]
	delete(st.retryRequested, seat)
	switch {
	case result.err != nil || ctx.Err() != nil:
	case result.retry != nil && !st.autoRetried[seat]:
		st.autoRetried[seat] = true
		st.startTurn(ctx, seat, result.retry)
	case retry && result.response.State != debate.TurnDone:
		st.startTurn(ctx, seat, nil)
	}
}

func (st *stepRunner) latestBySeat() []debate.Response {
	var out []debate.Response
	for _, seat := range st.step.Seats {
		if x, ok := st.latest[seat]; ok {
			out = append(out, x)
		}
	}
	return out
}

// handle carries out a command for a seat. A command that no longer applies has no
// effect, as the seat may have ended meanwhile.
func (st *stepRunner) handle(ctx context.Context, c command) {
	turn, active := st.active[c.seat]
	latest, known := st.latest[c.seat]
	switch {
	case active && c.action == cancelSeat:
		turn.cancel(errCancelled)
	case !known && c.action == cancelSeat: // its step has not begun
		st.skipped[c.seat] = true
	case active && c.action == retryNow:
		select {
		case turn.retryNow <- struct{}{}:
		default: // already signalled
		}
		st.skipProviderWait(c.seat)
	case active && c.action == retrySeat: // the user saw it end before this goroutine did
		st.retryRequested[c.seat] = true
	case !active && c.action == retrySeat && known && latest.State != debate.TurnDone && ctx.Err() == nil &&
		slices.Contains(st.step.Seats, c.seat):
		st.startTurn(ctx, c.seat, nil)
	}
}

// startTurn begins the next attempt of a seat, after the wait of a retry.
func (st *stepRunner) startTurn(step context.Context, seat agents.ID, retry *agents.Retry) {
	previous := st.latest[seat]
	t := agents.Turn{Session: st.snap.Session, Round: st.snap.Round, Step: st.step.Index, Attempt: previous.Turn.Attempt + 1, Agent: seat}
	ctx, cancel := context.WithCancelCause(step)
	retryNow := make(chan struct{}, 1)
	st.active[seat] = activeTurn{cancel, retryNow}
	if st.skipped[seat] {
		delete(st.skipped, seat)
		cancel(errCancelled)
	}
	st.turns.Go(func() {
		defer cancel(nil)
		if retry != nil {
			st.emit(debate.TurnRetrying{Turn: t, Retry: *retry, At: st.Now()})
			if !waitForRetry(ctx, retry.In, retryNow) {
				st.emit(debate.TurnEnded{Response: previous, At: st.Now()}) // unchanged
				st.results <- turnResult{response: previous}
				return
			}
		}
		st.results <- st.playTurn(ctx, step, t, previous)
	})
}

// waitForRetry waits for d or until retryNow; it returns false if the context ends
// first.
func waitForRetry(ctx context.Context, d time.Duration, retryNow <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-retryNow:
		return true
	case <-ctx.Done():
		return false
	}
}
