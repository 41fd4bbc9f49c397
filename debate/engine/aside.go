package engine

import (
	"context"
	"errors"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// auxTurn records the turns that a judge has played: of those who try to write the
// verdict, one after the other, and of the light model. They call no tools, so a
// turn ends with its first completion.
type auxTurn struct {
	*runner
	purpose debate.Purpose
	now     *turnRecorder
}

func (a *auxTurn) observe(ctx context.Context, t agents.Turn, who agents.Profile, p agents.Progress) error {
	if a.now == nil || a.now.response.Turn != t {
		a.now = &turnRecorder{runner: a.runner, purpose: a.purpose, who: who, response: debate.Response{Turn: t, State: debate.TurnRunning, Fitting: a.fitting(who)}}
		if a.now.err = a.now.begin(ctx); a.now.err != nil {
			return a.now.err
		}
	}
	if err := a.now.observe(ctx, p); err != nil {
		var failed *agents.SpeakError
		_, unsent := p.(agents.Sending)                            // of one that was sent, Broken says what it took
		if unsent && errors.As(err, &failed) && a.now.err == nil { // the next chair may be cheaper
			a.now.settle(ctx, agents.Reply{}, err)
			err = errors.Join(err, a.now.end(ctx))
		}
		return err
	}
	switch p := p.(type) {
	case agents.Completed:
		a.now.settle(ctx, agents.Reply{Text: p.Completion.Text, Finish: p.Completion.Finish}, nil)
		a.now.err = a.now.end(ctx)
		return a.now.err
	case agents.Broken:
		a.now.settle(ctx, agents.Reply{}, p.Failure)
		a.now.err = a.now.end(ctx)
		return a.now.err
	case agents.Sending, agents.Queued, agents.Retrying, agents.Text, agents.Reasoning, agents.ToolStarted, agents.ToolDone: // the turn goes on
	}
	return nil
}

// fitting is how the speaker's prompt fits the context, as the prompt itself does.
func (a *auxTurn) fitting(who agents.Profile) *debate.ContextFit {
	s := a.current()
	if a.purpose == debate.ForChair {
		return prompt.ChairFit(s, who)
	}
	return prompt.AnalysisFit(s)
}

// broken is the error of the store that a turn ended with; nil if there was none.
func (a *auxTurn) broken() error {
	if a.now == nil {
		return nil
	}
	return a.now.err
}

// abandon closes the turn of a speaker that was stopped in the middle.
func (a *auxTurn) abandon(ctx context.Context, cause error) error {
	if a.now == nil || a.now.response.State != debate.TurnRunning || a.now.err != nil {
		return nil
	}
	a.now.settle(ctx, agents.Reply{}, cause)
	return a.now.end(ctx)
}
