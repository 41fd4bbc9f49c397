// Package engine runs debates: it plays rounds, streams the turns of the seats
// side by side, runs their tools, asks the light model and the chair, and stays
// within the budget. What happens is announced as events, after it was recorded.
//
// It imports debate, debate/prompt, debate/verdict, debate/ledger, agents and
// agents/tools. It knows no SQL and no screen: what it needs of a store is a
// Recorder.
package engine

import (
	"context"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// Options are what an Engine works with. Recorder and Provider are needed.
type Options struct {
	Recorder Recorder
	Provider func(agents.Profile) (agents.Provider, error) // the client of a speaker
	Tools    []tools.Tool
	Now      func() time.Time // nil: time.Now

	// Defect is told of every panic that has become a failed turn or a failed run;
	// nil: nobody is. It may be called by several goroutines at once.
	OnPanic func(*crash.Panic)
}

// Engine plays debates. It keeps nothing between runs: what it knows of a
// session is the Session it is given and what it reads back.
type Engine struct {
	options Options
}

// New returns an engine.
func New(o Options) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Engine{options: o}
}

// Start plays what is next: the rest of an interrupted round, a new round, or
// the verdict when no round is left. A required request that is open ends it
// with a *BlockedError before any call is made.
func (e *Engine) Start(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, (*runner).playNext)
}

// Retry runs one failed seat of the round that has ended again. It is possible
// until the next round begins.
func (e *Engine) Retry(ctx context.Context, s debate.Session, seat agents.ID) *Run {
	return e.launch(ctx, s, func(p *runner, ctx context.Context) error { return p.retrySeat(ctx, seat) })
}

// Conclude writes the verdict of a session that has ended, by its planned rounds or by a stop.
func (e *Engine) Conclude(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, (*runner).conclude)
}

// launch starts the run's goroutine, which alone closes the events.
func (e *Engine) launch(ctx context.Context, s debate.Session, do func(*runner, context.Context) error) *Run {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Run{events: make(chan debate.Event, 256), cancel: cancel, wake: make(chan struct{}, 1)}
	p := &runner{Options: e.options, run: r, skipped: map[agents.ID]bool{}}
	p.journal = newJournal(p.Recorder.Journal)
	p.setSession(s)
	go func() {
		defer close(r.events)
		defer cancel(nil)
		err := p.runGuarded(ctx, func(p *runner, ctx context.Context) error {
			if err := p.recover(ctx); err != nil {
				return err
			}
			p.warnUnreachable(ctx)
			return do(p, ctx)
		})
		p.emit(debate.RoundEnded{Session: p.current(), Err: err, At: p.Now()})
	}()
	return r
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
	return p.budgetError(s)
}
