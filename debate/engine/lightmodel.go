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
	"roundtable/internal/text"
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
	if err := a.recorder.breakUnanswered(ctx, cause); err != nil {
		return err
	}
	a.recorder.setResult(ctx, agents.Reply{}, cause)
	return a.recorder.end(ctx)
}

// Assess measures agreement after the last round: by the light model if there is one and
// something to compare, otherwise from the votes. If the model fails or its answer
// cannot be read the consensus is unavailable. The error is the context's or what
// observe returned.
func (j Judge) Assess(ctx context.Context, s debate.Session, observe Observer) (debate.Consensus, error) {
	c := verdict.Agreement(s)
	if s.Mode.Reviews() {
		return j.compareFindings(ctx, s, c, observe)
	}
	if s.Light == nil || c.Answered < 2 {
		return c, nil
	}
	found, err := j.analyze(ctx, s, observe)
	var failed *agents.SpeakError
	var unread *verdict.UnreadError
	switch {
	case err == nil && found.Method == debate.ConsensusUnavailable:
	case err == nil:
		found.Method = debate.ConsensusByModel
		if !c.AllAnswered() {
			missing := fmt.Sprintf("only %d of %s answered; ", c.Answered, text.Count(c.Seats, "seat"))
			found.Cause = strings.TrimSuffix(missing+found.Cause, "; ")
		}
	case ctx.Err() != nil:
		return debate.Consensus{}, ctx.Err()
	case errors.As(err, &failed):
		found = debate.Consensus{Method: debate.ConsensusUnavailable, Cause: s.Light.Name + " failed: " +
			causeText(failed.Failure)}
	case errors.As(err, &unread):
		found = debate.Consensus{Method: debate.ConsensusUnavailable, Cause: s.Light.Name +
			" gave an unreadable analysis: " + unread.Error()}
	default:
		return debate.Consensus{}, err
	}
	found.Model, found.Answered, found.Seats, found.Opposed = s.Light.Model, c.Answered, c.Seats, c.Opposed
	verdict.CheckLevel(s, &found)
	return found, nil
}

// Bounds of the analysis request.
const (
	analysisTemperature = 0.0
	analysisOutput      = 1000 // tokens of the text that is wanted
)

// analyze has the light model measure the agreement. It is unavailable if the server read
// only the end of the prompt.
func (j Judge) analyze(ctx context.Context, s debate.Session, observe Observer) (debate.Consensus, error) {
	reply, err := j.askAfterRound(ctx, s, *s.Light, observe)
	switch {
	case err != nil:
		return debate.Consensus{}, err
	case reply.Cut != nil:
		return debate.Consensus{Method: debate.ConsensusUnavailable, Cause: s.Light.Name + ": " + debate.CutText(*reply.Cut)}, nil
	}
	return verdict.ReadAnalysis(s, reply.Text)
}

// compareFindings has a model say which findings of round 1 are the same defect. Where it
// fails they stay apart, and the consensus says why.
func (j Judge) compareFindings(ctx context.Context, s debate.Session, c debate.Consensus, observe Observer) (debate.Consensus, error) {
	who, found := verdict.Comparer(s)
	if len(found) == 0 {
		return c, nil
	}
	reply, err := j.askAfterRound(ctx, s, who, observe)
	if err == nil && reply.Cut == nil {
		c.Same, err = verdict.ReadSame(s, who, reply.Text)
	}
	var failed *agents.SpeakError
	var unread *verdict.UnreadError
	switch {
	case ctx.Err() != nil:
		return debate.Consensus{}, ctx.Err()
	case errors.As(err, &failed):
		c.Same = &debate.SameFindings{By: who.Name, Ignored: causeText(failed.Failure)}
	case errors.As(err, &unread):
		c.Same = &debate.SameFindings{By: who.Name, Ignored: unread.Error()}
	case err != nil:
		return debate.Consensus{}, err
	case reply.Cut != nil:
		c.Same = &debate.SameFindings{By: who.Name, Ignored: strings.TrimSuffix(debate.CutText(*reply.Cut), ".")}
	}
	return c, nil
}

// askAfterRound asks a model what the prompt of the analysis asks, unless it has answered
// that already.
func (j Judge) askAfterRound(ctx context.Context, s debate.Session, who agents.Profile, observe Observer) (agents.Reply, error) {
	who = s.WithOutputLimit(who)
	if temperature := analysisTemperature; s.Light != nil { // a chair may take its own alone
		who.Temperature = &temperature
	}
	client, err := j.provider(who)
	if err != nil {
		return agents.Reply{}, &agents.SpeakError{Speaker: who, Failure: &agents.Failure{
			Kind:  agents.KindConfig,
			Cause: err.Error(), Err: err,
		}}
	}
	built, err := prompt.Analysis(s)
	if err != nil {
		return agents.Reply{}, err
	}
	who = who.ForAuxiliary(analysisOutput, built.Messages())
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.AnalysisStep, Attempt: s.LightAttempt + 1, Agent: who.ID}
	light := agents.Agent{Profile: who, Client: client, Schema: prompt.AnalysisSchema(s), Auxiliary: true}
	if reply, ok := s.CachedAnswer(turn.Step, who.ID, light.Request(built.Messages(), nil)); ok {
		return reply, nil
	}
	return light.Speak(ctx, turn, built.Messages(), nil, func(p agents.Progress) error { return observe(turn, who, p) })
}

// The times that the light model may take for the analysis of a round. An agent with a
// loop of its own starts a session for it, and thinks in steps.
const (
	analysisTimeout     = time.Minute
	loopAnalysisTimeout = 5 * time.Minute
)

// lightLimit returns how long a light model may take for what takes a model so long.
func lightLimit(light *agents.Profile, model time.Duration) time.Duration {
	if light != nil && light.Loop {
		return loopAnalysisTimeout
	}
	return model
}

var errLateAnalysis = errors.New("no analysis in time")

// measureAgreement measures the agreement after the last round. If the analysis fails
// the consensus is unavailable and says why; the error is the store's.
func (r *runner) measureAgreement(ctx context.Context, s debate.Session) (c debate.Consensus, err error) {
	who := analyst(s)
	if len(s.Due(r.Now()).Waiting) > 0 {
		return unavailableConsensus(s, "the provider of "+who.Name+" asked to wait for longer"), nil
	}
	turn := &auxTurn{runner: r, purpose: debate.ForLight}
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			r.reportPanic(panicked)
			c, err = unavailableConsensus(s, panicked.Error()), errors.Join(turn.storeErr(), turn.abandon(ctx, panicked))
		}
	}()
	limit := lightLimit(&who, analysisTimeout)
	limited, cancel := context.WithTimeoutCause(ctx, limit, errLateAnalysis)
	defer cancel()
	c, err = NewJudge(r.Provider).Assess(limited, s, func(t agents.Turn, who agents.Profile, event agents.Progress) error {
		if _, ok := event.(agents.Broken); ok && errors.Is(context.Cause(limited), errLateAnalysis) {
			event = withTimeoutFailure(event, who, limit)
		}
		return turn.observe(ctx, t, who, event)
	})
	switch {
	case err == nil:
		return c, nil
	case turn.storeErr() != nil:
		return c, turn.storeErr()
	case ctx.Err() == nil && errors.Is(context.Cause(limited), errLateAnalysis):
		return unavailableConsensus(s, fmt.Sprintf("%s did not answer within %s", who.Name, limit)), turn.abandon(ctx, err)
	}
	return unavailableConsensus(s, err.Error()), turn.abandon(ctx, err)
}

// analyst returns who is asked after a round.
func analyst(s debate.Session) agents.Profile {
	if s.Light != nil {
		return *s.Light
	}
	who, _ := verdict.Comparer(s)
	return who
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

func unavailableConsensus(s debate.Session, cause string) debate.Consensus {
	cause = strings.TrimSuffix(cause, ".")
	c := debate.Consensus{Method: debate.ConsensusUnavailable, Cause: cause, Answered: len(s.Current().Statements()), Seats: len(s.Seats)}
	if who, found := verdict.Comparer(s); len(found) > 0 {
		c.Same = &debate.SameFindings{By: who.Name, Ignored: cause}
	}
	return c
}
