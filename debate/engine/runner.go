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
	skipped    map[agents.ID]bool // seats cancelled before their step; of the conducting goroutine
	mu         sync.Mutex
	session    debate.Session // as far as this run has changed it
}

// setSession makes a session the one to be played.
func (p *runner) setSession(s debate.Session) {
	p.session = s
	p.summarizer = newSummarizer(p, s)
	p.limiter = newLimiter(s)
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

func (p *runner) update(f func(debate.Session) debate.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session = f(p.session)
}

// runGuarded runs do with its journal, and makes an error of a panic.
func (p *runner) runGuarded(ctx context.Context, do func(*runner, context.Context) error) (err error) {
	stop := p.journal.start(context.WithoutCancel(ctx))
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			err = fmt.Errorf("play a round of session %s: %w", p.current().ID, panicked)
		}
		p.summarizer.jobs.Wait()
		err = errors.Join(err, stop())
		var defect *crash.Panic
		if errors.As(err, &defect) {
			p.reportPanic(defect)
		}
		if err != nil && ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, debate.ErrStopped)) {
			err = context.Cause(ctx)
		}
	}()
	return do(p, ctx)
}

// reportPanic tells of a panic that was caught.
func (p *runner) reportPanic(panicked *crash.Panic) {
	if p.OnPanic != nil {
		p.OnPanic(panicked)
	}
}

// playNext decides what is to be played.
func (p *runner) playNext(ctx context.Context) error {
	s := p.current()
	if err := s.CheckBudget(); err != nil && s.HasRoundsLeft() {
		return err
	}
	c := s.Current()
	switch {
	case c != nil && c.Ended.IsZero():
		return p.playRound(ctx, c.Number, nil)
	case s.Next() > 0:
		return p.beginRound(ctx, s)
	case s.Verdict == nil && c != nil:
		return p.conclude(ctx)
	default:
		return fmt.Errorf("play session %s: %w", s.ID, debate.ErrNotReady)
	}
}
