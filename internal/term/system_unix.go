//go:build unix

package term

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
)

// Signals passes TSTP and CONT to the interface. TSTP alone would stop the process with
// the terminal in the interface's modes; after CONT, also after a STOP that nobody can
// catch, the interface takes back a terminal that a shell may have used.
type Signals struct {
	received chan os.Signal
	listened []os.Signal

	stopped, continued tea.Msg // what the interface is sent
}

// NewSignals listens for the signals, for each of which the interface gets a message.
func NewSignals(stopped, continued tea.Msg) *Signals {
	h := &Signals{stopped: stopped, continued: continued, received: make(chan os.Signal, 2), listened: []os.Signal{syscall.SIGCONT}}
	if !signal.Ignored(syscall.SIGTSTP) {
		h.listened = append(h.listened, syscall.SIGTSTP)
	}
	h.listen()
	return h
}

func (h *Signals) listen() { signal.Notify(h.received, h.listened...) }

// forward passes the signals to the interface until ended is closed.
func (h *Signals) forward(p *tea.Program, ended <-chan struct{}) {
	crash.Go(func() {
		defer signal.Stop(h.received)
		for {
			select {
			case sig := <-h.received:
				if sig == syscall.SIGTSTP {
					p.Send(h.stopped)
				} else {
					p.Send(h.continued)
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

// Suspend stops the process group and returns when it continues. It sends STOP, since a
// Go program ignores TSTP once it has listened for it, and refuses if there is no
// shell that could continue it.
func (h *Signals) Suspend() error {
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

// ownFileOnly are the flags to open a file that is no symbolic link, without waiting
// for a reader of a FIFO.
const ownFileOnly = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// DisableCoreDumps disables core dumps, which would contain keys. It ignores a system
// that refuses.
func DisableCoreDumps() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
