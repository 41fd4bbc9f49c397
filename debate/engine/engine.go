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
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/crash"
)

// Options configure an Engine. Recorder and Provider are required.
type Options struct {
	Recorder Recorder
	Provider func(agents.Profile) (agents.Provider, error) // returns the client of a speaker
	Tools    []tools.Tool
	Now      func() time.Time // nil means time.Now

	// ExternalTools returns tools that come from outside the program, and what is wrong with
	// them, in sentences for the user, those of one source together. It is called before the
	// first turn of a run and may take seconds. It may be nil.
	ExternalTools func(ctx context.Context) (more []tools.Tool, problems [][]string, err error)

	// Workspaces opens the workspaces of a session that has a folder, or says why their mode
	// does not work here; nil: such a session cannot run. Env is the environment of the
	// programs that tools start there.
	Workspaces func(context.Context, debate.Session) (Workspaces, error)
	Env        []string

	AllowCommands [][]string // beginnings of commands that seats may run without asking

	Local func(provider string) bool // reports whether a provider's models run on this machine; nil: none does

	AskForBlock bool // ask a voter or a chair for a JSON block that its text lacks

	// OnRun, if set, is called with true when a run of a session begins and with false when it
	// has ended.
	OnRun func(s debate.Session, runs bool)

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
	if o.OnRun == nil {
		o.OnRun = func(debate.Session, bool) {}
	}
	if o.OnPanic == nil {
		o.OnPanic = func(*crash.Panic) {}
	}
	if o.Local == nil {
		o.Local = func(string) bool { return false }
	}
	o.places = make(places, max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1))
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
			return fmt.Errorf("run debate %s: %w", s.ID, debate.ErrNotReady)
		}
		return r.setDue(ctx, s.AskFailed()...)
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
		if !s.OpenRound().CanGoOn() {
			return fmt.Errorf("go on with debate %s: %w", s.ID, debate.ErrNotReady)
		}
		r.goesOn = true
		return nil
	})
}

// Retry asks a seat of the newest round again, and then ends the round again. A
// verdict is superseded and written again.
func (e *Engine) Retry(ctx context.Context, s debate.Session, seat agents.ID) *Run {
	return e.launch(ctx, s, func(r *runner, ctx context.Context) error {
		if err := r.current().CheckBudget(); err != nil {
			return err
		}
		return r.askAgain(ctx, seat)
	})
}

// Conclude writes the verdict of a session that has ended, by its planned rounds or by a
// stop. A round that was cut short is ended first.
func (e *Engine) Conclude(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, func(r *runner, _ context.Context) error {
		s := r.current()
		if due := s.Due(r.Now()).Action; due == debate.WriteVerdict || due == debate.EndRound && s.Stopped.Forced() {
			return nil
		}
		return fmt.Errorf("conclude debate %s: %w", s.ID, debate.ErrNotReady)
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
	run := &Run{
		events: make(chan debate.Event, 256), cancel: cancel, wake: make(chan struct{}, 1),
		approvals: approvals{waiting: map[string]waitingCommand{}},
	}
	r := &runner{
		Options: e.options, kept: e.sessionTools(s.ID), run: run, followUp: followUp, turns: newLock(),
		active: map[agents.Turn]context.CancelCauseFunc{}, changed: make(chan struct{}, 1),
		fits: map[agents.Turn]*debate.ContextFit{}, noting: newLock(),
	}
	r.journal = newJournal(r.Recorder.Journal)
	r.setSession(s)
	go func() {
		defer close(run.events)
		defer cancel(nil)
		r.OnRun(s, true)
		err := r.runGuarded(ctx, func(r *runner, ctx context.Context) error {
			if err := r.recover(ctx); err != nil {
				return err
			}
			return do(r, ctx)
		})
		r.OnRun(s, false)
		r.emit(debate.RunEnded{Session: r.current(), Err: err})
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
	return r.affords(s)
}

// Run is a running round, the rest of one, or a verdict. The caller must read Events to
// the end. Its methods send commands, which are carried out in every phase of the run. A
// command that cannot be carried out is answered by a debate.Refused event.
type Run struct {
	events    chan debate.Event
	cancel    context.CancelCauseFunc
	paused    atomic.Bool // the verdict is not begun
	approvals approvals
	mu        sync.Mutex
	commands  []command
	wake      chan struct{} // signals that commands is not empty
}

// Events returns the stream of events. Its last one is RunEnded; then it is closed.
func (r *Run) Events() <-chan debate.Event { return r.events }

// Cancel ends the turn of a seat, whichever attempt it makes; the others continue. A turn
// that has not begun is skipped. A seat that has ended that turn is not skipped in a
// later one.
func (r *Run) Cancel(t agents.Turn) {
	r.send(command{do: func(r *runner, ctx context.Context) error { return r.cancelTurn(ctx, t) }})
}

// Retry asks a seat again that has no answer in the round. What the round was waiting
// for, such as the chair, begins again after it.
func (r *Run) Retry(agent agents.ID) {
	r.send(command{do: func(r *runner, ctx context.Context) error { return r.askAgain(ctx, agent) }})
}

// RetryNow ends the back-off of a speaker's provider: the next try is sent at once. It
// applies to all requests that wait for that provider.
func (r *Run) RetryNow(agent agents.ID) {
	r.send(command{late: true, do: func(r *runner, ctx context.Context) error { return r.skipWait(ctx, agent) }})
}

// Pause sets whether the run ends before it begins the verdict. It always ends before
// another round. Pausing denies the commands that wait for approval.
func (r *Run) Pause(on bool) {
	r.paused.Store(on)
	if on {
		r.approvals.denyAll("the debate was paused")
	}
}

// Decide decides on a command for which a tool call waits, see debate.ApprovalAsked.
func (r *Run) Decide(call string, a debate.Approval) {
	r.send(command{do: func(r *runner, _ context.Context) error { return r.decide(call, a) }})
}

// End ends the debate: running turns are cut off, and the chair concludes with what is
// settled.
func (r *Run) End() { r.send(command{do: (*runner).endDebate}) }

// Stop ends the run at once. Turns under way become interrupted and start again later.
func (r *Run) Stop() { r.cancel(debate.ErrStopped) }

// Recorder is what the engine needs of a store. Each method is one transaction that is
// on disk when it returns. Nothing is announced and no effect begins before it is
// recorded.
type Recorder interface {
	// Repair closes what an earlier run left running, because its process ended or its
	// store failed, and returns the session as it is then. Nobody else may run the session.
	// Repairing twice changes nothing.
	Repair(ctx context.Context, session string) (debate.Session, error)
	// BeginRound passes the gate, releases the answers and writes the manifest of the
	// round, see debate.Session.Begin. It returns the session as it is then, or a
	// *BlockedError.
	BeginRound(ctx context.Context, session string, round int) (debate.Session, error)
	// SetDue records that turns of the newest round are due. A round that has ended is open
	// again, and a verdict becomes superseded, see debate.Session.WithDue.
	SetDue(ctx context.Context, session string, turns ...debate.DueTurn) error
	// BeginTurn records a turn before anything of it is sent.
	BeginTurn(ctx context.Context, t debate.TurnStart) error
	// BeginCall records the n-th completion request of a turn before it is sent.
	BeginCall(ctx context.Context, t agents.Turn, purpose debate.Purpose, n int, req agents.Request) error
	// RetryCall records that a request waits before it is sent, or sent again.
	RetryCall(ctx context.Context, t agents.Turn, n int, r debate.CallRetry) error
	// ResendCall records that a request is sent after such a wait, before it is.
	ResendCall(ctx context.Context, t agents.Turn, n int) error
	// Journal appends pieces of text that are not yet part of an answer.
	Journal(ctx context.Context, parts []debate.Text) error
	// EndCall records a completion after which the turn continues: its text, and all its tool calls
	// as pending, before any of them runs. It removes the completion's journal.
	EndCall(ctx context.Context, t agents.Turn, n int, c agents.Completion, tools []debate.ToolRecord, cost *float64) error
	// BreakCall records a completion that failed or was ended, with its cost. Its journal
	// stays.
	BreakCall(ctx context.Context, t agents.Turn, n int, f *agents.Failure, u agents.Usage, cost *float64) error
	// AddTool records a tool call in the middle of an answer as pending, with the passage before it,
	// whose journal is removed.
	AddTool(ctx context.Context, t agents.Turn, passage int, text debate.Passage, tool debate.ToolRecord) error
	// StartTool records that a tool call runs, before it has an effect.
	StartTool(ctx context.Context, t agents.Turn, id string, at time.Time) error
	// EndTool records how a tool call ended.
	EndTool(ctx context.Context, t agents.Turn, tool debate.ToolRecord) error
	// Ask records an agent's question. Bad input and caps are errors for the agent, see
	// ledger.Ledger.Ask.
	Ask(ctx context.Context, t agents.Turn, call string, q ledger.Question, caps ledger.Caps) (debate.AskResult, error)
	// EndTurn records the end of a turn, and the attempt that follows by itself. A turn that was
	// cancelled before it began has no Began. It returns the requests that it changed.
	EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error)
	// EndRound ends a round, and the session with it for the given reason unless that
	// is NotStopped or the session vetoes it.
	EndRound(ctx context.Context, session string, round int, same *debate.SameFindings, ending debate.StopReason) (debate.Session, error)
	// Stop ends a session before its planned rounds.
	Stop(ctx context.Context, session string, reason debate.StopReason) (debate.Session, error)
	// SaveVerdict ends a session. Open requests expire.
	SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error)
	// Note stores notices.
	Note(ctx context.Context, session string, n ...debate.Notice) error
}

// places bounds how many turns use a processor for long at the same time, such as for a
// request of a megabyte. One processor is left for the interface.
type places chan struct{}

// maxPlaceWait is how long a turn waits for a place. Then it works without one: what
// holds a place may itself wait, for instance for a file on a network.
const maxPlaceWait = time.Second

// take waits for a place and returns what gives it back.
func (p places) take() (release func()) {
	timer := time.NewTimer(maxPlaceWait)
	defer timer.Stop()
	select {
	case p <- struct{}{}:
		return func() { <-p }
	case <-timer.C:
		return func() {}
	}
}
