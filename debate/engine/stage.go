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
	snap    prompt.Snapshot
	step    debate.Step
	kit     *tools.Executor
	wait    sync.WaitGroup
	results chan outcome
	active  map[agents.ID]speaking
	latest  map[agents.ID]debate.Response
	rerun   map[agents.ID]bool // seats that were played again without being asked
	wanted  map[agents.ID]bool // seats to be played again when their turn has ended
}

// speaking is a seat at its turn.
type speaking struct {
	cancel context.CancelCauseFunc
	hurry  chan struct{} // ends its wait for another attempt
}

type outcome struct {
	response debate.Response
	again    *agents.Retry // see agents.SpeakError
	err      error         // of the store: it ends the run
}

// run plays what is left of the step after what r holds of it and returns the
// newest response of every seat. With again, seats that failed try once more.
func (st *stepRunner) run(ctx context.Context, r debate.Round, again bool) ([]debate.Response, error) {
	return st.runSeats(ctx, r, func(x debate.Response, has bool) bool {
		return !has || !x.Settled() || again && x.State != debate.TurnDone
	})
}

// only plays a single seat of the step.
func (st *stepRunner) only(ctx context.Context, r debate.Round, seat agents.ID) ([]debate.Response, error) {
	return st.runSeats(ctx, r, func(x debate.Response, has bool) bool { return has && x.Turn.Agent == seat })
}

// runSeats starts the seats that want to be played and conducts them until none is active.
func (st *stepRunner) runSeats(ctx context.Context, r debate.Round, want func(x debate.Response, has bool) bool) ([]debate.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer st.wait.Wait()
	st.results = make(chan outcome, len(st.step.Seats))
	st.active, st.latest, st.rerun = map[agents.ID]speaking{}, map[agents.ID]debate.Response{}, map[agents.ID]bool{}
	st.wanted = map[agents.ID]bool{}
	for _, x := range r.Latest() {
		if x.Turn.Step == st.step.Index {
			st.latest[x.Turn.Agent] = x
		}
	}
	for _, seat := range st.step.Seats {
		if x, has := st.latest[seat]; want(x, has) {
			st.start(ctx, seat, nil)
		}
	}
	var failed error
	for len(st.active) > 0 {
		select {
		case o := <-st.results:
			if st.take(ctx, o); o.err != nil && failed == nil {
				failed = o.err
				cancel(debate.ErrStopped)
			}
		case <-st.runner.run.bell:
			for _, c := range st.runner.run.take() {
				st.handle(ctx, c)
			}
		}
	}
	if failed == nil && ctx.Err() != nil {
		failed = context.Cause(ctx)
	}
	return st.inOrder(), failed
}

// take notes how a turn ended. One whose answer broke off amid its text is
// played again once, as an attempt of its own.
func (st *stepRunner) take(ctx context.Context, o outcome) {
	seat := o.response.Turn.Agent
	delete(st.active, seat)
	st.latest[seat] = o.response
	wanted := st.wanted[seat]
	delete(st.wanted, seat)
	switch {
	case o.err != nil || ctx.Err() != nil:
	case o.again != nil && !st.rerun[seat]:
		st.rerun[seat] = true
		st.start(ctx, seat, o.again)
	case wanted && o.response.State != debate.TurnDone:
		st.start(ctx, seat, nil)
	}
}

func (st *stepRunner) inOrder() []debate.Response {
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
	now, active := st.active[c.agent]
	x, known := st.latest[c.agent]
	switch {
	case active && c.verb == cancelIt:
		now.cancel(errCancelled)
	case !known && c.verb == cancelIt: // its step is still to come
		st.skipped[c.agent] = true
	case active && c.verb == hurryIt:
		select {
		case now.hurry <- struct{}{}:
		default: // it has been told
		}
		st.hurry(c.agent)
	case active && c.verb == retryIt: // that it has ended was announced before it came here
		st.wanted[c.agent] = true
	case !active && c.verb == retryIt && known && x.State != debate.TurnDone && ctx.Err() == nil && slices.Contains(st.step.Seats, c.agent):
		st.start(ctx, c.agent, nil)
	}
}

// start begins the next attempt of a seat, after the wait of a retry.
func (st *stepRunner) start(step context.Context, seat agents.ID, retry *agents.Retry) {
	before := st.latest[seat]
	t := agents.Turn{Session: st.snap.Session, Round: st.snap.Round, Step: st.step.Index, Attempt: before.Turn.Attempt + 1, Agent: seat}
	ctx, cancel := context.WithCancelCause(step)
	hurry := make(chan struct{}, 1)
	st.active[seat] = speaking{cancel, hurry}
	if st.skipped[seat] {
		delete(st.skipped, seat)
		cancel(errCancelled)
	}
	st.wait.Go(func() {
		defer cancel(nil)
		if retry != nil {
			st.emit(debate.TurnRetrying{Turn: t, Retry: *retry, At: st.Now()})
			if !wait(ctx, retry.In, hurry) {
				st.emit(debate.TurnEnded{Response: before, At: st.Now()}) // it stays as it was
				st.results <- outcome{response: before}
				return
			}
		}
		st.results <- st.turn(ctx, step, t, before)
	})
}

// wait lets d pass, or less when it is hurried; it is false when the context ends first.
func wait(ctx context.Context, d time.Duration, hurry <-chan struct{}) bool {
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
