package engine

import (
	"context"
	"fmt"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// conclude writes the verdict, which ends the session.
func (r *runner) conclude(ctx context.Context) error {
	r.learnWindows(ctx)
	if err := r.summarizeForChair(ctx); err != nil {
		return err
	}
	s := r.current()
	turn := &auxTurn{runner: r, purpose: debate.ForChair}
	v, err := NewJudge(r.Provider).Conclude(ctx, s, func(t agents.Turn, who agents.Profile, event agents.Progress) error {
		return turn.observe(ctx, t, who, event)
	})
	if err != nil {
		return fmt.Errorf("write the verdict: %w", joinErrors(err, turn.abandon(ctx, err)))
	}
	if err := r.commit(ctx, func(ctx context.Context) (debate.Session, error) { return r.Recorder.SaveVerdict(ctx, s.ID, v) }); err != nil {
		return fmt.Errorf("save the verdict: %w", err)
	}
	r.emit(debate.Concluded{Verdict: v, At: r.Now()})
	return nil
}

// summarizeForChair makes the summaries that the chair's prompt needs to fit.
func (r *runner) summarizeForChair(ctx context.Context) error {
	s := r.current()
	who, ok := prompt.LikelyChair(s)
	if !ok {
		return nil
	}
	fitter, err := prompt.ChairFitter(s, who)
	if err != nil {
		return err
	}
	r.summarizer.fit(ctx, ctx, fitter)
	return ctx.Err()
}
