package engine

import (
	"errors"
	"sync"

	"roundtable/agents"
	"roundtable/internal/crash"
)

// command is what the user asks of one speaker.
type command struct {
	seat   agents.ID
	action action
}

type action int

const (
	cancelSeat action = iota
	retrySeat
	retryNow
)

func (r *Run) send(c command) {
	r.mu.Lock()
	r.commands = append(r.commands, c)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // it has been rung and not yet heard
	}
}

func (r *Run) takeCommands() []command {
	r.mu.Lock()
	defer r.mu.Unlock()
	cs := r.commands
	r.commands = nil
	return cs
}

var errCancelled = errors.New("cancelled by the user")

// retryNower is a provider that can be told not to wait any longer.
type retryNower interface{ RetryNow() }

// skipProviderWait ends the wait of a speaker's provider, if it knows any.
func (p *runner) skipProviderWait(id agents.ID) {
	s := p.current()
	who, n := s.Seat(id)
	if n == 0 && s.Chair != nil && s.Chair.ID == id {
		who, n = *s.Chair, 1
	}
	if n == 0 {
		return
	}
	client, err := p.Provider(who)
	if h, ok := client.(retryNower); ok && err == nil {
		h.RetryNow()
	}
}

// handleRetryNow obeys while no step is played, until stop: a chair is no seat that could
// be cancelled or run again, but its provider may make it wait.
func (p *runner) handleRetryNow() (stop func() error) {
	var (
		quit = make(chan struct{})
		wait sync.WaitGroup
		err  error
	)
	wait.Go(func() {
		defer crash.Catch(&err)
		for {
			select {
			case <-p.run.wake:
			case <-quit:
				return
			}
			for _, c := range p.run.takeCommands() {
				if c.action == retryNow {
					p.skipProviderWait(c.seat)
				}
			}
		}
	})
	return func() error {
		close(quit)
		wait.Wait()
		return err
	}
}
