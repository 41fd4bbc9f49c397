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

// runner is the state of one run.
type runner struct {
	Options
	run        *Run
	journal    *journal
	summarizer *summarizer
	limiter    *limiter
	skipped    map[agents.ID]bool // seats cancelled before their step; used by the run's goroutine only
	mu         sync.Mutex
	session    debate.Session // as far as this run has changed it
	refusals   map[agents.Turn]refusal
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
	stop := r.journal.start(context.WithoutCancel(ctx))
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = fmt.Errorf("run a round of session %s: %w", r.current().ID, panicked)
		}
		r.summarizer.jobs.Wait()
		err = joinErrors(err, stop())
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

// playNext plays the next part of the session.
func (r *runner) playNext(ctx context.Context) error {
	s := r.current()
	if err := s.CheckBudget(); err != nil && s.HasRoundsLeft() {
		return err
	}
	c := s.Current()
	switch {
	case c != nil && c.Ended.IsZero():
		return r.playRound(ctx, c.Number, nil)
	case s.Next() > 0:
		return r.beginRound(ctx, s)
	case s.Verdict == nil && c != nil:
		return r.conclude(ctx)
	default:
		return fmt.Errorf("run session %s: %w", s.ID, debate.ErrNotReady)
	}
}
