package engine

import (
	"context"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
)

// beginRound releases the answers and plays a new round.
func (p *runner) beginRound(ctx context.Context, s debate.Session) error {
	n := s.Next()
	if open := s.Unanswered(); len(open) > 0 {
		return &debate.BlockedError{Session: s.ID, Round: n, Requests: open}
	}
	if err := s.Mode.CheckNames(s.Seats); err != nil {
		return err
	}
	if !p.affords(s) {
		return p.stopByBudget(ctx)
	}
	next, err := p.Recorder.BeginRound(ctx, s.ID, n)
	if err != nil {
		return fmt.Errorf("begin round %d: %w", n, err)
	}
	p.update(func(debate.Session) debate.Session { return next })
	var facts []string
	for _, r := range next.Requests {
		if k := len(r.Delivered); k > 0 && r.Delivered[k-1].Round == n {
			facts = append(facts, r.ID)
		}
	}
	return p.playRound(ctx, n, facts)
}

// playRound plays the steps of a round that has begun, closes it, and concludes
// after the last one.
func (p *runner) playRound(ctx context.Context, n int, facts []string) error {
	s := p.current()
	r := s.History[n-1]
	p.emit(debate.RoundStarted{Session: s, Round: n, Hash: r.Hash, Facts: facts, At: p.Now()})
	p.warnAboutRoster(ctx)
	if err := p.fillLists(ctx); err != nil {
		return err
	}
	s = p.current()
	snap, err := prompt.NewSnapshot(s, n)
	if err != nil {
		return err
	}
	nobodyAnswered := !slices.ContainsFunc(r.Responses, func(x debate.Response) bool { return x.State == debate.TurnDone })
	for _, step := range snap.Mode.Steps(r.Manifest.Seats, n, snap.Rounds) {
		kit, err := p.toolkit(snap, step)
		if err != nil {
			return err
		}
		st := &stepRunner{runner: p, snap: snap, step: step, toolkit: kit}
		done, err := st.run(ctx, r, nobodyAnswered)
		if err != nil {
			return err
		}
		snap = snap.With(done)
	}
	return p.endRound(ctx, n)
}

// endRound ends the round after its last step.
func (p *runner) endRound(ctx context.Context, n int) error {
	s := p.current()
	if done := s.History[n-1].StatementIDs(); len(done) == 0 && !p.limiter.isExhausted() {
		return &debate.RoundFailedError{Round: n, Causes: s.SilentSeats(s.History[n-1], done)}
	}
	c, err := p.measureAgreement(ctx, s)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	c.Results = verdict.Results(s, n)
	ending := verdict.Ending(s, c)
	next, err := p.Recorder.EndRound(ctx, s.ID, n, c, ending)
	if err != nil {
		return fmt.Errorf("end round %d: %w", n, err)
	}
	p.update(func(debate.Session) debate.Session { return next })
	p.emit(debate.Assessed{Round: n, Consensus: c, At: p.Now()})
	return p.afterRound(ctx, next, ending)
}

// retrySeat runs one seat of the ended round again.
func (p *runner) retrySeat(ctx context.Context, seat agents.ID) error {
	s := p.current()
	if err := s.CheckBudget(); err != nil {
		return err
	}
	r := s.Current()
	if r == nil || r.Ended.IsZero() || s.Verdict != nil {
		return fmt.Errorf("run %s again: %w", seat, debate.ErrNotReady)
	}
	snap, err := prompt.NewSnapshot(s, r.Number)
	if err != nil {
		return err
	}
	for _, step := range snap.Mode.Steps(r.Manifest.Seats, r.Number, snap.Rounds) {
		var said []debate.Response // of this step, which its own seats do not see
		for _, x := range r.Latest() {
			if x.Turn.Step != step.Index {
				continue
			}
			if x.Turn.Agent == seat && x.State != debate.TurnDone {
				kit, err := p.toolkit(snap, step)
				if err != nil {
					return err
				}
				st := &stepRunner{runner: p, snap: snap, step: step, toolkit: kit}
				if _, err := st.runSeat(ctx, *r, seat); err != nil {
					return err
				}
				return p.endRound(ctx, r.Number)
			}
			said = append(said, x)
		}
		snap = snap.With(said)
	}
	return fmt.Errorf("run %s again: it has not failed in round %d: %w", seat, r.Number, debate.ErrNotReady)
}

// afterRound writes the verdict if the debate is over with the round that has ended.
// Ending is the end condition that holds.
func (p *runner) afterRound(ctx context.Context, s debate.Session, ending debate.StopReason) error {
	if s.Verdict != nil {
		return nil
	}
	if ending != debate.NotStopped && !s.Vetoes(ending) {
		return p.concludeEarly(ctx, s)
	}
	if veto := s.VetoNotice(ending); veto != "" {
		if err := p.recordNotices(ctx, debate.Notice{Code: "ending_vetoed", Text: veto, Round: len(s.History)}); err != nil {
			return err
		}
	}
	if p.limiter.isExhausted() {
		return p.stopByBudget(ctx)
	}
	if s.Next() == 0 {
		return p.conclude(ctx)
	}
	return nil
}

// concludeEarly ends a debate that has come to its own end.
func (p *runner) concludeEarly(ctx context.Context, s debate.Session) error {
	if err := p.recordNotices(ctx, debate.Notice{Code: "ended", Text: fmt.Sprintf("Ended: %s.", s.EndReason()), Round: len(s.History)}); err != nil {
		return err
	}
	return p.conclude(ctx)
}
