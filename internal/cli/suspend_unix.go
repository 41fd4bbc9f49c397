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

// signals passes TSTP and CONT to the interface. TSTP alone would stop the process with
// the terminal in the interface's modes; after CONT, also after a STOP that nobody can
// catch, the interface takes back a terminal that a shell may have used.
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

// forward passes the signals to the interface until ended is closed.
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

// How long suspend waits for the system to stop the process. It waits in steps: the time
// for which the process is stopped uses up one of them at most.
const (
	stopSteps = 20
	stopStep  = 10 * time.Millisecond
)

// suspend stops the process group and returns when it continues. It sends STOP, since a
// Go program ignores TSTP once it has listened for it, and refuses if there is no
// shell that could continue it.
func (h *signals) suspend() error {
	if !underShell() {
		return errors.New("no shell to return to")
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

// underShell reports whether the parent process belongs to the same session and can
// continue this one. The first process of a terminal has no such parent.
func underShell() bool {
	theirs, err := unix.Getsid(os.Getppid())
	ours, ourErr := unix.Getsid(0)
	return err == nil && ourErr == nil && theirs == ours
}
