// Package cli implements the commands of the program, each in a file named after it, on
// internal/app.
//
// It may import everything below, but not the interface, and only main imports it. It must
// not decide anything about a debate: whether a round may start is up to the engine.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"roundtable/internal/app"
	"roundtable/internal/crash"
	"roundtable/internal/headless"
	"roundtable/internal/term"
)

// Process is the environment that the program runs in.
type Process = app.Process

// shutdownTimeout is how long a command may take to save and stop after a signal.
const shutdownTimeout = 3 * time.Second

// Main runs the program and returns its exit code. On HUP, INT, TERM and QUIT it saves the
// session and returns 128 plus the signal's number.
func Main(ctx context.Context, p Process) int {
	term.DisableCoreDumps()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a := app.New(p)
	a.Command, a.ReadField = beside(a), readField
	release := term.OnSignal(func(sig os.Signal) (ends bool) {
		if ends = sig != os.Interrupt || !interrupted(a); ends {
			cancel(&headless.SignalError{Signal: sig})
		}
		return ends
	})
	defer release()

	done := make(chan int, 1)
	crash.Go(func() { done <- execute(ctx, a) }, func(panicked *crash.Panic) {
		fmt.Fprint(a.Stderr, errorMessage(a, panicked.Fatal(a.Log))) //nolint:errcheck // there is no other output
		done <- exitFailed
	})
	code := await(ctx, done)
	var sig *headless.SignalError
	if errors.As(context.Cause(ctx), &sig) {
		return term.ExitCode(sig.Signal)
	}
	return code
}

// beside returns what runs another command while one runs, line by line and without input.
func beside(a *app.App) func(context.Context, io.Writer, ...string) int {
	return func(ctx context.Context, out io.Writer, args ...string) int {
		p := a.Process
		p.Args, p.Stdin, p.Stdout, p.Stderr = args, strings.NewReader(""), out, out
		b := app.New(p)
		b.ConfigFlag, b.DBFlag, b.Linear, b.Now, b.Store, b.Parts = a.ConfigFlag, a.DBFlag, true, a.Now, a.Store, a.Parts
		return execute(ctx, b)
	}
}

func await(ctx context.Context, done <-chan int) int {
	select {
	case code := <-done:
		return code
	case <-ctx.Done():
	}
	timer := time.NewTimer(shutdownTimeout)
	defer timer.Stop()
	select {
	case code := <-done:
		return code
	case <-timer.C:
		return exitFailed
	}
}

// interrupted passes ctrl+c to what takes it; false if nothing does.
func interrupted(a *app.App) bool {
	to := a.Interrupts.Load()
	if to == nil {
		return false
	}
	select {
	case *to <- struct{}{}:
		return true
	default:
		return false
	}
}

func execute(ctx context.Context, a *app.App) int {
	defer a.Close()
	var help *cobra.Command // the one whose help is wanted
	root := root(a)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help = c })
	err := root.ExecuteContext(ctx)
	if help != nil {
		err = printHelp(ctx, a, strings.Fields(help.CommandPath())[1:])
	}
	if err != nil {
		a.Log.Info("command ended", "code", exitCode(err))
	}
	fmt.Fprint(a.Stderr, errorMessage(a, err)) //nolint:errcheck // there is no other output
	return exitCode(err)
}
