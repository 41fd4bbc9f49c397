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

// Assess measures agreement after the last round: by the light model if there is one and
// something to compare, otherwise from the votes. If the model fails or its answer
// cannot be read the consensus is unavailable. The error is the context's or what
// observe returned.
func (j Judge) Assess(ctx context.Context, s debate.Session, observe Observer) (debate.Consensus, error) {
	c := verdict.Agreement(s)
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
			missing := fmt.Sprintf("only %d of %s answered; ", c.Answered, text.Count(c.Seats, "member"))
			found.Cause = strings.TrimSuffix(missing+found.Cause, "; ")
		}
	case ctx.Err() != nil:
		return debate.Consensus{}, ctx.Err()
	case errors.As(err, &failed):
		found = debate.Consensus{Method: debate.ConsensusUnavailable, Cause: s.Light.Name + " failed: " +
			strings.TrimSuffix(failed.Failure.Cause, ".")}
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
	analysisOutput      = 4000 // tokens, reasoning included
)

// analyze has the light model measure the agreement. It is unavailable if the server read
// only the end of the prompt.
func (j Judge) analyze(ctx context.Context, s debate.Session, observe Observer) (debate.Consensus, error) {
	who := s.WithOutputLimit(*s.Light)
	temperature := analysisTemperature
	who.Temperature = &temperature
	if who.MaxTokens == 0 {
		who.MaxTokens = analysisOutput
	}
	client, err := j.provider(who)
	if err != nil {
		return debate.Consensus{}, &agents.SpeakError{Speaker: who, Failure: &agents.Failure{
			Kind:  agents.KindConfig,
			Cause: err.Error(), Err: err,
		}}
	}
	built, err := prompt.Analysis(s)
	if err != nil {
		return debate.Consensus{}, err
	}
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.AnalysisStep, Attempt: s.LightTurns + 1, Agent: who.ID}
	light := agents.Agent{Profile: who, Client: client, Schema: prompt.AnalysisSchema(s)}
	if reply, ok := s.CachedAnswer(turn.Step, who.ID, light.Request(built.Messages(), nil)); ok {
		return verdict.ReadAnalysis(s, reply.Text)
	}
	reply, err := light.Speak(ctx, turn, built.Messages(), nil, func(p agents.Progress) error { return observe(turn, who, p) })
	switch {
	case err != nil:
		return debate.Consensus{}, err
	case reply.Cut != nil:
		return debate.Consensus{Method: debate.ConsensusUnavailable, Cause: who.Name + ": " + debate.CutText(*reply.Cut)}, nil
	}
	return verdict.ReadAnalysis(s, reply.Text)
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
	if len(s.Due(r.Now()).Waiting) > 0 {
		return unavailableConsensus(s, "the provider of "+s.Light.Name+" asked to wait for longer"), nil
	}
	turn := &auxTurn{runner: r, purpose: debate.ForLight}
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			r.reportPanic(panicked)
			c, err = unavailableConsensus(s, panicked.Error()), errors.Join(turn.storeErr(), turn.abandon(ctx, panicked))
		}
	}()
	limit := lightLimit(s.Light, analysisTimeout)
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
		return unavailableConsensus(s, fmt.Sprintf("%s did not answer within %s", s.Light.Name, limit)), turn.abandon(ctx, err)
	}
	return unavailableConsensus(s, err.Error()), turn.abandon(ctx, err)
}

// withTimeoutFailure replaces the failure of a call that was ended by its timeout.
func withTimeoutFailure(p agents.Progress, who agents.Profile, limit time.Duration) agents.Progress {
	broken, ok := p.(agents.Broken)
	if !ok {
		return p
	}
	broken.Failure = &agents.Failure{
		Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not answer within %s.", who.Name,
			limit), Retryable: true, Tries: broken.Failure.Tries,
	}
	return broken
}

func unavailableConsensus(s debate.Session, cause string) debate.Consensus {
	return debate.Consensus{
		Method: debate.ConsensusUnavailable, Cause: strings.TrimSuffix(cause,
			"."), Answered: len(s.Current().Statements()), Seats: len(s.Seats),
	}
}
