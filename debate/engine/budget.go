package engine

import (
	"context"
	"errors"
	"fmt"
	"math"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/prompt"
	"roundtable/internal/text"
)

// reserve reserves what the next request may cost. It waits until other requests release
// what is missing; a summary or a JSON block is not worth waiting.
func (tr *turnRecorder) reserve(ctx context.Context) error {
	m := worstCase(tr.speaker, tr.inputEstimate, budget.TokenScale(tr.current(), tr.speaker, tr.response.Turn.Round))
	worthWaiting := tr.response.Turn.Step != debate.SummaryStep && tr.block == nil
	waited := false
	err := tr.limiter.reserve(ctx, m, worthWaiting, func() {
		waited = true
		tr.emit(debate.TurnQueued{Turn: tr.response.Turn, Budget: true})
	})
	var refused *agents.Failure
	if errors.As(err, &refused) {
		if tr.purpose == debate.ForMember && tr.block == nil {
			tr.limiter.exhaust()
		}
		return &agents.SpeakError{Speaker: tr.speaker, Failure: refused}
	}
	if err != nil {
		return err
	}
	tr.reserved = &m
	if waited {
		tr.emit(debate.TurnQueued{Turn: tr.response.Turn})
	}
	return nil
}

// beginRetry commits what a failed try cost, records the wait before the next one,
// announces that, and reserves what it may cost.
func (tr *turnRecorder) beginRetry(ctx context.Context, r agents.Retry) error {
	save, lost := context.WithoutCancel(ctx), agents.Usage{}
	if r.Failed != nil && tr.reserved != nil {
		lost = r.Failed.Took(tr.inputEstimate)
	}
	took := lost != agents.Usage{}
	if took {
		tr.commitReservation(save, lost)
		tr.lost = tr.lost.Add(lost)
	}
	if took || r.In > 0 {
		tr.response.WaitUntil = tr.Now().Add(r.In)
		err := tr.Recorder.RetryCall(save, tr.response.Turn, tr.completions, tr.lost, tr.speaker.Cost(tr.lost), tr.response.WaitUntil)
		if err := tr.checkStore("record a failed try", err); err != nil {
			return err
		}
	}
	tr.emit(debate.TurnRetrying{Turn: tr.response.Turn, Retry: r, At: tr.Now()})
	if !took {
		return nil
	}
	return tr.reserve(ctx)
}

// commitCall commits what the call under way used with all its tries.
func (tr *turnRecorder) commitCall(ctx context.Context, u agents.Usage) {
	u.Input, u.Output = u.Input-tr.lost.Input, u.Output-tr.lost.Output
	tr.lost = agents.Usage{}
	tr.commitReservation(ctx, u)
}

// commitReservation commits what a request used, if one is under way.
func (tr *turnRecorder) commitReservation(ctx context.Context, u agents.Usage) {
	if tr.reserved == nil {
		return
	}
	warning, passed := tr.limiter.commit(*tr.reserved, amountOf(u, tr.speaker.Cost(u)))
	tr.reserved = nil
	if passed != "" {
		tr.mustRecordNotices(ctx, debate.Notice{Code: "budget_passed", Text: passed, Round: tr.response.Turn.Round})
	}
	if warning != "" {
		tr.mustRecordNotices(ctx, debate.Notice{
			Code: noticeBudgetWarning, Text: warning + nextRoundEstimate(tr.current()),
			Round: tr.response.Turn.Round,
		})
	}
}

// nextRoundEstimate says what the next round is likely to cost, in the units of the
// budget; "" if there is none.
func nextRoundEstimate(s debate.Session) string {
	n := len(s.History) + 1
	if n > s.Rounds {
		return ""
	}
	f := budget.EstimateRound(s, n)
	switch {
	case s.Budget.USD > 0 && f.USD != nil:
		usd := (f.USD.Low + f.USD.High) / 2
		if usd >= 0.01 {
			usd = math.Round(usd*100) / 100
		}
		return fmt.Sprintf(" Round %d needs about %s.", n, text.CapMoney(usd))
	case s.Budget.Tokens > 0:
		return fmt.Sprintf(" Round %d needs about %.0f tokens.", n, (f.Tokens.Low+f.Tokens.High)/2)
	default:
		return ""
	}
}

// budgetError returns the error that names what is spent, and what a call needs.
func (r *runner) budgetError(s debate.Session, needed amount) error {
	total := r.limiter.totalSpent()
	return &debate.BudgetError{
		Budget: s.Budget, Spent: debate.Budget{USD: total.usd, Tokens: total.tokens},
		Needed: debate.Budget{USD: needed.usd, Tokens: needed.tokens},
	}
}

// affords reports whether the budget allows any call of the next round, and if not, what
// the smallest one could take. The prompts are those of now; what is said in the round
// only makes them longer.
func (r *runner) affords(s debate.Session) (needed amount, ok bool) {
	if !s.Budget.Capped() {
		return amount{}, true
	}
	snap, err := prompt.NextSnapshot(s)
	if err != nil {
		return amount{}, true // beginning the round says why
	}
	kit, err := r.plannedToolkit(snap)
	if err != nil {
		return amount{}, true
	}
	tools := agents.ToolTokens(kit.Specs())
	cache := prompt.NewSummaryCache(s, func(string) bool { return true })
	var seats []agents.ID
	for _, seat := range s.Seats {
		seats = append(seats, seat.ID)
	}
	needed = amount{usd: math.Inf(1), tokens: math.MaxInt}
	for _, step := range s.Mode.Steps(seats, snap.Round, snap.Rounds) {
		for _, id := range step.Seats {
			who, _ := s.Seat(id)
			who = s.WithOutputLimit(who)
			fit, _ := prompt.MemberFitter(s, snap, step, who, tools).Fit(cache)
			call := worstCase(who, fit.Tokens, budget.TokenScale(s, who, snap.Round))
			if r.limiter.allows(call) {
				return amount{}, true
			}
			needed = amount{min(needed.usd, call.usd), min(needed.tokens, call.tokens)}
		}
	}
	return needed, false
}

// stopByBudget ends the session because of its budget. The verdict on what there is
// follows.
func (r *runner) stopByBudget(ctx context.Context) error {
	s := r.current()
	next, err := r.Recorder.Stop(ctx, s.ID, debate.StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the session: %w", err)
	}
	r.update(func(debate.Session) debate.Session { return next })
	r.mustRecordNotices(ctx, debate.Notice{Code: "budget", Text: fmt.Sprintf("Stopped by the budget at %s of %s. %s",
		r.limiter.totalSpent().format(s.Budget), s.Budget, describeProgress(s)), Round: s.Current().Number})
	return nil
}

// describeProgress says whether the last round is complete.
func describeProgress(s debate.Session) string {
	round := s.Current()
	if len(s.SilentSeats(*round, round.StatementIDs())) > 0 {
		return fmt.Sprintf("Round %d is not complete.", round.Number)
	}
	return fmt.Sprintf("Round %d is complete.", round.Number)
}
