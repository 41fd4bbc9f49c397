package debate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// hold sets aside what the request that is about to be sent could take. Members
// wait for others to settle; beside a chair nobody spends, and a summary is not
// worth it.
func (w *watcher) hold(ctx context.Context) error {
	s := w.current()
	if !s.Budget.Capped() {
		return nil
	}
	m := need(w.who, w.reads, s.scale(w.who, w.response.Turn.Round))
	err := w.purse.hold(ctx, m, w.purpose == ForMember, func() { w.emit(TurnQueued{Turn: w.response.Turn}) })
	if err != nil {
		return w.refused(err)
	}
	w.held = &m
	return nil
}

// again counts a try that failed, as far as the server said what it took; of one
// that said nothing the prompt is counted until the call is settled.
func (w *watcher) again(r agents.Retry) error {
	if w.held == nil {
		return nil
	}
	lost := agents.Usage{Input: w.reads}
	if f := r.Failed; f != nil && f.Usage != nil {
		lost = *f.Usage
	}
	m := moneyOf(lost, w.who.Cost(lost))
	if err := w.purse.more(*w.held, m, w.purpose != ForLight); err != nil {
		return w.refused(err)
	}
	*w.held = w.held.plus(m)
	return nil
}

// pay settles the request under way, if there is one.
func (w *watcher) pay(ctx context.Context, u agents.Usage) {
	if w.held == nil {
		return
	}
	warn := w.purse.settle(*w.held, moneyOf(u, w.who.Cost(u)))
	w.held = nil
	if warn != "" {
		w.notice(ctx, Notice{Code: noticeBudget, Text: warn + w.current().needs(), Round: w.response.Turn.Round})
	}
}

// needs says what the round after the present one is likely to take, as the budget
// counts it; "" where none is to come.
func (s Session) needs() string {
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
		return fmt.Sprintf(" Round %d needs about %s.", n, dollars(usd))
	case s.Budget.Tokens > 0:
		return fmt.Sprintf(" Round %d needs about %.0f tokens.", n, (f.Tokens.Low+f.Tokens.High)/2)
	default:
		return ""
	}
}

// refused makes the speaker's failure of a refusal.
func (w *watcher) refused(err error) error {
	var f *agents.Failure
	if !errors.As(err, &f) {
		return err
	}
	return &agents.SpeakError{Speaker: w.who, Failure: f}
}

// BudgetError refuses to go on with a session whose budget allows no call any more.
type BudgetError struct {
	Budget Budget
	Spent  Budget // of what the caps are about
}

// Error says how far the budget went.
func (e *BudgetError) Error() string {
	if e.Spent.USD == 0 && e.Spent.Tokens == 0 {
		return fmt.Sprintf("the budget of %s does not allow a single call; give more of it", e.Budget)
	}
	return fmt.Sprintf("the budget of %s does not allow another call; spent: %s", e.Budget, e.Spent.like(e.Budget))
}

// Affords returns a *BudgetError where the budget does not allow any call of the
// session's next round. Of a session that has ended it is the round that would be
// added.
func (e *Engine) Affords(s Session) error {
	s.Verdict, s.Stopped = nil, NotStopped
	s.Rounds = max(s.Rounds, len(s.History)+1)
	p := &play{Options: e.options}
	p.take(s)
	if p.affords(s) {
		return nil
	}
	return p.poor(s)
}

func (p *play) poor(s Session) error {
	spent := p.purse.total()
	return &BudgetError{Budget: s.Budget, Spent: Budget{USD: spent.usd, Tokens: spent.tokens}}
}

// affords reports whether the budget allows any call of the next round, as far as
// can be said before.
func (p *play) affords(s Session) bool {
	if !s.Budget.Capped() {
		return true
	}
	snap, err := s.peek()
	if err != nil {
		return true // beginning the round says why
	}
	kit, err := p.kit(snap, Step{})
	if err != nil {
		return true
	}
	tools := agents.ToolTokens(kit.Specs())
	return slices.ContainsFunc(s.Seats, func(seat agents.Profile) bool {
		who := s.Speaker(seat)
		asks := agents.Request{Messages: snap.Mode.Prompt(snap, Step{}, who).Messages()}.Tokens() + tools
		return p.purse.allows(need(who, min(asks, s.room(who, snap.Round)), s.scale(who, snap.Round)))
	})
}

// peek returns what the next round would start from.
func (s Session) peek() (Snapshot, error) {
	m, release, err := s.Begin("")
	if err != nil {
		return Snapshot{}, err
	}
	s.Requests = ledger.Ledger{Requests: s.Requests}.Apply(release...).Requests
	s.History = append(slices.Clip(s.History), Round{Number: m.Round, Manifest: m})
	return s.Snapshot(m.Round)
}

// broke ends the session for its budget: with a verdict on what there is.
func (p *play) broke(ctx context.Context) error {
	s := p.current()
	if s.Current() == nil {
		return p.poor(s)
	}
	next, err := p.Recorder.Stop(ctx, s.ID, StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the session: %w", err)
	}
	p.change(func(Session) Session { return next })
	p.notice(ctx, Notice{Code: "budget", Text: fmt.Sprintf("Stopped by budget at %s of %s. %s", p.purse.total().in(s.Budget), s.Budget, s.howFar()), Round: s.Current().Number})
	return p.conclude(ctx)
}

// howFar says whether the last round was played to its end.
func (s Session) howFar() string {
	c := s.Current()
	if len(s.missing(*c, doneIDs(*c))) > 0 {
		return fmt.Sprintf("Round %d is not complete.", c.Number)
	}
	return fmt.Sprintf("Round %d is complete.", c.Number)
}
