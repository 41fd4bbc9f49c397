//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"roundtable/internal/crash"
	"roundtable/tui"
)

// signals stops and continues the process at the wish of others. TSTP would leave
// the terminal as it is, and the round of a debate without its listener; CONT
// after a STOP, which nobody can catch, finds a terminal that a shell has used.
type signals struct {
	received chan os.Signal
	listened []os.Signal
}

func newSignals() *signals {
	h := &signals{received: make(chan os.Signal, 2), listened: []os.Signal{syscall.SIGCONT}}
	if !signal.Ignored(syscall.SIGTSTP) {
		h.listened = append(h.listened, syscall.SIGTSTP)
	}
	h.listen()
	return h
}

func (h *signals) listen() { signal.Notify(h.received, h.listened...) }

// forward tells the interface of the signals until it has ended.
func (h *signals) forward(p *tea.Program, ended <-chan struct{}) {
	crash.Go(func() {
		defer signal.Stop(h.received)
		for {
			select {
			case sig := <-h.received:
				if sig == syscall.SIGTSTP {
					p.Send(tui.Suspend{})
				} else {
					p.Send(tui.Resume{})
				}
			case <-ended:
				return
			}
		}
	}, func(*crash.Panic) { p.Kill() })
}

// The time in which the system stops a process, in steps: a clock that went on
// meanwhile takes away one of them at most.
const (
	stopSteps = 20
	stopStep  = 10 * time.Millisecond
)

// suspend stops the program with all that was started with it, and returns when
// it goes on. It uses STOP, since a Go program that has listened for TSTP once
// ignores it from then on; so it has to look itself whether a shell is there that
// would let it go on.
func (h *signals) suspend() error {
	if !underShell() {
		return errors.New("there is no shell to go back to")
	}
	signal.Stop(h.received)
	defer h.listen()
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("suspend: %w", err)
	}
	for range stopSteps {
		timer := time.NewTimer(stopStep)
		select {
		case <-goesOn:
			timer.Stop()
			return nil
		case <-timer.C:
		}
	}
	return nil
}

// underShell reports whether whoever started the program is there to let it go
// on: a process of the same terminal. The first process of a terminal has none.
func underShell() bool {
	theirs, err := unix.Getsid(os.Getppid())
	ours, ourErr := unix.Getsid(0)
	return err == nil && ourErr == nil && theirs == ours
}
