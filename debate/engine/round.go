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
func (r *runner) beginRound(ctx context.Context, s debate.Session) error {
	n := s.Next()
	if open := s.Unanswered(); len(open) > 0 {
		return &debate.BlockedError{Session: s.ID, Round: n, Requests: open}
	}
	if err := s.Mode.CheckNames(s.Seats); err != nil {
		return err
	}
	if !r.affords(s) {
		return r.stopByBudget(ctx)
	}
	next, err := r.Recorder.BeginRound(ctx, s.ID, n)
	if err != nil {
		return fmt.Errorf("begin round %d: %w", n, err)
	}
	r.update(func(debate.Session) debate.Session { return next })
	var facts []string
	for _, request := range next.Requests {
		if k := len(request.Delivered); k > 0 && request.Delivered[k-1].Round == n {
			facts = append(facts, request.ID)
		}
	}
	return r.playRound(ctx, n, facts)
}

// playRound plays the remaining steps of a round, ends it, and writes the verdict after
// the last one.
func (r *runner) playRound(ctx context.Context, n int, facts []string) error {
	s := r.current()
	round := s.History[n-1]
	r.emit(debate.RoundStarted{Session: s, Round: n, Hash: round.Hash, Facts: facts, At: r.Now()})
	r.warnAboutRoster(ctx)
	if err := r.fillLists(ctx); err != nil {
		return err
	}
	s = r.current()
	snap, err := prompt.NewSnapshot(s, n)
	if err != nil {
		return err
	}
	nobodyAnswered := !slices.ContainsFunc(round.Responses, func(x debate.Response) bool { return x.State == debate.TurnDone })
	for _, step := range snap.Mode.Steps(round.Manifest.Seats, n, snap.Rounds) {
		kit, err := r.toolkit(snap, step)
		if err != nil {
			return err
		}
		st := &stepRunner{runner: r, snap: snap, step: step, toolkit: kit}
		done, err := st.run(ctx, round, nobodyAnswered)
		if err != nil {
			return err
		}
		snap = snap.With(done).WithRequests(r.current().Requests)
	}
	return r.endRound(ctx, n)
}

// endRound measures the agreement and ends the round.
func (r *runner) endRound(ctx context.Context, n int) error {
	s := r.current()
	if done := s.History[n-1].StatementIDs(); len(done) == 0 && !r.limiter.isExhausted() {
		return &debate.RoundFailedError{Round: n, Causes: s.SilentSeats(s.History[n-1], done)}
	}
	c, err := r.measureAgreement(ctx, s)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	c.Results = verdict.Results(s, n)
	s.History = slices.Clone(s.History)
	s.History[n-1].Consensus = &c
	ending := verdict.Ending(s, c)
	if err := r.warnAboutConvergence(ctx, s); err != nil {
		return err
	}
	next, err := r.Recorder.EndRound(ctx, s.ID, n, c, ending)
	if err != nil {
		return fmt.Errorf("end round %d: %w", n, err)
	}
	r.update(func(debate.Session) debate.Session { return next })
	r.emit(debate.Assessed{Round: n, Consensus: c, At: r.Now()})
	return r.afterRound(ctx, next, ending)
}

// retrySeat runs a seat of the ended round again.
func (r *runner) retrySeat(ctx context.Context, seat agents.ID) error {
	s := r.current()
	if err := s.CheckBudget(); err != nil {
		return err
	}
	round := s.Current()
	if round == nil || round.Ended.IsZero() || s.Verdict != nil {
		return fmt.Errorf("retry %s: %w", seat, debate.ErrNotReady)
	}
	snap, err := prompt.NewSnapshot(s, round.Number)
	if err != nil {
		return err
	}
	for _, step := range snap.Mode.Steps(round.Manifest.Seats, round.Number, snap.Rounds) {
		var said []debate.Response // in this step, whose seats do not see each other
		for _, x := range round.Latest() {
			if x.Turn.Step != step.Index {
				continue
			}
			if x.Turn.Agent == seat && x.State != debate.TurnDone {
				kit, err := r.toolkit(snap, step)
				if err != nil {
					return err
				}
				st := &stepRunner{runner: r, snap: snap, step: step, toolkit: kit}
				if _, err := st.runSeat(ctx, *round, seat); err != nil {
					return err
				}
				return r.endRound(ctx, round.Number)
			}
			said = append(said, x)
		}
		snap = snap.With(said).WithRequests(s.Requests)
	}
	return fmt.Errorf("retry %s: it did not fail in round %d: %w", seat, round.Number, debate.ErrNotReady)
}

// afterRound writes the verdict if the debate is over with the round that has ended.
// Ending is the end condition that holds.
func (r *runner) afterRound(ctx context.Context, s debate.Session, ending debate.StopReason) error {
	if s.Verdict != nil {
		return nil
	}
	if ending != debate.NotStopped && !s.Vetoes(ending) {
		return r.concludeEarly(ctx, s)
	}
	if veto := s.VetoNotice(ending); veto != "" {
		if err := r.recordNotices(ctx, debate.Notice{Code: "ending_vetoed", Text: veto, Round: len(s.History)}); err != nil {
			return err
		}
	}
	if r.limiter.isExhausted() {
		return r.stopByBudget(ctx)
	}
	if s.Next() == 0 {
		return r.conclude(ctx)
	}
	return nil
}

// concludeEarly writes the verdict of a debate that one of its end conditions has ended.
func (r *runner) concludeEarly(ctx context.Context, s debate.Session) error {
	if err := r.recordNotices(ctx, debate.Notice{
		Code: "ended", Text: fmt.Sprintf("Ended: %s.", s.EndReason()),
		Round: len(s.History),
	}); err != nil {
		return err
	}
	return r.conclude(ctx)
}
