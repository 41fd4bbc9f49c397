package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/internal/crash"
	"roundtable/internal/text"
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
	earlier := slices.DeleteFunc(c.Latest(), func(x debate.Response) bool { return x.Turn.Step >= step.Index })
	snap = snap.With(earlier).WithRequests(s.Requests)
	in, err := r.openWorkspaces(ctx)
	if err != nil {
		return nil, err
	}
	kit, err := r.toolkit(in, snap, step)
	return &stepRunner{runner: r, snap: snap, step: step, toolkit: kit, waiting: map[agents.Turn]bool{}}, err
}

func (r *runner) runStep(ctx context.Context, step debate.Step) error {
	if err := r.useExternalTools(ctx); err != nil {
		return err
	}
	st, err := r.newStep(ctx, step)
	if err != nil {
		return err
	}
	r.noteSharedTools(ctx, step)
	defer st.summarizer.jobs.Wait() // what one that is cut off has used is of this round too
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
	return cmp.Or(st.failed, context.Cause(ctx))
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
	r := agents.Retry{Cause: cause, Try: 1, Of: 1, In: in}
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

// playTurn runs one attempt of one seat and records it. The error is the store's: a
// failure of the speaker is in the response. Step is the context of the whole step.
func (st *stepRunner) playTurn(ctx, step context.Context, t agents.Turn) (err error) {
	defer crash.Catch(&err)
	previous := st.previous(t)
	who, n := st.snap.Profile(t.Agent)
	who = st.withWindow(ctx, st.current().WithOutputLimit(who))
	role, _ := st.snap.Mode.RoleOf(n, len(st.snap.Seats))
	snap, fitting := st.fitPrompt(ctx, step, who, previous)
	snap = snap.WithEvidenceFor(who)
	st.mu.Lock()
	st.fits[t] = fitting
	st.mu.Unlock()
	recorder := &turnRecorder{runner: st.runner, purpose: debate.ForMember, speaker: who, shown: snap.EvidenceShown()}
	recorder.response = debate.Response{
		Turn: t, State: debate.TurnRunning, Role: role.Name, Phase: st.step.Phase, SnapshotHash: snap.Hash,
		SeenResponses: snap.SeenResponses(), ContextFit: fitting,
	}
	if err := recorder.begin(ctx); err != nil {
		return err
	}
	kit := anonymizedTools{st.toolkit, snap.Anonymizer}
	reply, err := agents.Reply{}, ctx.Err()
	if err == nil {
		reply, err = recorder.speak(ctx, prompt.Member(snap.Mode, snap, st.step, who).Messages(), kit)
	}
	if err == nil {
		err = recorder.askForBlock(ctx, snap, st.step, kit, recorder.statementOf(reply))
	}
	if recorder.storeErr != nil {
		recorder.markUnsaved()
		return recorder.storeErr
	}
	recorder.setResult(ctx, reply, err)
	retry := recorder.nextAttempt(err)
	if retry == nil {
		return recorder.end(ctx)
	}
	st.turns.Lock() // the user may end the debate meanwhile
	defer st.turns.Unlock()
	if st.current().Stopped.Forced() {
		return recorder.end(ctx)
	}
	t.Attempt++
	recorder.again = &debate.DueTurn{Turn: t, At: st.Now().Add(retry.In)}
	if err := recorder.end(ctx); err != nil {
		return err
	}
	st.announceWait(t, *retry)
	return nil
}

// nextAttempt returns when to repeat a turn whose answer broke off or was empty, which is
// done once for each seat and step; nil if it is not repeated. The attempt that has failed
// is still running in the stored history.
func (tr *turnRecorder) nextAttempt(err error) *agents.Retry {
	failed, ok := errors.AsType[*agents.Failure](err)
	if !ok || !failed.Again || tr.response.State != debate.TurnFailed {
		return nil
	}
	t := tr.response.Turn
	for _, x := range tr.current().History[t.Round-1].AttemptsOf(t.Agent) {
		again := len(x.Passages) > 0 || x.Failure != nil && x.Failure.Kind == agents.KindEmpty
		if again && x.Turn.Step == t.Step && x.State == debate.TurnFailed {
			return nil
		}
	}
	retry := retryAt(failed.Cause, failed.RetryAt, max(0, failed.RetryAt.Sub(tr.Now())))
	return &retry
}

// fitPrompt fits the prompt of a seat. An attempt after one that was sent sends the
// same, unless that was too long for its model.
func (st *stepRunner) fitPrompt(ctx, step context.Context, who agents.Profile,
	previous debate.Response,
) (prompt.Snapshot, *debate.ContextFit) {
	s, f := st.current(), previous.ContextFit
	if previous.Calls == 0 || previous.PromptTooLong() {
		fitter := prompt.MemberFitter(s, st.snap, st.step, who, agents.ToolTokens(st.toolkit.Specs()))
		if previous.PromptTooLong() {
			fitter = fitter.Smaller(s, f)
		}
		f = st.summarizer.fit(ctx, step, fitter)
		s = st.current()
	}
	snap := st.snap.VisibleTo(st.step, who.ID)
	if f == nil {
		return snap, nil
	}
	return snap.WithExcerpts(s, f.Excerpts).WithEvidenceLimit(f.Evidence), f
}

// speak has the speaker answer. A panic becomes the turn's failure.
func (tr *turnRecorder) speak(ctx context.Context, msgs []agents.Message, kit agents.Toolkit) (reply agents.Reply, err error) {
	defer func() {
		if p := crash.From(recover()); p != nil {
			tr.OnPanic(p)
			f := &agents.Failure{Kind: agents.KindInternal, Cause: fmt.Sprintf("Internal error in Roundtable: %s.", p.What), Err: p}
			err = cmp.Or[error](tr.breakUnanswered(ctx, *f), f)
		}
	}()
	client, err := tr.Provider(tr.speaker)
	if err != nil {
		var f *agents.Failure
		if !errors.As(err, &f) {
			f = &agents.Failure{Kind: agents.KindConfig, Cause: err.Error(), Err: err}
		}
		return reply, f
	}
	agent := agents.Agent{
		Profile: tr.speaker, Client: client, Schema: tr.schema,
		NoCalls: tr.block != nil,
	}
	if tr.block != nil {
		agent.Profile = agent.ForAuxiliary(blockOutput, msgs)
	} else {
		tr.prompt = msgs
	}
	reply, err = agent.Speak(ctx, tr.response.Turn, msgs, kit, func(p agents.Progress) error { return tr.observe(ctx, p) })
	if tr.block == nil {
		tr.unread = reply.UnreadQuestion
	}
	return reply, err
}

// statementOf returns the statement of a turn, in which what the speaker was shown is a quotation.
func (tr *turnRecorder) statementOf(reply agents.Reply) debate.Statement {
	shown := text.Each(tr.prompt, func(m agents.Message) string { return m.Text })
	for _, p := range tr.response.Passages {
		for _, call := range p.Tools {
			shown = append(shown, call.Result.Text)
		}
	}
	return statement.ParseTurn(append(slices.Clip(reply.Earlier), reply.Text), shown)
}
