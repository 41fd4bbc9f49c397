package debate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// hold sets aside what the request that is about to be sent could take. Members
// and chairs wait for others to settle; a summary is not worth it.
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
	if err := w.purse.more(m); err != nil {
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
		w.notice(ctx, Notice{Code: noticeBudget, Text: warn, Round: w.response.Turn.Round})
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

// BudgetError refuses a session whose budget does not allow its first call.
type BudgetError struct{ Budget Budget }

// Error says what to do.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("the budget of %s does not allow a single call; give more of it", e.Budget)
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
	kit, err := p.kit(snap)
	if err != nil {
		return true
	}
	tools := agents.ToolTokens(kit.Specs())
	return slices.ContainsFunc(s.Seats, func(seat agents.Profile) bool {
		who := s.Speaker(seat)
		prompt := agents.Request{Messages: snap.Mode.Prompt(snap, Step{}, who).Messages()}.Tokens() + tools
		return p.purse.allows(need(who, min(prompt, s.room(who, snap.Round)), s.scale(who, snap.Round)))
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
		return &BudgetError{s.Budget}
	}
	next, err := p.Recorder.Stop(ctx, s.ID, StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the session: %w", err)
	}
	p.change(func(Session) Session { return next })
	p.notice(ctx, Notice{Code: "budget", Text: fmt.Sprintf("Stopped by budget: %s is spent of %s.", p.purse.total().in(s.Budget), s.Budget), Round: s.Current().Number})
	return p.conclude(ctx)
}
