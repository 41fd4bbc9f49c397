// Package term knows the terminal and the process that the program runs in: signals,
// suspending, panics, core dumps, and the log.
//
// It imports internal/text and internal/crash, and knows nothing of debates.
package term

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"roundtable/internal/crash"
)

// TTY is the terminal of the interface. Its color profile is detected once, since that
// runs a command under tmux.
type TTY struct {
	in      *os.File
	out     *os.File
	Profile colorprofile.Profile
}

// Open returns the terminal that both files are; false if one is not.
func Open(in, out *os.File) (TTY, bool) {
	if !IsTerminal(in) || !IsTerminal(out) {
		return TTY{}, false
	}
	return TTY{in, out, colorprofile.Detect(out, os.Environ())}, true
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

// Size returns the columns and rows of the terminal.
func (t TTY) Size() (width, height int) { return Size(t.out) }

// Size returns the columns and rows of a terminal; 0 if the file is not a terminal or its size is unknown.
func Size(f *os.File) (width, height int) {
	width, height, err := term.GetSize(f.Fd())
	if err != nil {
		return 0, 0
	}
	return width, height
}

// restoreScreen restores the screen if the interface's own output was dropped. The
// first byte cancels an escape sequence that was cut short.
func restoreScreen(out *os.File) error {
	const cancel = "\x18"
	if err := dropOutput(out); err != nil {
		return err
	}
	_, err := out.WriteString(cancel + ansi.ResetModeSynchronizedOutput +
		ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) + ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent +
		ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
		ansi.ResetModeAltScreenSaveCursor + ansi.ResetStyle + ansi.SetCursorStyle(0) + ansi.ShowCursor)
	if err != nil {
		return fmt.Errorf("restore the screen: %w", err)
	}
	return nil
}

// saveTerminal returns a function that restores the present settings of a terminal, in
// case the program does not.
func saveTerminal(f *os.File) (restore func() error) {
	state, err := term.GetState(f.Fd())
	if err != nil { // not a terminal
		return func() error { return nil }
	}
	return func() error {
		if _, err := term.GetState(f.Fd()); err != nil {
			return nil // the terminal is gone
		}
		if err := term.Restore(f.Fd(), state); err != nil {
			return fmt.Errorf("restore the terminal: %w", err)
		}
		return nil
	}
}

// repeatTime is how long after a signal that ends the program another counts as the same
// one: GNU timeout signals its child and then the child's process group.
const repeatTime = time.Second

// OnSignal calls first for each signal until one ends the program. One that comes more than
// repeatTime after that exits at once, which loses nothing that was acknowledged. Signals
// that are ignored, as under nohup, stay ignored.
//
// Release restores the default effect of the signals, unless one of them has ended the
// program: a repeat of it must not kill the process before it exits.
func OnSignal(first func(os.Signal) (ends bool)) (release func()) {
	heard := make(chan os.Signal, 2)
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT} {
		if !signal.Ignored(sig) {
			signal.Notify(heard, sig)
		}
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	crash.Go(func() {
		var since time.Time // the signal that ended the program; zero: none has
		for {
			select {
			case sig := <-heard:
				switch {
				case since.IsZero() && first(sig):
					since = time.Now()
					close(ended)
				case !since.IsZero() && time.Since(since) > repeatTime:
					os.Exit(ExitCode(sig))
				}
			case <-quit:
				return
			}
		}
	}, func(*crash.Panic) {})
	return func() {
		select {
		case <-ended:
		default:
			signal.Stop(heard)
		}
		close(quit)
	}
}

// ExitCode returns the exit code of a program that a signal has ended.
func ExitCode(sig os.Signal) int {
	if n, ok := sig.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 1
}
