package engine

import (
	"context"
	"errors"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
)

// Assess measures agreement after the last round: by the light model where there
// is one and something to compare, else from stances and confidences. An answer of
// the model that fails or cannot be read is an unavailable consensus; the error is
// the context's or what observe returned.
func (j Judge) Assess(ctx context.Context, s debate.Session, observe Observer) (debate.Consensus, error) {
	c := verdict.Agreement(s)
	if s.Light == nil || c.Answered < 2 {
		return c, nil
	}
	found, err := j.analyse(ctx, s, observe)
	var failed *agents.SpeakError
	var unread *verdict.UnreadError
	switch {
	case err == nil:
		found.Method, found.Cause = debate.ByModel, c.Cause
		if c.Whole() {
			found.Cause = ""
		}
	case ctx.Err() != nil:
		return debate.Consensus{}, ctx.Err()
	case errors.As(err, &failed):
		found = debate.Consensus{Method: debate.Unavailable, Cause: s.Light.Name + " failed: " + strings.TrimSuffix(failed.Failure.Cause, ".")}
	case errors.As(err, &unread):
		found = debate.Consensus{Method: debate.Unavailable, Cause: s.Light.Name + " gave no analysis that can be read: " + unread.Error()}
	default:
		return debate.Consensus{}, err
	}
	found.Model, found.Answered, found.Seats, found.Opposed = s.Light.Model, c.Answered, c.Seats, c.Opposed
	return found, nil
}

// Bounds of the call that makes an analysis.
const (
	analysisTemperature = 0.0
	analysisOutput      = 4000 // tokens, reasoning included
)

// analyse has the light model measure the agreement.
func (j Judge) analyse(ctx context.Context, s debate.Session, observe Observer) (debate.Consensus, error) {
	who := s.Speaker(*s.Light)
	warmth := analysisTemperature
	who.Temperature = &warmth
	if who.MaxTokens == 0 {
		who.MaxTokens = analysisOutput
	}
	client, err := j.provider(who)
	if err != nil {
		return debate.Consensus{}, &agents.SpeakError{Speaker: who, Failure: &agents.Failure{Kind: agents.KindConfig, Cause: err.Error(), Err: err}}
	}
	built, err := prompt.Analysis(s)
	if err != nil {
		return debate.Consensus{}, err
	}
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.AnalysisStep, Attempt: s.LightTurns + 1, Agent: who.ID}
	light := agents.Agent{Profile: who, Client: client, Schema: prompt.AnalysisSchema()}
	if reply, ok := s.CachedAnswer(turn.Step, who.ID, light.Request(built.Messages(), nil)); ok {
		return verdict.ReadAnalysis(s, reply.Text)
	}
	reply, err := light.Speak(ctx, turn, built.Messages(), nil, func(p agents.Progress) error { return observe(turn, who, p) })
	if err != nil {
		return debate.Consensus{}, err
	}
	return verdict.ReadAnalysis(s, reply.Text)
}
