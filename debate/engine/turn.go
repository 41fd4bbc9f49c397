package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/statement"
	"roundtable/internal/crash"
)

// playTurn runs one attempt of one seat and records it. The error is the store's: a
// failure of the speaker is in the response. Step is the context of the whole step.
func (st *stepRunner) playTurn(ctx, step context.Context, t agents.Turn) (err error) {
	defer crash.Catch(&err)
	previous := st.previous(t)
	who, n := st.snap.Profile(t.Agent)
	who = st.withWindow(ctx, st.current().WithOutputLimit(who))
	role, _ := st.snap.Mode.RoleOf(n, len(st.snap.Seats))
	snap, fitting := st.fitPrompt(ctx, step, who, previous)
	recorder := &turnRecorder{runner: st.runner, purpose: debate.ForMember, speaker: who, response: debate.Response{
		Turn: t, State: debate.TurnRunning, Role: role.Name, Phase: st.step.Phase, SnapshotHash: snap.Hash,
		SeenResponses: snap.SeenResponses(), ContextFit: fitting,
	}}
	if err := recorder.begin(ctx); err != nil {
		return err
	}
	reply, err := agents.Reply{}, ctx.Err()
	if err == nil {
		messages := prompt.Member(snap.Mode, snap, st.step, who).Messages()
		reply, err = recorder.speak(ctx, messages, anonymizedTools{st.toolkit, snap.Anonymizer})
	}
	if err == nil {
		err = recorder.askForBlock(ctx, snap, st.step, statementOf(reply))
	}
	if recorder.storeErr != nil {
		recorder.markUnsaved()
		return recorder.storeErr
	}
	recorder.setResult(ctx, reply, err)
	retry := nextAttempt(recorder, err)
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

// nextAttempt returns when a turn whose answer broke off in its text or was empty is made
// again by itself, once for each seat and step; nil if it is not.
func nextAttempt(tr *turnRecorder, err error) *agents.Retry {
	var failed *agents.SpeakError
	if !errors.As(err, &failed) || failed.Again == nil || tr.response.State != debate.TurnFailed {
		return nil
	}
	t := tr.response.Turn
	for _, x := range tr.current().History[t.Round-1].AttemptsOf(t.Agent) {
		again := len(x.Passages) > 0 || x.Failure != nil && x.Failure.Kind == agents.KindEmpty
		if again && x.Turn.Step == t.Step && x.State == debate.TurnFailed {
			return nil
		}
	}
	return failed.Again
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
			tr.reportPanic(p)
			f := &agents.Failure{Kind: agents.KindInternal, Cause: fmt.Sprintf("Internal error in Roundtable: %s at %s.", p.What,
				p.Where), Retryable: true, Err: p}
			err = &agents.SpeakError{Speaker: tr.speaker, Failure: f}
		}
	}()
	client, err := tr.Provider(tr.speaker)
	if err != nil {
		var f *agents.Failure
		if !errors.As(err, &f) {
			f = &agents.Failure{Kind: agents.KindConfig, Cause: err.Error(), Err: err}
		}
		return reply, &agents.SpeakError{Speaker: tr.speaker, Failure: f}
	}
	agent := agents.Agent{Profile: tr.speaker, Client: client}
	return agent.Speak(ctx, tr.response.Turn, msgs, kit, func(p agents.Progress) error { return tr.observe(ctx, p) })
}

// statementOf returns the statement of a turn.
func statementOf(reply agents.Reply) debate.Statement {
	return statement.ParseTurn(append(slices.Clip(reply.Earlier), reply.Text))
}
