// Package cli implements the commands of the program and connects everything else:
// configuration, store, engine, headless output and interface.
//
// It may import every package, and only main imports it. It must not decide
// anything about a debate: whether a round may start is up to the engine.
//
// A command is a method of app in a file named after it. A new debate, whoever asks
// for it, is made by sessionBuilder.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"roundtable/internal/crash"
	"roundtable/internal/headless"
	"roundtable/internal/linear"
)

// Process is the environment that the program runs in.
type Process struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Env     func(name string) (value string, ok bool)
	Example []byte // the commented configuration that `config init` writes
}

// shutdownTimeout is how long a command may take to save and stop after a signal.
const shutdownTimeout = 3 * time.Second

// Main runs the program and returns its exit code. On HUP, INT, TERM and QUIT it saves the
// session and returns 128 plus the signal's number.
func Main(ctx context.Context, p Process) int {
	disableCoreDumps()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a := newApp(p)
	release := onSignal(func(sig os.Signal) (ends bool) {
		if ends = sig != os.Interrupt || !a.interrupted(); ends {
			cancel(&headless.SignalError{Signal: sig})
		}
		return ends
	})
	defer release()

	done := make(chan int, 1)
	crash.Go(func() { done <- a.execute(ctx) }, func(panicked *crash.Panic) { done <- a.crashed(panicked) })
	code := await(ctx, done)
	var sig *headless.SignalError
	if errors.As(context.Cause(ctx), &sig) {
		return signalCode(sig)
	}
	return code
}

// await waits for a command, and after a signal for shutdownTimeout at most.
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

// interrupted passes ctrl+c to what takes it. It returns false if nothing does, or not any
// more.
func (a *app) interrupted() bool {
	to := a.interrupts.Load()
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

// onSignal calls first for each signal until one ends the program. The one after that
// exits at once, which loses nothing that was acknowledged. Signals that are ignored, as
// under nohup, stay ignored.
func onSignal(first func(os.Signal) (ends bool)) (release func()) {
	heard := make(chan os.Signal, 2)
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT} {
		if !signal.Ignored(sig) {
			signal.Notify(heard, sig)
		}
	}
	quit := make(chan struct{})
	crash.Go(func() {
		for ended := false; !ended; {
			select {
			case sig := <-heard:
				ended = first(sig)
			case <-quit:
				return
			}
		}
		select {
		case sig := <-heard:
			os.Exit(signalCode(&headless.SignalError{Signal: sig}))
		case <-quit:
		}
	}, func(*crash.Panic) {})
	return func() {
		signal.Stop(heard)
		close(quit)
	}
}

// execute runs the command of the arguments.
func (a *app) execute(ctx context.Context) int {
	defer a.close()
	help := false
	root := a.root()
	root.SetHelpFunc(func(*cobra.Command, []string) { help = true })
	err := root.ExecuteContext(ctx)
	if help {
		err = a.help(ctx)
	}
	if err != nil {
		a.log.Info("command ended", "code", exitCode(err))
	}
	fmt.Fprint(a.Stderr, errorMessage(err)) //nolint:errcheck // there is no other output
	return exitCode(err)
}

// help runs the command again to print its help with fang. Other output avoids fang,
// which queries the terminal for its colors, even after an error.
func (a *app) help(ctx context.Context) error {
	if readsLines(a) && (isTerminal(a.Stdout) || wantsLines(a)) {
		a.Stdout = &linear.Writer{W: a.Stdout}
		return a.root().ExecuteContext(ctx)
	}
	return fang.Execute(ctx, a.root(), fang.WithoutManpage(), fang.WithVersion(version()))
}

// crashed reports a panic that nothing else has caught.
func (a *app) crashed(p *crash.Panic) int {
	fmt.Fprint(a.Stderr, errorMessage(a.panics.fatal(p))) //nolint:errcheck // there is no other output
	return exitFailed
}
