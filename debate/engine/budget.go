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
	"roundtable/internal/text"
)

// reserve reserves what the next request may cost. Members wait until other calls
// release what is missing; a chair has nobody to wait for, and a summary or a JSON block
// is not worth waiting.
func (tr *turnRecorder) reserve(ctx context.Context) error {
	s := tr.current()
	if !s.Budget.Capped() {
		return nil
	}
	m := worstCase(tr.speaker, tr.inputEstimate, s.TokenScale(tr.speaker, tr.response.Turn.Round))
	wait := tr.purpose == debate.ForMember && tr.block == nil
	err := tr.limiter.reserve(ctx, m, wait, func() { tr.emit(debate.TurnQueued{Turn: tr.response.Turn}) })
	if err != nil {
		return tr.speakError(err)
	}
	tr.reserved = &m
	return nil
}

// extendReservation adds what a failed try cost, as far as the server reported it. If it
// reported nothing the prompt is counted until the call ends.
func (tr *turnRecorder) extendReservation(r agents.Retry) error {
	if tr.reserved == nil {
		return nil
	}
	lost := agents.Usage{Input: tr.inputEstimate}
	if f := r.Failed; f != nil && f.Usage != nil {
		lost = *f.Usage
	}
	m := amountOf(lost, tr.speaker.Cost(lost))
	if err := tr.limiter.extend(*tr.reserved, m, tr.purpose != debate.ForLight && tr.block == nil); err != nil {
		return tr.speakError(err)
	}
	*tr.reserved = tr.reserved.plus(m)
	return nil
}

// commitReservation settles the request under way, if there is one.
func (tr *turnRecorder) commitReservation(ctx context.Context, u agents.Usage) {
	if tr.reserved == nil {
		return
	}
	warn := tr.limiter.commit(*tr.reserved, amountOf(u, tr.speaker.Cost(u)))
	tr.reserved = nil
	if warn != "" {
		tr.mustRecordNotices(ctx, debate.Notice{
			Code: noticeBudgetWarning, Text: warn + nextRoundEstimate(tr.current()),
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
	f := s.RoundForecast(n)
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

// speakError turns a refusal of the limiter into the speaker's failure.
func (tr *turnRecorder) speakError(err error) error {
	var f *agents.Failure
	if !errors.As(err, &f) {
		return err
	}
	return &agents.SpeakError{Speaker: tr.speaker, Failure: f}
}

// budgetError returns the error that names what is spent.
func (r *runner) budgetError(s debate.Session) error {
	total := r.limiter.totalSpent()
	return &debate.BudgetError{Budget: s.Budget, Spent: debate.Budget{USD: total.usd, Tokens: total.tokens}}
}

// affords reports whether the budget allows any call of the next round, as far as this
// can be estimated.
func (r *runner) affords(s debate.Session) bool {
	if !s.Budget.Capped() {
		return true
	}
	snap, err := prompt.NextSnapshot(s)
	if err != nil {
		return true // beginning the round says why
	}
	kit, err := r.toolkit(snap, debate.Step{})
	if err != nil {
		return true
	}
	tools := agents.ToolTokens(kit.Specs())
	return slices.ContainsFunc(s.Seats, func(seat agents.Profile) bool {
		who := s.WithOutputLimit(seat)
		inputTokens := agents.Request{Messages: prompt.Member(snap.Mode, snap, debate.Step{}, who).Messages()}.Tokens() + tools
		return r.limiter.allows(worstCase(who, min(inputTokens, s.PromptLimit(who, snap.Round)), s.TokenScale(who, snap.Round)))
	})
}

// stopByBudget ends the session because of its budget. The verdict on what there is
// follows.
func (r *runner) stopByBudget(ctx context.Context) error {
	s := r.current()
	if s.Current() == nil {
		return r.budgetError(s)
	}
	next, err := r.Recorder.Stop(ctx, s.ID, debate.StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the session: %w", err)
	}
	r.update(func(debate.Session) debate.Session { return next })
	r.mustRecordNotices(ctx, debate.Notice{Code: "budget", Text: fmt.Sprintf("Stopped by budget at %s of %s. %s",
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
