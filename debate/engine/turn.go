package engine

import (
	"context"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/crash"
)

// playTurn runs one attempt of one seat and records it. A failure of the speaker is in
// the response; the error is the store's. Step is the context of the whole step.
func (st *stepRunner) playTurn(ctx, step context.Context, t agents.Turn, previous debate.Response) (o turnResult) {
	o.response.Turn = t
	defer crash.Catch(&o.err)
	who, n := st.snap.Profile(t.Agent)
	who = st.withWindow(ctx, st.current().WithOutputLimit(who))
	role, _ := st.snap.Mode.RoleOf(n, len(st.snap.Seats))
	snap, fitting := st.fitPrompt(ctx, step, who, previous)
	recorder := &turnRecorder{runner: st.runner, purpose: debate.ForMember, speaker: who, response: debate.Response{
		Turn: t, State: debate.TurnRunning, Role: role.Name, Phase: st.step.Phase, SnapshotHash: snap.Hash,
		SeenResponses: snap.SeenResponses(), ContextFit: fitting,
	}}
	save := ctx
	if errors.Is(context.Cause(ctx), errCancelled) { // cancelled before it began
		save = context.WithoutCancel(ctx)
	}
	if err := recorder.begin(save); err != nil {
		return turnResult{response: recorder.response, err: err}
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
		return turnResult{response: recorder.response, err: recorder.storeErr}
	}
	recorder.setResult(ctx, reply, err)
	o.err = recorder.end(ctx)
	o.response = recorder.response
	var failed *agents.SpeakError
	if errors.As(err, &failed) && recorder.response.State == debate.TurnFailed {
		o.retry = failed.Again
	}
	return o
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
	return snap.WithExcerpts(s, f.Excerpts), f
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
