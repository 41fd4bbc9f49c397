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
	"fmt"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// Options configure an Engine. Recorder and Provider are required.
type Options struct {
	Recorder Recorder
	Provider func(agents.Profile) (agents.Provider, error) // returns the client of a speaker
	Tools    []tools.Tool
	Now      func() time.Time // nil means time.Now

	// ExternalTools returns tools that come from outside the program, and what is wrong with
	// them, in sentences for the user. It is called before the first turn of a run and may
	// take seconds. It may be nil.
	ExternalTools func(ctx context.Context) (more []tools.Tool, problems []string, err error)

	// Workspaces opens the workspaces of a session that has a folder, or says why their mode
	// does not work here; nil: such a session cannot run. Env is the environment of the
	// programs that tools start there.
	Workspaces func(context.Context, debate.Session) (Workspaces, error)
	Env        []string

	AskAgain bool // ask a voter for a JSON block that its statement lacks

	// OnPanic is called for every panic that became a failed turn or a failed run, possibly
	// by several goroutines at once.
	OnPanic func(*crash.Panic)

	places places // set by New
}

// Engine runs debates. All that it knows of a session between runs is the Session it is
// given and what it reads back, but for the folders in which tools work and the commands
// that were allowed; see CloseSession.
type Engine struct {
	options  Options
	mu       sync.Mutex
	sessions map[string]*sessionTools
}

// New returns an Engine.
func New(o Options) *Engine {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.places = newPlaces()
	return &Engine{options: o, sessions: map[string]*sessionTools{}}
}

// Start plays what is next: the rest of an interrupted round, a new round, or the
// verdict if no round is left. In a round that fewer than two seats answered, the others
// are asked again; if that does not help, the run ends with a *RoundFailedError. While a
// required request is open it ends with a *BlockedError before any call is made.
func (e *Engine) Start(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, func(r *runner, ctx context.Context) error {
		s := r.current()
		if err := s.CheckBudget(); err != nil && s.HasRoundsLeft() {
			return err
		}
		if due := s.Due(r.Now()); due.Action == debate.Nothing {
			return fmt.Errorf("run session %s: %w", s.ID, debate.ErrNotReady)
		}
		return r.setDue(ctx, debate.AskFailed(s)...)
	})
}

// GoOn ends a round that only one seat answered, without the others, and plays on as
// Start does.
func (e *Engine) GoOn(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, func(r *runner, _ context.Context) error {
		s := r.current()
		if err := s.CheckBudget(); err != nil && s.HasRoundsLeft() {
			return err
		}
		if !debate.OpenRound(s).CanGoOn() {
			return fmt.Errorf("go on with session %s: %w", s.ID, debate.ErrNotReady)
		}
		r.goesOn = true
		return nil
	})
}

// Retry asks a seat of the newest round again, and then measures the round again. A
// verdict is superseded and written again.
func (e *Engine) Retry(ctx context.Context, s debate.Session, seat agents.ID) *Run {
	return e.launch(ctx, s, func(r *runner, ctx context.Context) error {
		s := r.current()
		if err := s.CheckBudget(); err != nil {
			return err
		}
		t, err := debate.AskAgain(s, seat)
		if err != nil {
			return err
		}
		return r.setDue(ctx, debate.DueTurn{Turn: t, At: r.Now()})
	})
}

// Conclude writes the verdict of a session that has ended, by its planned rounds or by a
// stop. A round that was cut short is ended first.
func (e *Engine) Conclude(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, func(r *runner, _ context.Context) error {
		s := r.current()
		switch due := s.Due(r.Now()); {
		case due.Action == debate.WriteVerdict, due.Action == debate.EndRound && s.Stopped.Forced():
			return nil
		}
		return fmt.Errorf("conclude session %s: %w", s.ID, debate.ErrNotReady)
	})
}

// launch starts a run that plays what is due. Prepare checks that the run is possible, and
// stores what the user asks for.
func (e *Engine) launch(ctx context.Context, s debate.Session, prepare func(*runner, context.Context) error) *Run {
	return e.run(ctx, s, false, func(r *runner, ctx context.Context) error {
		r.prepareProviders(ctx)
		if err := prepare(r, ctx); err != nil {
			return err
		}
		return r.play(ctx)
	})
}

// run starts the goroutine of a run, which alone closes the events.
func (e *Engine) run(ctx context.Context, s debate.Session, followUp bool, do func(*runner, context.Context) error) *Run {
	ctx, cancel := context.WithCancelCause(ctx)
	run := &Run{events: make(chan debate.Event, 256), cancel: cancel, wake: make(chan struct{}, 1)}
	r := &runner{
		Options: e.options, kept: e.sessionTools(s.ID), run: run, followUp: followUp,
		active: map[agents.Turn]context.CancelCauseFunc{}, changed: make(chan struct{}, 1),
	}
	r.journal = newJournal(r.Recorder.Journal)
	r.setSession(s)
	go func() {
		defer close(run.events)
		defer cancel(nil)
		err := r.runGuarded(ctx, func(r *runner, ctx context.Context) error {
			if err := r.recover(ctx); err != nil {
				return err
			}
			return do(r, ctx)
		})
		r.emit(debate.RoundEnded{Session: r.current(), Err: err, At: r.Now()})
	}()
	return run
}

// Affords returns a *BudgetError if the budget allows no call of the session's next
// round. For a session that has ended it checks the round that would be added.
func (e *Engine) Affords(s debate.Session) error {
	s.Verdict, s.Stopped = nil, debate.NotStopped
	s.Rounds = max(s.Rounds, len(s.History)+1)
	r := &runner{Options: e.options}
	r.setSession(s)
	needed, ok := r.affords(s)
	if ok {
		return nil
	}
	return r.budgetError(s, needed)
}
