package engine

import (
	"context"
	"errors"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// auxTurn records the turns of a Judge: of those who try to write the verdict, one after
// the other, or of the light model. They call no tools, so a turn ends with its first
// completion.
type auxTurn struct {
	*runner
	purpose  debate.Purpose
	recorder *turnRecorder
}

func (a *auxTurn) observe(ctx context.Context, t agents.Turn, speaker agents.Profile, p agents.Progress) error {
	if a.recorder == nil || a.recorder.response.Turn != t {
		a.recorder = &turnRecorder{
			runner: a.runner, purpose: a.purpose, speaker: speaker,
			response: debate.Response{Turn: t, State: debate.TurnRunning, ContextFit: a.contextFit(speaker)},
		}
		if a.recorder.storeErr = a.recorder.begin(ctx); a.recorder.storeErr != nil {
			return a.recorder.storeErr
		}
	}
	if err := a.recorder.observe(ctx, p); err != nil {
		var failed *agents.SpeakError
		_, unsent := p.(agents.Sending)                                      // the cost of a sent request comes with Broken
		if unsent && errors.As(err, &failed) && a.recorder.storeErr == nil { // the next chair may be cheaper
			a.recorder.setResult(ctx, agents.Reply{}, err)
			err = joinErrors(err, a.recorder.end(ctx))
		}
		return err
	}
	switch p := p.(type) {
	case agents.Completed:
		a.recorder.setResult(ctx, agents.Reply{Text: p.Completion.Text, Finish: p.Completion.Finish}, nil)
		a.recorder.storeErr = a.recorder.end(ctx)
		return a.recorder.storeErr
	case agents.Broken:
		a.recorder.setResult(ctx, agents.Reply{}, p.Failure)
		a.recorder.storeErr = a.recorder.end(ctx)
		return a.recorder.storeErr
	case agents.Sending, agents.Queued, agents.Sent, agents.Alive, agents.Retrying, agents.Text, agents.Reasoning,
		agents.Called, agents.ToolStarted, agents.ToolDone:
	}
	return nil
}

// contextFit returns how the speaker's prompt is shortened.
func (a *auxTurn) contextFit(who agents.Profile) *debate.ContextFit {
	s := a.current()
	if a.purpose == debate.ForChair {
		return prompt.ChairFit(s, who)
	}
	return prompt.AnalysisFit(s)
}

// storeErr returns the store's error that ended a turn, if any.
func (a *auxTurn) storeErr() error {
	if a.recorder == nil {
		return nil
	}
	return a.recorder.storeErr
}

// abandon ends the turn of a speaker that was stopped in the middle.
func (a *auxTurn) abandon(ctx context.Context, cause error) error {
	if a.recorder == nil || a.recorder.response.State != debate.TurnRunning || a.recorder.storeErr != nil {
		return nil
	}
	a.recorder.setResult(ctx, agents.Reply{}, cause)
	return a.recorder.end(ctx)
}
