package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// analysisTimeout is how long the analysis of one round may take.
const analysisTimeout = time.Minute

var errLateAnalysis = errors.New("no analysis in time")

// assess has the agreement after the last round measured. What cannot be analysed
// is unavailable, with its cause; the error is the store's.
func (p *runner) assess(ctx context.Context, s debate.Session) (c debate.Consensus, err error) {
	watch := &auxTurn{runner: p, purpose: debate.ForLight}
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			p.defect(panicked)
			c, err = unavailable(s, panicked.Error()), errors.Join(watch.broken(), watch.abandon(ctx, panicked))
		}
	}()
	limited, cancel := context.WithTimeoutCause(ctx, analysisTimeout, errLateAnalysis)
	defer cancel()
	c, err = NewJudge(p.Provider).Assess(limited, s, func(t agents.Turn, who agents.Profile, pr agents.Progress) error {
		if _, ok := pr.(agents.Broken); ok && errors.Is(context.Cause(limited), errLateAnalysis) {
			pr = late(pr, who)
		}
		return watch.observe(ctx, t, who, pr)
	})
	switch {
	case err == nil:
		return c, nil
	case watch.broken() != nil:
		return c, watch.broken()
	case ctx.Err() == nil && errors.Is(context.Cause(limited), errLateAnalysis):
		return unavailable(s, fmt.Sprintf("%s did not answer within %s", s.Light.Name, analysisTimeout)), watch.abandon(ctx, err)
	}
	return unavailable(s, err.Error()), watch.abandon(ctx, err)
}

// late says of a call that was ended for its time that this was so.
func late(p agents.Progress, who agents.Profile) agents.Progress {
	b, ok := p.(agents.Broken)
	if !ok {
		return p
	}
	b.Failure = &agents.Failure{
		Kind: agents.KindSilence, Cause: fmt.Sprintf("%s did not answer within %s.", who.Name, analysisTimeout), Retryable: true, Tries: b.Failure.Tries,
	}
	return b
}

func unavailable(s debate.Session, cause string) debate.Consensus {
	return debate.Consensus{
		Method: debate.Unavailable, Cause: strings.TrimSuffix(cause, "."), Answered: len(s.Current().Statements()), Seats: len(s.Seats),
	}
}

// over goes on after a round that has ended: one of the session's endings holds,
// in their order, and is recorded, or the next round waits to be started.
func (p *runner) over(ctx context.Context, s debate.Session) error {
	if s.Verdict != nil {
		return nil
	}
	if s.Closes() != debate.NotStopped {
		return p.finish(ctx, s)
	}
	if veto := s.Veto(s.Ending()); veto != "" {
		if err := p.tell(ctx, debate.Notice{Code: "ending_vetoed", Text: veto, Round: len(s.History)}); err != nil {
			return err
		}
	}
	if p.purse.stopped() {
		return p.broke(ctx)
	}
	if s.Next() == 0 {
		return p.conclude(ctx)
	}
	return nil
}

// finish ends a debate that has come to its own end.
func (p *runner) finish(ctx context.Context, s debate.Session) error {
	if err := p.tell(ctx, debate.Notice{Code: "ended", Text: fmt.Sprintf("Ended: %s.", s.WhyEnded()), Round: len(s.History)}); err != nil {
		return err
	}
	return p.conclude(ctx)
}
