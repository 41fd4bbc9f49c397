package engine

import (
	"context"
	"errors"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// conclude has the verdict written and ends the session.
func (p *runner) conclude(ctx context.Context) error {
	s := p.current()
	if c := s.Current(); c == nil || s.Verdict != nil || s.Stopped == debate.NotStopped && (c.Ended.IsZero() || s.Next() > 0) {
		return fmt.Errorf("conclude session %s: %w", s.ID, debate.ErrNotReady)
	}
	if err := p.summarizeForChair(ctx); err != nil {
		return err
	}
	s = p.current()
	watch := &auxTurn{runner: p, purpose: debate.ForChair}
	stop := p.handleRetryNow()
	v, err := NewJudge(p.Provider).Conclude(ctx, s, func(t agents.Turn, who agents.Profile, pr agents.Progress) error {
		return watch.observe(ctx, t, who, pr)
	})
	err = errors.Join(err, stop())
	if err != nil {
		return fmt.Errorf("write the verdict: %w", errors.Join(err, watch.abandon(ctx, err)))
	}
	next, err := p.Recorder.SaveVerdict(ctx, s.ID, v)
	if err != nil {
		return fmt.Errorf("save the verdict: %w", err)
	}
	p.update(func(debate.Session) debate.Session { return next })
	p.emit(debate.Concluded{Verdict: v, At: p.Now()})
	return nil
}

// summarizeForChair makes the summaries that the chair's prompt takes to fit.
func (p *runner) summarizeForChair(ctx context.Context) error {
	s := p.current()
	who, ok := prompt.LikelyChair(s)
	if !ok {
		return nil
	}
	r, err := prompt.ChairFitter(s, who)
	if err != nil {
		return err
	}
	p.summarizer.fit(ctx, ctx, r)
	return ctx.Err()
}
