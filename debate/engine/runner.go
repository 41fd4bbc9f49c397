package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/crash"
)

// runner is the state of one run. What is still to do is not part of it: that follows
// from the session, see debate.Session.Due.
type runner struct {
	Options
	kept       *sessionTools
	run        *Run
	journal    *journal
	summarizer *summarizer
	limiter    *limiter
	announced  int           // the round that was announced
	waited     agents.Turn   // of a chair, whose wait was announced
	external   bool          // Tools has the tools from outside
	followUp   bool          // the run answers a follow-up question
	goesOn     bool          // the user wants the round to end although only one seat answered
	roundEnded bool          // a round ended in this run, so that no other one begins
	changed    chan struct{} // signals that other turns may be due

	turns     lock // held while turns are started, asked again or cancelled
	active    map[agents.Turn]context.CancelCauseFunc
	supersede context.CancelCauseFunc // ends what the round waits for besides turns; nil if it waits for nothing

	mu      sync.Mutex
	session debate.Session                     // with the changes of this run
	fits    map[agents.Turn]*debate.ContextFit // how prompts are shortened

	noting lock // held while a notice is compared with those of the session
}

func (r *runner) setSession(s debate.Session) {
	s = s.PricedOn(r.Now())
	r.session = s
	r.summarizer = newSummarizer(r, s)
	r.limiter = newLimiter(s)
}

// recover re-reads the session and closes turns left running by a failed run; our copy
// may be stale.
func (r *runner) recover(ctx context.Context) error {
	s, err := r.Recorder.Repair(ctx, r.current().ID)
	if err != nil {
		return fmt.Errorf("read the debate back: %w", err)
	}
	r.setSession(s)
	return nil
}

func (r *runner) emit(ev debate.Event) { r.run.events <- ev }

func (r *runner) current() debate.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session
}

func (r *runner) update(f func(debate.Session) debate.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.session = f(r.session).PricedOn(r.Now())
}

// runGuarded calls do while the journal is written, and turns a panic into an error.
func (r *runner) runGuarded(ctx context.Context, do func(*runner, context.Context) error) (err error) {
	stop, stopCommands := r.journal.start(context.WithoutCancel(ctx)), r.handleCommands(ctx)
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = fmt.Errorf("run a round of debate %s: %w", r.current().ID, panicked)
		}
		r.summarizer.jobs.Wait()
		err = cmp.Or(err, stopCommands(), stop())
		var defect *crash.Panic
		if errors.As(err, &defect) {
			r.OnPanic(defect)
		}
		if err != nil && ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, debate.ErrStopped)) {
			err = context.Cause(ctx)
		}
	}()
	return do(r, ctx)
}

// play does what is due: it ends when the next round would begin, or with the verdict.
func (r *runner) play(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := r.current()
		due := s.Due(r.Now())
		switch due.Action {
		case debate.Nothing:
			return nil
		case debate.BeginRound:
			if r.roundEnded {
				return nil
			}
		case debate.WriteVerdict:
			if r.run.paused.Load() && s.Stopped != debate.StoppedByUser { // who ends a debate wants its verdict
				return nil
			}
		case debate.RunTurns, debate.EndRound, debate.AwaitDecision:
			r.announceRound(ctx, s)
		}
		if err := r.do(ctx, s, due); err != nil {
			return err
		}
	}
}

func (r *runner) do(ctx context.Context, s debate.Session, due debate.Due) error {
	if wait, ok := r.providerWait(due); ok {
		return r.inPhase(ctx, func(ctx context.Context) error { return r.awaitProvider(ctx, wait) })
	}
	switch due.Action {
	case debate.BeginRound:
		return r.beginRound(ctx, s)
	case debate.RunTurns:
		return r.runStep(ctx, due.Step)
	case debate.AwaitDecision:
		if failed := s.OpenRound(); !(r.goesOn && failed.CanGoOn()) && !r.limiter.exhausted.Load() {
			return failed
		}
		return r.inPhase(ctx, r.endRound)
	case debate.EndRound:
		return r.inPhase(ctx, r.endRound)
	case debate.WriteVerdict:
		return r.inPhase(ctx, r.conclude)
	case debate.Nothing:
	}
	return nil
}

func (r *runner) beginRound(ctx context.Context, s debate.Session) error {
	n := s.Next()
	if open := s.Unanswered(); len(open) > 0 {
		return &debate.BlockedError{Session: s.ID, Round: n, Requests: open}
	}
	if err := s.Mode.CheckNames(s.Seats); err != nil {
		return err
	}
	if err := r.affords(s); err != nil {
		if s.Current() == nil {
			return err
		}
		return r.stopByBudget(ctx)
	}
	if _, err := r.openWorkspaces(ctx); err != nil {
		return err
	}
	next, err := r.Recorder.BeginRound(ctx, s.ID, n)
	if err != nil {
		return fmt.Errorf("begin round %d: %w", n, err)
	}
	r.update(func(debate.Session) debate.Session { return next })
	r.announceRound(ctx, next)
	return nil
}

// announceRound announces once that the run plays a round, or the rest of one.
func (r *runner) announceRound(ctx context.Context, s debate.Session) {
	c := s.Current()
	if c.Number == r.announced {
		return
	}
	r.announced = c.Number
	r.emit(debate.RoundStarted{Session: s, Round: c.Number, At: r.Now()})
	r.noteRound(ctx, s)
}

// endRound has findings compared and ends the round. In a debate that the user cut short
// no model is asked.
func (r *runner) endRound(ctx context.Context) error {
	s := r.current()
	n := s.Current().Number
	var same *debate.SameFindings
	if !s.Stopped.Forced() {
		var err error
		if same, err = r.compareFindings(ctx); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	ending := verdict.Ending(s)
	if err := r.commit(ctx, func(ctx context.Context) (debate.Session, error) {
		return r.Recorder.EndRound(ctx, s.ID, n, same, ending)
	}); err != nil {
		return fmt.Errorf("end round %d: %w", n, err)
	}
	r.roundEnded = true
	r.emit(debate.RoundCounted{Round: n, At: r.Now()})
	return r.afterRound(ctx, ending)
}

// afterRound says why the debate ends with the round that has ended, or why it continues
// although an end condition holds or although only one seat answered.
func (r *runner) afterRound(ctx context.Context, ending debate.StopReason) error {
	s := r.current()
	n := debate.Notice{Round: len(s.History)}
	few := s.TooFewAnswers(*s.Current())
	switch veto := s.VetoNotice(ending); {
	case r.goesOn && few != nil:
		n.Code, n.Text = "round_closed", fmt.Sprintf("Round %d ends with %s alone, as was decided: %s did not answer.", n.Round,
			few.Answered, few.Missing())
	case veto != "":
		n.Code, n.Text = "ending_vetoed", veto
	case ending != debate.NotStopped && s.Stopped == ending:
		n.Code, n.Text = "ended", fmt.Sprintf("Ended: %s.", ending.Phrase())
	}
	if n.Code != "" {
		r.note(ctx, n)
	}
	if r.limiter.exhausted.Load() && s.Stopped == debate.NotStopped {
		return r.stopByBudget(ctx)
	}
	return nil
}

// useExternalTools adds the tools from outside to those of the run, once, before its first
// turn. What is wrong with them is recorded once per session and does not end the run. The
// demo, which calls none, goes without.
func (r *runner) useExternalTools(ctx context.Context) error {
	models := slices.ContainsFunc(r.current().Seats, func(p agents.Profile) bool { return p.Provider != debate.DemoProvider })
	if r.ExternalTools == nil || r.external || !models {
		return nil
	}
	r.emit(debate.Assisting{Task: debate.TaskTools, At: r.Now()})
	more, problems, err := r.ExternalTools(ctx)
	if err != nil {
		return err
	}
	r.external = true
	r.Tools = slices.Concat(r.Tools, more)
	for _, texts := range problems {
		r.noteOnce(ctx, debate.Notice{Code: "tools", Text: strings.Join(texts, " "), Round: len(r.current().History)})
	}
	return nil
}

// providerWait returns the wait of the chair or the light model that an earlier run was cut
// off in. A comparison of findings is not worth a longer wait than it may take itself.
func (r *runner) providerWait(due debate.Due) (w debate.DueTurn, ok bool) {
	if len(due.Waiting) == 0 || due.Action == debate.RunTurns {
		return w, false
	}
	w = due.Waiting[0]
	return w, due.Action != debate.EndRound || w.At.Sub(r.Now()) <= compareTimeout
}

// awaitProvider waits until a provider may be asked, or until something else may be due.
func (r *runner) awaitProvider(ctx context.Context, w debate.DueTurn) error {
	in := w.At.Sub(r.Now())
	if w.Turn.Step == debate.VerdictStep && r.waited != w.Turn {
		r.waited = w.Turn
		r.emit(debate.Concluding{Turn: w.Turn, Profile: r.current().SpeakerOf(debate.ForChair, w.Turn), At: r.Now()})
		r.emit(debate.TurnRetrying{Turn: w.Turn, Retry: retryAt(causeWait, w.At, in), At: r.Now()})
	}
	timer := time.NewTimer(min(in, maxWait))
	defer timer.Stop()
	select {
	case <-r.changed:
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
