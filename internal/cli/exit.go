package cli

import (
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/internal/term"
	"roundtable/internal/text"
)

// The exit codes. After a signal it is 128 plus the signal's number.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2 // also: configuration, unknown id, locked session
	exitContext  = 3
	exitBudget   = 4
	exitPaused   = 5
	exitRequired = 6 // the verdict is not what --require or --require-person asks for
)

// exitError ends a command with a code. Without an error in it the message is printed.
type exitError struct {
	code int
	err  error
}

// Error returns the message.
func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

// Unwrap returns the error in it.
func (e *exitError) Unwrap() error { return e.err }

// ended returns the error of a command that has printed its message.
func ended(code int) error { return &exitError{code: code} }

func exitCodeOf(e headless.Result) int {
	var sig *headless.SignalError
	switch {
	case errors.As(e.Err, &sig):
		return term.ExitCode(sig.Signal)
	case e.Kind == headless.Failed:
		return exitFailed
	case e.Kind == headless.NeedsContext:
		return exitContext
	case e.Kind == headless.Paused:
		return exitPaused
	case e.Kind == headless.Stopped && (e.Err != nil || e.Reason == string(debate.StoppedByBudget)):
		return exitBudget
	case e.Required != nil && !e.Required.Met, e.Person != nil && !e.Person.Met:
		return exitRequired
	default:
		return exitOK
	}
}

func exitCode(err error) int {
	var exit *exitError
	var usage *app.UsageError
	var config *config.Error
	var refused *ledger.SubmissionError
	var blocked *debate.BlockedError
	var workspace *debate.WorkspaceError
	var gone debate.Gone
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &blocked):
		return exitContext
	case errors.As(err, &usage), errors.As(err, &workspace), errors.As(err, &config), errors.As(err, &refused),
		errors.As(err, &gone), errors.Is(err, debate.ErrNoSession), errors.Is(err, debate.ErrAmbiguous), errors.Is(err, debate.ErrLocked),
		errors.Is(err, debate.ErrNewer), errors.Is(err, debate.ErrNotReady):
		return exitUsage
	default:
		return exitFailed
	}
}

// errorMessage returns the text for standard error; "" if the command has printed it.
func errorMessage(a *app.App, err error) string {
	var exit *exitError
	if err == nil || errors.As(err, &exit) && exit.err == nil {
		return ""
	}
	content := strings.TrimRight(err.Error(), "\n")
	var config *config.Error
	if errors.As(err, &config) {
		content += "\nFix the file, then run `roundtable config check`. The demo needs no config: `roundtable run TOPIC --panel " +
			app.DemoPanel + "`."
	}
	return "roundtable: " + text.Sanitize(a.Commands().Hints(text.Uncapitalize(content))) + "\n"
}
