package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/crash"
)

// auxTurn records turns that belong to no step: of those who try to write the verdict, one
// after the other, of the light model, or of who answers a follow-up question. They call no tools, so a turn ends with its first
// completion, or with the second one if the first had too little room.
type auxTurn struct {
	*runner
	purpose  debate.Purpose
	question string // of a follow-up
	recorder *turnRecorder
}

func (a *auxTurn) observe(ctx context.Context, t agents.Turn, speaker agents.Profile, p agents.Progress) error {
	if a.recorder == nil || a.recorder.response.Turn != t {
		if a.start(ctx, t, speaker); a.recorder.storeErr != nil {
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
		if p.More {
			return nil
		}
		a.recorder.setResult(ctx, agents.Reply{}, p.Failure)
		a.recorder.storeErr = a.recorder.end(ctx)
		return a.recorder.storeErr
	case agents.Sending, agents.Queued, agents.Sent, agents.Alive, agents.Retrying, agents.Text, agents.Reasoning, agents.TextWasReasoning,
		agents.Called, agents.ToolStarted, agents.ToolDone:
	}
	return nil
}

// start begins a turn.
func (a *auxTurn) start(ctx context.Context, t agents.Turn, speaker agents.Profile) {
	a.recorder = &turnRecorder{
		runner: a.runner, purpose: a.purpose, speaker: speaker, question: a.question,
		response: debate.Response{Turn: t, State: debate.TurnRunning, ContextFit: a.contextFit(speaker)},
	}
	a.recorder.storeErr = a.recorder.begin(ctx)
}

// contextFit returns how the speaker's prompt is shortened.
func (a *auxTurn) contextFit(who agents.Profile) *debate.ContextFit {
	s := a.current()
	switch a.purpose {
	case debate.ForChair:
		return prompt.ChairFit(s, who)
	case debate.ForFollowUp:
		return prompt.FollowUpFit(s, who, a.question)
	case debate.ForMember, debate.ForLight:
	}
	return nil
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
	if err := a.recorder.breakUnanswered(ctx, cause); err != nil {
		return err
	}
	a.recorder.setResult(ctx, agents.Reply{}, cause)
	return a.recorder.end(ctx)
}

// Bounds of the request.
const (
	compareTemperature = 0.0
	compareOutput      = 1000 // tokens of the text that is wanted
)

// Compare asks a model after round 1 of a review which findings are the same defect; nil if
// none could be. If that fails they stay apart, and the result has the cause. The error is the
// context's or what observe returned.
func (j Judge) Compare(ctx context.Context, s debate.Session, observe Observer) (*debate.SameFindings, error) {
	who, found := verdict.Comparer(s)
	if len(found) == 0 {
		return nil, nil
	}
	reply, err := j.askToCompare(ctx, s, who, observe)
	var same *debate.SameFindings
	if err == nil && reply.Cut == nil {
		same, err = verdict.ReadSame(s, who, reply.Text)
	}
	var failed *agents.SpeakError
	var unread *verdict.UnreadError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &failed):
		same = &debate.SameFindings{By: who.Name, Ignored: causeText(failed.Failure)}
	case errors.As(err, &unread):
		same = &debate.SameFindings{By: who.Name, Ignored: unread.Error()}
	case err != nil:
		return nil, err
	case reply.Cut != nil:
		same = &debate.SameFindings{By: who.Name, Ignored: strings.TrimSuffix(debate.CutText(*reply.Cut), ".")}
	}
	return same, nil
}

// askToCompare asks a model which findings are the same, unless it has answered that already.
func (j Judge) askToCompare(ctx context.Context, s debate.Session, who agents.Profile, observe Observer) (agents.Reply, error) {
	who = s.WithOutputLimit(who)
	if temperature := compareTemperature; s.Light != nil { // a chair may take its own alone
		who.Temperature = &temperature
	}
	client, err := j.provider(who)
	if err != nil {
		return agents.Reply{}, &agents.SpeakError{Speaker: who, Failure: &agents.Failure{
			Kind:  agents.KindConfig,
			Cause: err.Error(), Err: err,
		}}
	}
	built, err := prompt.Compare(s)
	if err != nil {
		return agents.Reply{}, err
	}
	who = who.ForAuxiliary(compareOutput, built.Messages())
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.CompareStep, Attempt: s.LightAttempt + 1, Agent: who.ID}
	light := agents.Agent{Profile: who, Client: client, Schema: prompt.CompareSchema(), Auxiliary: true}
	if k, ok := s.CachedReplyFor(turn.Step, who.ID, light.Request(built.Messages(), nil)); ok && k.Failure == nil {
		return k.Reply, nil
	}
	return light.Speak(ctx, turn, built.Messages(), nil, func(p agents.Progress) error { return observe(turn, who, p) })
}

// The times that the light model may take to compare findings. An agent with a
// loop of its own starts a session for it, and thinks in steps.
const (
	compareTimeout     = time.Minute
	loopCompareTimeout = 5 * time.Minute
)

// compareLimit returns how long a model may take to compare findings.
func compareLimit(who agents.Profile) time.Duration {
	if who.Loop {
		return loopCompareTimeout
	}
	return compareTimeout
}

var errLateComparison = errors.New("no comparison in time")

// compareFindings has a model say which findings of a review are the same. If it fails they
// stay apart, and what is stored says why; the error is the store's.
func (r *runner) compareFindings(ctx context.Context, s debate.Session) (same *debate.SameFindings, err error) {
	who, found := verdict.Comparer(s)
	if len(found) == 0 {
		return nil, nil
	}
	ignored := func(cause string) *debate.SameFindings {
		return &debate.SameFindings{By: who.Name, Ignored: strings.TrimSuffix(cause, ".")}
	}
	if len(s.Due(r.Now()).Waiting) > 0 {
		return ignored("the provider of " + who.Name + " asked to wait for longer"), nil
	}
	turn := &auxTurn{runner: r, purpose: debate.ForLight}
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			r.reportPanic(panicked)
			same, err = ignored(panicked.Error()), errors.Join(turn.storeErr(), turn.abandon(ctx, panicked))
		}
	}()
	limit := compareLimit(who)
	limited, cancel := context.WithTimeoutCause(ctx, limit, errLateComparison)
	defer cancel()
	same, err = NewJudge(r.Provider).Compare(limited, s, func(t agents.Turn, who agents.Profile, event agents.Progress) error {
		if _, ok := event.(agents.Broken); ok && errors.Is(context.Cause(limited), errLateComparison) {
			event = withTimeoutFailure(event, who, limit)
		}
		return turn.observe(ctx, t, who, event)
	})
	switch {
	case err == nil:
		return same, nil
	case turn.storeErr() != nil:
		return nil, turn.storeErr()
	case ctx.Err() == nil && errors.Is(context.Cause(limited), errLateComparison):
		return ignored(fmt.Sprintf("%s did not answer within %s", who.Name, limit)), turn.abandon(ctx, err)
	}
	return ignored(err.Error()), turn.abandon(ctx, err)
}

// withTimeoutFailure replaces the failure of a call that was ended by its timeout.
func withTimeoutFailure(p agents.Progress, who agents.Profile, limit time.Duration) agents.Progress {
	broken, ok := p.(agents.Broken)
	if !ok {
		return p
	}
	broken.Failure = &agents.Failure{
		Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not answer within %s.", who.Name,
			limit), Tries: broken.Failure.Tries,
	}
	return broken
}

// causeText returns why an auxiliary request failed, without the full stop. What helps
// stands there only for an answer without words.
func causeText(f *agents.Failure) string {
	if f.Kind == agents.KindEmpty && f.Remedy != "" {
		return strings.TrimSuffix(f.Error(), ".")
	}
	return strings.TrimSuffix(f.Cause, ".")
}
