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

// stepRunner plays one step: its seats in parallel, each until its turn has ended.
type stepRunner struct {
	*runner
	snap           prompt.Snapshot
	step           debate.Step
	toolkit        *tools.Executor
	turns          sync.WaitGroup
	results        chan turnResult
	active         map[agents.ID]activeTurn
	latest         map[agents.ID]debate.Response
	autoRetried    map[agents.ID]bool // seats that were played again without being asked
	retryRequested map[agents.ID]bool // seats to be played again when their turn has ended
}

// activeTurn is a seat at its turn.
type activeTurn struct {
	cancel   context.CancelCauseFunc
	retryNow chan struct{} // ends its wait for another attempt
}

type turnResult struct {
	response debate.Response
	retry    *agents.Retry // see agents.SpeakError
	err      error         // of the store: it ends the run
}

// run plays what is left of the step after what r holds of it and returns the
// newest response of every seat. With again, seats that failed try once more.
func (st *stepRunner) run(ctx context.Context, r debate.Round, again bool) ([]debate.Response, error) {
	return st.runSeats(ctx, r, func(x debate.Response, has bool) bool {
		return !has || !x.Finished() || again && x.State != debate.TurnDone
	})
}

// runSeat plays a single seat of the step.
func (st *stepRunner) runSeat(ctx context.Context, r debate.Round, seat agents.ID) ([]debate.Response, error) {
	return st.runSeats(ctx, r, func(x debate.Response, has bool) bool { return has && x.Turn.Agent == seat })
}

// runSeats starts the seats that want to be played and conducts them until none is active.
func (st *stepRunner) runSeats(ctx context.Context, r debate.Round, want func(x debate.Response, has bool) bool) ([]debate.Response, error) {
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

// turnEnded notes how a turn ended. One whose answer broke off amid its text is
// played again once, as an attempt of its own.
func (st *stepRunner) turnEnded(ctx context.Context, o turnResult) {
	seat := o.response.Turn.Agent
	delete(st.active, seat)
	st.latest[seat] = o.response
	wanted := st.retryRequested[seat]
	delete(st.retryRequested, seat)
	switch {
	case o.err != nil || ctx.Err() != nil:
	case o.retry != nil && !st.autoRetried[seat]:
		st.autoRetried[seat] = true
		st.startTurn(ctx, seat, o.retry)
	case wanted && o.response.State != debate.TurnDone:
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

// handle does what the user asks of a seat. What no longer applies has no effect:
// the seat may have ended meanwhile.
func (st *stepRunner) handle(ctx context.Context, c command) {
	now, active := st.active[c.seat]
	x, known := st.latest[c.seat]
	switch {
	case active && c.action == cancelSeat:
		now.cancel(errCancelled)
	case !known && c.action == cancelSeat: // its step is still to come
		st.skipped[c.seat] = true
	case active && c.action == retryNow:
		select {
		case now.retryNow <- struct{}{}:
		default: // it has been told
		}
		st.skipProviderWait(c.seat)
	case active && c.action == retrySeat: // that it has ended was announced before it came here
		st.retryRequested[c.seat] = true
	case !active && c.action == retrySeat && known && x.State != debate.TurnDone && ctx.Err() == nil && slices.Contains(st.step.Seats, c.seat):
		st.startTurn(ctx, c.seat, nil)
	}
}

// startTurn begins the next attempt of a seat, after the wait of a retry.
func (st *stepRunner) startTurn(step context.Context, seat agents.ID, retry *agents.Retry) {
	before := st.latest[seat]
	t := agents.Turn{Session: st.snap.Session, Round: st.snap.Round, Step: st.step.Index, Attempt: before.Turn.Attempt + 1, Agent: seat}
	ctx, cancel := context.WithCancelCause(step)
	hurry := make(chan struct{}, 1)
	st.active[seat] = activeTurn{cancel, hurry}
	if st.skipped[seat] {
		delete(st.skipped, seat)
		cancel(errCancelled)
	}
	st.turns.Go(func() {
		defer cancel(nil)
		if retry != nil {
			st.emit(debate.TurnRetrying{Turn: t, Retry: *retry, At: st.Now()})
			if !waitForRetry(ctx, retry.In, hurry) {
				st.emit(debate.TurnEnded{Response: before, At: st.Now()}) // it stays as it was
				st.results <- turnResult{response: before}
				return
			}
		}
		st.results <- st.playTurn(ctx, step, t, before)
	})
}

// waitForRetry lets d pass, or less when it is hurried; it is false when the context ends first.
func waitForRetry(ctx context.Context, d time.Duration, hurry <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-hurry:
		return true
	case <-ctx.Done():
		return false
	}
}
