package cli

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/config"
	"roundtable/internal/headless"
)

// The exit codes. By a signal it is 128 and the signal's number.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2 // also: configuration, unknown id, locked session
	exitContext = 3
	exitBudget  = 4
	exitPaused  = 5
)

// codeError carries the exit code of a command that has said all there is to say.
type codeError int

// Error names the code; it is not shown.
func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// failedError is what ended a debate; whatever it wraps, the debate has failed.
type failedError struct{ err error }

// Error says what failed.
func (e *failedError) Error() string { return e.err.Error() }

// Unwrap returns what failed.
func (e *failedError) Unwrap() error { return e.err }

// usageError is a mistake in how the program was called; its text is for the user.
type usageError struct{ text string }

// Error says what is wrong with the call.
func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

func signalCode(e *headless.SignalError) int {
	if n, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitFailed
}

// exitCodeOf is the exit code of a command that left a session like this.
func exitCodeOf(e headless.Result) int {
	var sig *headless.SignalError
	switch {
	case errors.As(e.Err, &sig):
		return signalCode(sig)
	case e.Kind == headless.Failed:
		return exitFailed
	case e.Kind == headless.NeedsContext:
		return exitContext
	case e.Kind == headless.Paused:
		return exitPaused
	case e.Kind == headless.Stopped && (e.Err != nil || e.Session.Stopped == debate.StoppedByBudget):
		return exitBudget
	default:
		return exitOK
	}
}

// exitCode sorts a command's error.
func exitCode(err error) int {
	var code codeError
	var usage *usageError
	var config *config.Error
	var refused *ledger.SubmissionError
	var blocked *debate.BlockedError
	var waiting *blockedError
	var failed *failedError
	var budget *budgetError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &failed):
		return exitFailed
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &budget):
		return exitBudget
	case errors.As(err, &blocked), errors.As(err, &waiting):
		return exitContext
	case errors.As(err, &usage), errors.As(err, &config), errors.As(err, &refused),
		errors.Is(err, debate.ErrNoSession), errors.Is(err, debate.ErrAmbiguous), errors.Is(err, debate.ErrLocked),
		errors.Is(err, debate.ErrNewer), errors.Is(err, debate.ErrNotReady):
		return exitUsage
	default:
		return exitFailed
	}
}

// complaint is what standard error gets for an error; "" for one that has been told.
func errorMessage(err error) string {
	var code codeError
	if err == nil || errors.As(err, &code) {
		return ""
	}
	text := strings.TrimRight(err.Error(), "\n")
	var config *config.Error
	if errors.As(err, &config) {
		text += "\nMend the file, then `roundtable config check`. The demo needs no config: `roundtable run TOPIC --panel " + demoPanel + "`."
	}
	return "roundtable: " + safetext.Text(text) + "\n"
}
