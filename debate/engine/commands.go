package engine

import (
	"errors"
	"sync"

	"roundtable/agents"
	"roundtable/internal/crash"
)

// command is what the user asks of a speaker.
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

// send adds a command and wakes its reader.
func (r *Run) send(c command) {
	r.mu.Lock()
	r.commands = append(r.commands, c)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // already signalled
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

// retryNower is implemented by providers whose back-off can be cut short.
type retryNower interface{ RetryNow() }

// skipProviderWait ends the back-off of a speaker's provider, if it has one.
func (r *runner) skipProviderWait(id agents.ID) {
	s := r.current()
	who, n := s.Seat(id)
	if n == 0 && s.Chair != nil && s.Chair.ID == id {
		who, n = *s.Chair, 1
	}
	if n == 0 {
		return
	}
	client, err := r.Provider(who)
	if h, ok := client.(retryNower); ok && err == nil {
		h.RetryNow()
	}
}

// handleRetryNow handles commands while no step runs, until stop is called: a chair
// cannot be cancelled or retried like a seat, but its provider may be waiting.
func (r *runner) handleRetryNow() (stop func() error) {
	var (
		done = make(chan struct{})
		wait sync.WaitGroup
		err  error
	)
	wait.Go(func() {
		defer crash.Catch(&err)
		for {
			select {
			case <-r.run.wake:
			case <-done:
				return
			}
			for _, c := range r.run.takeCommands() {
				if c.action == retryNow {
					r.skipProviderWait(c.seat)
				}
			}
		}
	})
	return func() error {
		close(done)
		wait.Wait()
		return err
	}
}
