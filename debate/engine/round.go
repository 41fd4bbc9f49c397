package engine

import (
	"context"
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/debate/verdict"
)

// beginRound releases the answers and begins a new round.
func (r *runner) beginRound(ctx context.Context, s debate.Session) error {
	n := s.Next()
	if open := s.Unanswered(); len(open) > 0 {
		return &debate.BlockedError{Session: s.ID, Round: n, Requests: open}
	}
	if err := s.Mode.CheckNames(s.Seats); err != nil {
		return err
	}
	if needed, ok := r.affords(s); !ok {
		if s.Current() == nil {
			return r.budgetError(s, needed)
		}
		return r.stopByBudget(ctx)
	}
	if _, err := r.openWorkspaces(ctx); err != nil {
		return err
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
	r.announceRound(ctx, next, facts)
	return nil
}

// announceRound announces once that the run plays a round, or the rest of one.
func (r *runner) announceRound(ctx context.Context, s debate.Session, facts []string) {
	c := s.Current()
	if c.Number == r.announced {
		return
	}
	r.announced = c.Number
	r.emit(debate.RoundStarted{Session: s, Round: c.Number, Hash: c.Hash, Facts: facts, At: r.Now()})
	r.warnAboutRoster(ctx)
}

// endRound measures the agreement and ends the round. In a debate that the user cut short
// no model is asked.
func (r *runner) endRound(ctx context.Context) error {
	s := r.current()
	n := s.Current().Number
	c := verdict.Agreement(s)
	if !s.Stopped.Forced() {
		var err error
		r.learnLightWindow(ctx)
		if c, err = r.measureAgreement(ctx, r.current()); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Results = verdict.Results(s, n)
	s.History = slices.Clone(s.History)
	s.History[n-1].Consensus = &c
	ending := verdict.Ending(s, c)
	if err := r.warnAboutConvergence(ctx, s); err != nil {
		return err
	}
	if err := r.commit(ctx, func(ctx context.Context) (debate.Session, error) {
		return r.Recorder.EndRound(ctx, s.ID, n, c, ending)
	}); err != nil {
		return fmt.Errorf("end round %d: %w", n, err)
	}
	r.roundEnded = true
	r.emit(debate.Assessed{Round: n, Consensus: c, At: r.Now()})
	return r.afterRound(ctx, ending)
}

// afterRound says why the debate ends with the round that has ended, or why it goes on
// although an end condition holds or although only one seat answered.
func (r *runner) afterRound(ctx context.Context, ending debate.StopReason) error {
	s := r.current()
	n := debate.Notice{Round: len(s.History)}
	few := debate.TooFewAnswers(s, *s.Current())
	switch veto := s.VetoNotice(ending); {
	case r.goesOn && few != nil:
		n.Code, n.Text = "round_closed", fmt.Sprintf("Round %d ends with %s alone, as you decided: %s did not answer.", n.Round,
			few.Answered, few.Missing())
	case veto != "":
		n.Code, n.Text = "ending_vetoed", veto
	case ending != debate.NotStopped && s.Stopped == ending:
		n.Code, n.Text = "ended", fmt.Sprintf("Ended: %s.", s.EndReason())
	}
	if n.Code != "" {
		if err := r.recordNotices(ctx, n); err != nil {
			return err
		}
	}
	if r.limiter.isExhausted() && s.Stopped == debate.NotStopped {
		return r.stopByBudget(ctx)
	}
	return nil
}
