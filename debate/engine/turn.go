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

// playTurn plays one attempt of one seat and records it. A failure of the speaker is
// in the response; the error is the store's. Step is the context of the whole step.
func (st *stepRunner) playTurn(ctx, step context.Context, t agents.Turn, before debate.Response) (o turnResult) {
	o.response.Turn = t
	defer crash.Catch(&o.err)
	who, n := st.snap.Profile(t.Agent)
	who = st.current().WithOutputLimit(who)
	role, _ := st.snap.Mode.RoleOf(n, len(st.snap.Seats))
	snap, fitting := st.fitPrompt(ctx, step, who, before)
	w := &turnRecorder{runner: st.runner, purpose: debate.ForMember, speaker: who, response: debate.Response{
		Turn: t, State: debate.TurnRunning, Role: role.Name, Phase: st.step.Phase, SnapshotHash: snap.Hash, SeenResponses: snap.SeenResponses(), ContextFit: fitting,
	}}
	save := ctx
	if errors.Is(context.Cause(ctx), errCancelled) { // before it could begin
		save = context.WithoutCancel(ctx)
	}
	if err := w.begin(save); err != nil {
		return turnResult{response: w.response, err: err}
	}
	reply, err := agents.Reply{}, ctx.Err()
	if err == nil {
		reply, err = w.speak(ctx, prompt.Member(snap.Mode, snap, st.step, who).Messages(), anonymizedTools{st.toolkit, snap.Anonymizer})
	}
	if w.storeErr != nil {
		w.markUnsaved()
		return turnResult{response: w.response, err: w.storeErr}
	}
	w.setResult(ctx, reply, err)
	o.err = w.end(ctx)
	o.response = w.response
	var failed *agents.SpeakError
	if errors.As(err, &failed) && w.response.State == debate.TurnFailed {
		o.retry = failed.Again
	}
	return o
}

// fitPrompt fits the prompt of a seat. An attempt after one that has sent something
// sends the same, unless that was too long for its model: then it sends less.
func (st *stepRunner) fitPrompt(ctx, step context.Context, who agents.Profile, before debate.Response) (prompt.Snapshot, *debate.ContextFit) {
	s, f := st.current(), before.ContextFit
	if before.Calls == 0 || before.PromptTooLong() {
		r := prompt.MemberFitter(s, st.snap, st.step, who, agents.ToolTokens(st.toolkit.Specs()))
		if before.PromptTooLong() {
			r = r.Smaller(s, f)
		}
		f = st.summarizer.fit(ctx, step, r)
		s = st.current()
	}
	snap := st.snap.VisibleTo(st.step, who.ID)
	if f == nil {
		return snap, nil
	}
	return snap.WithExcerpts(s, f.Excerpts), f
}

// speak plays the turn; whatever panics in it is the turn's own failure.
func (w *turnRecorder) speak(ctx context.Context, msgs []agents.Message, kit agents.Toolkit) (reply agents.Reply, err error) {
	defer func() {
		if p := crash.From(recover()); p != nil {
			w.reportPanic(p)
			f := &agents.Failure{Kind: agents.KindInternal, Cause: fmt.Sprintf("Roundtable failed inside: %s at %s.", p.What, p.Where), Retryable: true, Err: p}
			err = &agents.SpeakError{Speaker: w.speaker, Failure: f}
		}
	}()
	client, err := w.Provider(w.speaker)
	if err != nil {
		var f *agents.Failure
		if !errors.As(err, &f) {
			f = &agents.Failure{Kind: agents.KindConfig, Cause: err.Error(), Err: err}
		}
		return reply, &agents.SpeakError{Speaker: w.speaker, Failure: f}
	}
	agent := agents.Agent{Profile: w.speaker, Client: client}
	return agent.Speak(ctx, w.response.Turn, msgs, kit, func(p agents.Progress) error { return w.observe(ctx, p) })
}
