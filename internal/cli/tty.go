package cli

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// tty is the terminal that the interface reads keys from and draws on. Which
// colours it has is found out once: tmux is asked by running a command.
type tty struct {
	in      *os.File
	out     *ttyWriter
	profile colorprofile.Profile
}

// ttyWriter is what the interface writes to. Once it is shut, whatever is written to
// it is forgotten without a wait, so that the interface gets to its end where
// nobody reads any more.
type ttyWriter struct {
	file    *os.File
	discard atomic.Bool
}

var _ term.File = (*ttyWriter)(nil)

// Read reads from the terminal.
func (o *ttyWriter) Read(p []byte) (int, error) { return o.file.Read(p) }

// Close closes the terminal.
func (o *ttyWriter) Close() error { return o.file.Close() }

// Fd returns the terminal's descriptor, by which its size and settings are asked.
func (o *ttyWriter) Fd() uintptr { return o.file.Fd() }

// Terminal returns the file itself, for a program that is to have it as its own.
func (o *ttyWriter) Terminal() *os.File { return o.file }

// Write writes to the terminal until the outlet is shut; after that all is taken at once.
func (o *ttyWriter) Write(p []byte) (int, error) {
	if o.discard.Load() {
		return len(p), nil
	}
	return o.file.Write(p)
}

// leave gives the screen back in place of an interface whose output was
// forgotten. The first byte ends a sequence that was cut short.
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
