package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
)

const (
	compareTemperature = 0.0
	compareOutput      = 1000 // tokens of the text that is wanted
)

// The times that a model may take to compare findings. An agent with a loop of its own starts
// a session for it, and thinks in steps.
const (
	compareTimeout     = time.Minute
	loopCompareTimeout = 5 * time.Minute
)

func compareLimit(who agents.Profile) time.Duration {
	if who.Loop {
		return loopCompareTimeout
	}
	return compareTimeout
}

// compareFindings has a model say after round 1 of a review which findings are the same
// defect; nil if there are none. If it fails they stay apart, and what is stored says why. The
// error is the store's or the context's.
func (r *runner) compareFindings(ctx context.Context) (*debate.SameFindings, error) {
	if _, found := verdict.Comparer(r.current()); len(found) == 0 {
		return nil, nil
	}
	r.learnWindows(ctx)
	s := r.current()
	who, _ := verdict.Comparer(s)
	ignored := func(cause string) (*debate.SameFindings, error) {
		return &debate.SameFindings{By: who.Name, Ignored: strings.TrimSuffix(cause, ".")}, nil
	}
	if len(s.Due(r.Now()).Waiting) > 0 {
		return ignored("the provider of " + who.Name + " asked to wait for longer")
	}
	reply, failure, err := r.askToCompare(ctx, s, who)
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		return ignored(causeText(failure))
	case reply.Cut != nil:
		return ignored(debate.CutText(*reply.Cut))
	}
	return verdict.ReadSame(s, who, reply.Text), nil
}

// askToCompare asks a model which findings are the same, unless it has answered that already.
func (r *runner) askToCompare(ctx context.Context, s debate.Session, who agents.Profile) (
	reply agents.Reply, failure *debate.TurnFailure, err error,
) {
	who = s.WithOutputLimit(who)
	if temperature := compareTemperature; s.Light != nil { // a chair may take its own alone
		who.Temperature = &temperature
	}
	built, err := prompt.Compare(s)
	if err != nil {
		return reply, nil, err
	}
	msgs := built.Messages()
	who = who.ForAuxiliary(compareOutput, msgs)
	light := agents.Agent{Profile: who, Schema: prompt.CompareSchema()}
	if client, err := r.Provider(who); err == nil { // the request depends on it
		light.Client = client
	}
	if k, ok := s.CachedReplyFor(debate.CompareStep, who.ID, light.Request(msgs, nil)); ok && k.Failure == nil {
		return k.Reply, nil, nil
	}
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Step: debate.CompareStep, Attempt: s.LightAttempt + 1, Agent: who.ID}
	tr := r.auxiliary(debate.ForLight, turn, who)
	tr.schema = light.Schema
	limit := compareLimit(who)
	limited, cancel := context.WithTimeoutCause(ctx, limit, &agents.Failure{
		Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not answer within %s.", who.Name, limit),
	})
	defer cancel()
	reply, err = tr.play(limited, msgs)
	return reply, tr.response.Failure, cmp.Or(err, ctx.Err())
}

// causeText returns why an auxiliary request failed. What helps is said only for an answer
// without words.
func causeText(f *debate.TurnFailure) string {
	if f.Kind != agents.KindEmpty || f.Remedy == "" {
		return f.Cause
	}
	return f.Cause + " " + agents.Next(f.Kind, f.Remedy)
}
