package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// runner is the state of one run. What is still to do is not part of it: that follows
// from the session, see debate.Session.Due.
type runner struct {
	Options
	kept       *sessionTools
	approvals  approvals
	run        *Run
	journal    *journal
	summarizer *summarizer
	limiter    *limiter
	announced  int           // the round that was announced
	waited     agents.Turn   // of a chair, whose wait was announced
	external   bool          // Tools has the tools from outside
	goesOn     bool          // the user wants the round to end although only one seat answered
	roundEnded bool          // a round ended in this run, so that no other one begins
	changed    chan struct{} // signals that other turns may be due

	turns     sync.Mutex // held while turns are started, asked again or cancelled
	active    map[agents.Turn]context.CancelCauseFunc
	supersede context.CancelCauseFunc // ends what the round waits for besides turns; nil if it waits for nothing

	mu       sync.Mutex
	session  debate.Session // as far as this run has changed it
	refusals map[agents.Turn]refusal
}

// setSession makes s the session of the run.
func (r *runner) setSession(s debate.Session) {
	r.session = s
	r.summarizer = newSummarizer(r, s)
	r.limiter = newLimiter(s)
}

// recover re-reads the session and closes turns left running by a failed run; our copy
// may be stale.
func (r *runner) recover(ctx context.Context) error {
	s, err := r.Recorder.Repair(ctx, r.current().ID)
	if err != nil {
		return fmt.Errorf("read the session back: %w", err)
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
	r.session = f(r.session)
}

// runGuarded calls do while the journal is written, and turns a panic into an error.
func (r *runner) runGuarded(ctx context.Context, do func(*runner, context.Context) error) (err error) {
	stop, stopCommands := r.journal.start(context.WithoutCancel(ctx)), r.handleCommands(ctx)
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = fmt.Errorf("run a round of session %s: %w", r.current().ID, panicked)
		}
		r.summarizer.jobs.Wait()
		err = joinErrors(err, stopCommands(), stop())
		var defect *crash.Panic
		if errors.As(err, &defect) {
			r.reportPanic(defect)
		}
		if err != nil && ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, debate.ErrStopped)) {
			err = context.Cause(ctx)
		}
	}()
	return do(r, ctx)
}

// reportPanic reports a recovered panic.
func (r *runner) reportPanic(panicked *crash.Panic) {
	if r.OnPanic != nil {
		r.OnPanic(panicked)
	}
}

// play does what is due until a round has ended and nothing but another round is left.
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
		case debate.BeginRound, debate.AwaitAnswers:
			if r.roundEnded {
				return nil
			}
		case debate.WriteVerdict:
			if r.run.paused.Load() && s.Stopped != debate.StoppedByUser {
				return nil
			}
		case debate.FillLists, debate.RunTurns, debate.EndRound, debate.AwaitDecision:
			r.announceRound(ctx, s, nil)
		}
		if err := r.do(ctx, s, due); err != nil {
			return err
		}
	}
}

// do does what is due.
func (r *runner) do(ctx context.Context, s debate.Session, due debate.Due) error {
	if wait, ok := r.providerWait(due); ok {
		return r.inPhase(ctx, func(ctx context.Context) error { return r.awaitProvider(ctx, wait) })
	}
	switch due.Action {
	case debate.BeginRound, debate.AwaitAnswers:
		return r.beginRound(ctx, s)
	case debate.FillLists:
		return r.inPhase(ctx, r.fillLists)
	case debate.RunTurns:
		return r.runStep(ctx, due.Step)
	case debate.AwaitDecision:
		if failed := debate.OpenRound(s); !(r.goesOn && failed.CanGoOn()) && !r.limiter.isExhausted() {
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
