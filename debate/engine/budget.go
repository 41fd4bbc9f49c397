package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// reserve sets aside what the request that is about to be sent could take. Members
// wait for others to settle; beside a chair nobody spends, and a summary is not
// worth it.
func (w *turnRecorder) reserve(ctx context.Context) error {
	s := w.current()
	if !s.Budget.Capped() {
		return nil
	}
	m := worstCase(w.speaker, w.inputEstimate, s.TokenScale(w.speaker, w.response.Turn.Round))
	err := w.limiter.reserve(ctx, m, w.purpose == debate.ForMember, func() { w.emit(debate.TurnQueued{Turn: w.response.Turn}) })
	if err != nil {
		return w.speakError(err)
	}
	w.reserved = &m
	return nil
}

// extendReservation counts a try that failed, as far as the server said what it took; of one
// that said nothing the prompt is counted until the call is settled.
func (w *turnRecorder) extendReservation(r agents.Retry) error {
	if w.reserved == nil {
		return nil
	}
	lost := agents.Usage{Input: w.inputEstimate}
	if f := r.Failed; f != nil && f.Usage != nil {
		lost = *f.Usage
	}
	m := amountOf(lost, w.speaker.Cost(lost))
	if err := w.limiter.extend(*w.reserved, m, w.purpose != debate.ForLight); err != nil {
		return w.speakError(err)
	}
	*w.reserved = w.reserved.plus(m)
	return nil
}

// commitReservation settles the request under way, if there is one.
func (w *turnRecorder) commitReservation(ctx context.Context, u agents.Usage) {
	if w.reserved == nil {
		return
	}
	warn := w.limiter.commit(*w.reserved, amountOf(u, w.speaker.Cost(u)))
	w.reserved = nil
	if warn != "" {
		w.mustRecordNotices(ctx, debate.Notice{Code: noticeBudgetWarning, Text: warn + nextRoundEstimate(w.current()), Round: w.response.Turn.Round})
	}
}

// nextRoundEstimate says what the round after the present one is likely to take, as the budget
// counts it; "" where none is to come.
func nextRoundEstimate(s debate.Session) string {
	n := len(s.History) + 1
	if n > s.Rounds {
		return ""
	}
	f := s.RoundForecast(n)
	switch {
	case s.Budget.USD > 0 && f.USD != nil:
		usd := (f.USD.Low + f.USD.High) / 2
		if usd >= 0.01 {
			usd = math.Round(usd*100) / 100
		}
		return fmt.Sprintf(" Round %d needs about %s.", n, debate.CapUSD(usd))
	case s.Budget.Tokens > 0:
		return fmt.Sprintf(" Round %d needs about %.0f tokens.", n, (f.Tokens.Low+f.Tokens.High)/2)
	default:
		return ""
	}
}

// speakError makes the speaker's failure of a refusal.
func (w *turnRecorder) speakError(err error) error {
	var f *agents.Failure
	if !errors.As(err, &f) {
		return err
	}
	return &agents.SpeakError{Speaker: w.speaker, Failure: f}
}

func (p *runner) budgetError(s debate.Session) error {
	spent := p.limiter.totalSpent()
	return &debate.BudgetError{Budget: s.Budget, Spent: debate.Budget{USD: spent.usd, Tokens: spent.tokens}}
}

// affords reports whether the budget allows any call of the next round, as far as
// can be said before.
func (p *runner) affords(s debate.Session) bool {
	if !s.Budget.Capped() {
		return true
	}
	snap, err := prompt.NextSnapshot(s)
	if err != nil {
		return true // beginning the round says why
	}
	kit, err := p.toolkit(snap, debate.Step{})
	if err != nil {
		return true
	}
	tools := agents.ToolTokens(kit.Specs())
	return slices.ContainsFunc(s.Seats, func(seat agents.Profile) bool {
		who := s.WithOutputLimit(seat)
		asks := agents.Request{Messages: prompt.Member(snap.Mode, snap, debate.Step{}, who).Messages()}.Tokens() + tools
		return p.limiter.allows(worstCase(who, min(asks, s.PromptLimit(who, snap.Round)), s.TokenScale(who, snap.Round)))
	})
}

// stopByBudget ends the session for its budget: with a verdict on what there is.
func (p *runner) stopByBudget(ctx context.Context) error {
	s := p.current()
	if s.Current() == nil {
		return p.budgetError(s)
	}
	next, err := p.Recorder.Stop(ctx, s.ID, debate.StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the session: %w", err)
	}
	p.update(func(debate.Session) debate.Session { return next })
	p.mustRecordNotices(ctx, debate.Notice{Code: "budget", Text: fmt.Sprintf("Stopped by budget at %s of %s. %s", p.limiter.totalSpent().format(s.Budget), s.Budget, describeProgress(s)), Round: s.Current().Number})
	return p.conclude(ctx)
}

// describeProgress says whether the last round was played to its end.
func describeProgress(s debate.Session) string {
	c := s.Current()
	if len(s.SilentSeats(*c, c.StatementIDs())) > 0 {
		return fmt.Sprintf("Round %d is not complete.", c.Number)
	}
	return fmt.Sprintf("Round %d is complete.", c.Number)
}
