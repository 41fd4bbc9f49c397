package cli

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// tty is the terminal of the interface. Its color profile is detected once, since that
// runs a command under tmux.
type tty struct {
	in      *os.File
	out     *ttyWriter
	profile colorprofile.Profile
}

// ttyWriter writes to the terminal. After shutdown writes are discarded, so that a
// stalled terminal cannot block the exit.
type ttyWriter struct {
	file    *os.File
	discard atomic.Bool
}

var _ term.File = (*ttyWriter)(nil)

// Read reads from the terminal.
func (o *ttyWriter) Read(p []byte) (int, error) { return o.file.Read(p) }

// Close closes the terminal.
func (o *ttyWriter) Close() error { return o.file.Close() }

// Fd returns the terminal's file descriptor.
func (o *ttyWriter) Fd() uintptr { return o.file.Fd() }

// Terminal returns the file, for programs that take over the terminal.
func (o *ttyWriter) Terminal() *os.File { return o.file }

// Write writes to the terminal, or discards p after shutdown.
func (o *ttyWriter) Write(p []byte) (int, error) {
	if o.discard.Load() {
		return len(p), nil
	}
	return o.file.Write(p)
}

// restoreScreen restores the screen if the interface's own output was discarded. The
// first byte cancels an escape sequence that was cut short.
func (o *ttyWriter) restoreScreen() error {
	const cancel = "\x18"
	if err := dropOutput(o.file); err != nil {
		return err
	}
	_, err := o.file.WriteString(cancel + ansi.ResetModeSynchronizedOutput +
		ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) + ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent +
		ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
		ansi.ResetModeAltScreenSaveCursor + ansi.ResetStyle + ansi.SetCursorStyle(0) + ansi.ShowCursor)
	if err != nil {
		return fmt.Errorf("restore the screen: %w", err)
	}
	return nil
}
