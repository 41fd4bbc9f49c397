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

// hold sets aside what the request that is about to be sent could take. Members
// wait for others to settle; beside a chair nobody spends, and a summary is not
// worth it.
func (w *turnRecorder) hold(ctx context.Context) error {
	s := w.current()
	if !s.Budget.Capped() {
		return nil
	}
	m := need(w.who, w.reads, s.TokenScale(w.who, w.response.Turn.Round))
	err := w.purse.reserve(ctx, m, w.purpose == debate.ForMember, func() { w.emit(debate.TurnQueued{Turn: w.response.Turn}) })
	if err != nil {
		return w.refused(err)
	}
	w.held = &m
	return nil
}

// again counts a try that failed, as far as the server said what it took; of one
// that said nothing the prompt is counted until the call is settled.
func (w *turnRecorder) again(r agents.Retry) error {
	if w.held == nil {
		return nil
	}
	lost := agents.Usage{Input: w.reads}
	if f := r.Failed; f != nil && f.Usage != nil {
		lost = *f.Usage
	}
	m := moneyOf(lost, w.who.Cost(lost))
	if err := w.purse.extend(*w.held, m, w.purpose != debate.ForLight); err != nil {
		return w.refused(err)
	}
	*w.held = w.held.plus(m)
	return nil
}

// pay settles the request under way, if there is one.
func (w *turnRecorder) pay(ctx context.Context, u agents.Usage) {
	if w.held == nil {
		return
	}
	warn := w.purse.commit(*w.held, moneyOf(u, w.who.Cost(u)))
	w.held = nil
	if warn != "" {
		w.notice(ctx, debate.Notice{Code: noticeBudget, Text: warn + needs(w.current()), Round: w.response.Turn.Round})
	}
}

// needs says what the round after the present one is likely to take, as the budget
// counts it; "" where none is to come.
func needs(s debate.Session) string {
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
		return fmt.Sprintf(" Round %d needs about %s.", n, debate.Dollars(usd))
	case s.Budget.Tokens > 0:
		return fmt.Sprintf(" Round %d needs about %.0f tokens.", n, (f.Tokens.Low+f.Tokens.High)/2)
	default:
		return ""
	}
}

// refused makes the speaker's failure of a refusal.
func (w *turnRecorder) refused(err error) error {
	var f *agents.Failure
	if !errors.As(err, &f) {
		return err
	}
	return &agents.SpeakError{Speaker: w.who, Failure: f}
}

// Affords returns a *BudgetError where the budget does not allow any call of the
// session's next round. Of a session that has ended it is the round that would be
// added.
func (e *Engine) Affords(s debate.Session) error {
	s.Verdict, s.Stopped = nil, debate.NotStopped
	s.Rounds = max(s.Rounds, len(s.History)+1)
	p := &runner{Options: e.options}
	p.setSession(s)
	if p.affords(s) {
		return nil
	}
	return p.poor(s)
}

func (p *runner) poor(s debate.Session) error {
	spent := p.purse.total()
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
	kit, err := p.kit(snap, debate.Step{})
	if err != nil {
		return true
	}
	tools := agents.ToolTokens(kit.Specs())
	return slices.ContainsFunc(s.Seats, func(seat agents.Profile) bool {
		who := s.Speaker(seat)
		asks := agents.Request{Messages: prompt.Member(snap.Mode, snap, debate.Step{}, who).Messages()}.Tokens() + tools
		return p.purse.allows(need(who, min(asks, s.PromptLimit(who, snap.Round)), s.TokenScale(who, snap.Round)))
	})
}

// broke ends the session for its budget: with a verdict on what there is.
func (p *runner) broke(ctx context.Context) error {
	s := p.current()
	if s.Current() == nil {
		return p.poor(s)
	}
	next, err := p.Recorder.Stop(ctx, s.ID, debate.StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the session: %w", err)
	}
	p.change(func(debate.Session) debate.Session { return next })
	p.notice(ctx, debate.Notice{Code: "budget", Text: fmt.Sprintf("Stopped by budget at %s of %s. %s", p.purse.total().in(s.Budget), s.Budget, howFar(s)), Round: s.Current().Number})
	return p.conclude(ctx)
}

// howFar says whether the last round was played to its end.
func howFar(s debate.Session) string {
	c := s.Current()
	if len(prompt.Missing(s, *c, prompt.DoneIDs(*c))) > 0 {
		return fmt.Sprintf("Round %d is not complete.", c.Number)
	}
	return fmt.Sprintf("Round %d is complete.", c.Number)
}
