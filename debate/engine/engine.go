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
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
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
	Defect func(*crash.Panic)
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
	return e.launch(ctx, s, (*runner).next)
}

// Retry runs one failed seat of the round that has ended again. It is possible
// until the next round begins.
func (e *Engine) Retry(ctx context.Context, s debate.Session, seat agents.ID) *Run {
	return e.launch(ctx, s, func(p *runner, ctx context.Context) error { return p.retry(ctx, seat) })
}

// Conclude writes the verdict of a session that has ended, by its planned rounds or by a stop.
func (e *Engine) Conclude(ctx context.Context, s debate.Session) *Run {
	return e.launch(ctx, s, (*runner).conclude)
}

// launch starts the run's goroutine, which alone closes the events.
func (e *Engine) launch(ctx context.Context, s debate.Session, do func(*runner, context.Context) error) *Run {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &Run{events: make(chan debate.Event, 256), cancel: cancel, bell: make(chan struct{}, 1)}
	p := &runner{Options: e.options, run: r, skipped: map[agents.ID]bool{}}
	p.journal = newJournal(p.Recorder.Journal)
	p.setSession(s)
	go func() {
		defer close(r.events)
		defer cancel(nil)
		err := p.guarded(ctx, func(p *runner, ctx context.Context) error {
			if err := p.recover(ctx); err != nil {
				return err
			}
			p.warn(ctx)
			return do(p, ctx)
		})
		p.emit(debate.RoundEnded{Session: p.current(), Err: err, At: p.Now()})
	}()
	return r
}

// runner is the state of one run.
type runner struct {
	Options
	run     *Run
	journal *journal
	short   *summarizer
	purse   *limiter
	skipped map[agents.ID]bool // seats cancelled before their step; of the conducting goroutine
	mu      sync.Mutex
	session debate.Session // as far as this run has changed it
}

// setSession makes a session the one to be played.
func (p *runner) setSession(s debate.Session) {
	p.session = s
	p.short = newShortener(p, s)
	p.purse = newLimiter(s)
}

// recover closes what a run before this one has left running: its store failed, and
// what is known here of its turns need not be what was stored.
func (p *runner) recover(ctx context.Context) error {
	s, err := p.Recorder.Repair(ctx, p.current().ID)
	if err != nil {
		return fmt.Errorf("read the session back: %w", err)
	}
	p.setSession(s)
	return nil
}

func (p *runner) emit(ev debate.Event) { p.run.events <- ev }

func (p *runner) current() debate.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session
}

func (p *runner) change(f func(debate.Session) debate.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session = f(p.session)
}

// guarded runs do with its journal, and makes an error of a panic.
func (p *runner) guarded(ctx context.Context, do func(*runner, context.Context) error) (err error) {
	stop := p.journal.start(context.WithoutCancel(ctx))
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = fmt.Errorf("play a round of session %s: %w", p.current().ID, panicked)
		}
		p.short.jobs.Wait()
		err = errors.Join(err, stop())
		var defect *crash.Panic
		if errors.As(err, &defect) {
			p.defect(defect)
		}
		if err != nil && ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, debate.ErrStopped)) {
			err = context.Cause(ctx)
		}
	}()
	return do(p, ctx)
}

// defect tells of a panic that was caught.
func (p *runner) defect(panicked *crash.Panic) {
	if p.Defect != nil {
		p.Defect(panicked)
	}
}

// next decides what is to be played.
func (p *runner) next(ctx context.Context) error {
	s := p.current()
	if err := s.CheckBudget(); err != nil && s.RemainingRounds() != nil {
		return err
	}
	c := s.Current()
	switch {
	case c != nil && c.Ended.IsZero():
		return p.round(ctx, c.Number, nil)
	case s.Next() > 0:
		return p.begin(ctx, s)
	case s.Verdict == nil && c != nil:
		return p.conclude(ctx)
	default:
		return fmt.Errorf("play session %s: %w", s.ID, debate.ErrNotReady)
	}
}

// begin releases the answers and plays a new round.
func (p *runner) begin(ctx context.Context, s debate.Session) error {
	n := s.Next()
	if open := s.Unanswered(); len(open) > 0 {
		return &debate.BlockedError{Session: s.ID, Round: n, Requests: open}
	}
	if err := s.Mode.CheckNames(s.Seats); err != nil {
		return err
	}
	if !p.affords(s) {
		return p.broke(ctx)
	}
	next, err := p.Recorder.BeginRound(ctx, s.ID, n)
	if err != nil {
		return fmt.Errorf("begin round %d: %w", n, err)
	}
	p.change(func(debate.Session) debate.Session { return next })
	var facts []string
	for _, r := range next.Requests {
		if k := len(r.Delivered); k > 0 && r.Delivered[k-1].Round == n {
			facts = append(facts, r.ID)
		}
	}
	return p.round(ctx, n, facts)
}

// round plays the steps of a round that has begun, closes it, and concludes
// after the last one.
func (p *runner) round(ctx context.Context, n int, facts []string) error {
	s := p.current()
	r := s.History[n-1]
	p.emit(debate.RoundStarted{Session: s, Round: n, Hash: r.Hash, Facts: facts, At: p.Now()})
	p.warnOfRoster(ctx)
	if err := p.fill(ctx); err != nil {
		return err
	}
	s = p.current()
	snap, err := prompt.NewSnapshot(s, n)
	if err != nil {
		return err
	}
	again := !strings.Contains(states(r), string(debate.TurnDone)) // nobody answered: all may try again
	for _, step := range snap.Mode.Steps(r.Manifest.Seats, n, snap.Rounds) {
		kit, err := p.kit(snap, step)
		if err != nil {
			return err
		}
		st := &stepRunner{runner: p, snap: snap, step: step, kit: kit}
		done, err := st.run(ctx, r, again)
		if err != nil {
			return err
		}
		snap = snap.With(done)
	}
	return p.close(ctx, n)
}

func states(r debate.Round) string {
	var b strings.Builder
	for _, x := range r.Responses {
		b.WriteString(string(x.State) + " ")
	}
	return b.String()
}

// kit returns the tools of a step. In the last round nobody can be asked any more.
func (p *runner) kit(snap prompt.Snapshot, step debate.Step) (*tools.Executor, error) {
	kit, err := tools.NewExecutor(p, p.Tools...)
	if err != nil {
		return nil, err
	}
	kit.SetEvidence(evidence{snap, step})
	if snap.Final() {
		kit.Withhold(tools.RequestContextName, fmt.Sprintf("final round %d of %d; no later round can use it", snap.Round, snap.Rounds))
	}
	return kit, nil
}

// close ends the round after its last step.
func (p *runner) close(ctx context.Context, n int) error {
	s := p.current()
	if done := prompt.DoneIDs(s.History[n-1]); len(done) == 0 && !p.purse.stopped() {
		return &debate.RoundFailedError{Round: n, Causes: prompt.Missing(s, s.History[n-1], done)}
	}
	c, err := p.assess(ctx, s)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	c.Results = verdict.Of(s, n)
	next, err := p.Recorder.EndRound(ctx, s.ID, n, c)
	if err != nil {
		return fmt.Errorf("end round %d: %w", n, err)
	}
	p.change(func(debate.Session) debate.Session { return next })
	p.emit(debate.Assessed{Round: n, Consensus: c, At: p.Now()})
	return p.over(ctx, next)
}

// conclude has the verdict written and ends the session.
func (p *runner) conclude(ctx context.Context) error {
	s := p.current()
	if c := s.Current(); c == nil || s.Verdict != nil || s.Stopped == debate.NotStopped && (c.Ended.IsZero() || s.Next() > 0) {
		return fmt.Errorf("conclude session %s: %w", s.ID, debate.ErrNotReady)
	}
	if err := p.summariseForChair(ctx); err != nil {
		return err
	}
	s = p.current()
	watch := &auxTurn{runner: p, purpose: debate.ForChair}
	stop := p.listen()
	v, err := NewJudge(p.Provider).Conclude(ctx, s, func(t agents.Turn, who agents.Profile, pr agents.Progress) error {
		return watch.observe(ctx, t, who, pr)
	})
	err = errors.Join(err, stop())
	if err != nil {
		return fmt.Errorf("write the verdict: %w", errors.Join(err, watch.abandon(ctx, err)))
	}
	next, err := p.Recorder.SaveVerdict(ctx, s.ID, v)
	if err != nil {
		return fmt.Errorf("save the verdict: %w", err)
	}
	p.change(func(debate.Session) debate.Session { return next })
	p.emit(debate.Concluded{Verdict: v, At: p.Now()})
	return nil
}

// summariseForChair makes the summaries that the chair's prompt takes to fit.
func (p *runner) summariseForChair(ctx context.Context) error {
	s := p.current()
	who, ok := prompt.LikelyChair(s)
	if !ok {
		return nil
	}
	r, err := prompt.ChairReader(s, who)
	if err != nil {
		return err
	}
	p.short.fit(ctx, ctx, r)
	return ctx.Err()
}

// retry runs one seat of the ended round again.
func (p *runner) retry(ctx context.Context, seat agents.ID) error {
	s := p.current()
	if err := s.CheckBudget(); err != nil {
		return err
	}
	r := s.Current()
	if r == nil || r.Ended.IsZero() || s.Verdict != nil {
		return fmt.Errorf("run %s again: %w", seat, debate.ErrNotReady)
	}
	snap, err := prompt.NewSnapshot(s, r.Number)
	if err != nil {
		return err
	}
	for _, step := range snap.Mode.Steps(r.Manifest.Seats, r.Number, snap.Rounds) {
		var said []debate.Response // of this step, which its own seats do not see
		for _, x := range r.Latest() {
			if x.Turn.Step != step.Index {
				continue
			}
			if x.Turn.Agent == seat && x.State != debate.TurnDone {
				kit, err := p.kit(snap, step)
				if err != nil {
					return err
				}
				st := &stepRunner{runner: p, snap: snap, step: step, kit: kit}
				if _, err := st.only(ctx, *r, seat); err != nil {
					return err
				}
				return p.close(ctx, r.Number)
			}
			said = append(said, x)
		}
		snap = snap.With(said)
	}
	return fmt.Errorf("run %s again: it has not failed in round %d: %w", seat, r.Number, debate.ErrNotReady)
}
