package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"roundtable/internal/crash"
	"roundtable/tui"
)

// maxFPS is well above the rate at which text arrives, so that keys echo at once.
const maxFPS = 120

// present runs the interface until it ends. It restores the terminal, saves what is
// unfinished and returns every error.
func (a *app) present(ctx context.Context, cancel context.CancelFunc, t tty, m *tui.Model, h *signals) error {
	g := &panicGuard{model: faulty(m), stop: cancel}
	restore := saveTerminal(t.in)
	p := tea.NewProgram(g, tea.WithInput(t.in), tea.WithOutput(t.out), tea.WithColorProfile(t.profile),
		tea.WithoutSignalHandler(), tea.WithFPS(maxFPS))
	over, ended := make(chan error, 1), make(chan struct{})
	crash.Go(func() {
		_, err := p.Run()
		over <- err
	}, func(panicked *crash.Panic) { over <- panicked })
	h.forward(p, ended)
	err := watch(ctx, p, t.out, over)
	close(ended)
	g.close()
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		err = nil // the cause was a signal, or a panic that is added below
	}
	cancel() // nothing that is still under way is waited for
	err = errors.Join(err, restore(), drainUI(m))
	if panicked := g.caught(); panicked != nil {
		err = errors.Join(a.panics.fatal(panicked), err)
	}
	if text := m.Farewell(); text != "" {
		err = errors.Join(err, a.print("%s\n", text))
	}
	if err != nil {
		return fmt.Errorf("the interface has ended: %w", err)
	}
	return nil
}

// How long watch waits for the program: to quit, to write its output, and to be killed.
const (
	quitTimeout  = time.Second
	flushTimeout = 700 * time.Millisecond
	killTimeout  = 300 * time.Millisecond
)

// watch waits for the program. On cancellation it tries Quit, which alone waits for the
// reader of keys, then drops output that a stalled terminal does not take, then kills.
func watch(ctx context.Context, p *tea.Program, out *ttyWriter, over <-chan error) error {
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	crash.Go(p.Quit, func(*crash.Panic) { p.Kill() })
	if err, ok := waitFor(quitTimeout, over); ok {
		return err
	}
	out.discard.Store(true)
	const step = 10 * time.Millisecond
	for range flushTimeout / step {
		if err := dropOutput(out.file); err != nil {
			break
		}
		if err, ok := waitFor(step, over); ok {
			return errors.Join(err, out.restoreScreen())
		}
	}
	crash.Go(p.Kill, func(*crash.Panic) {})
	if err, ok := waitFor(killTimeout, over); ok {
		return errors.Join(err, out.restoreScreen())
	}
	return errors.New("the terminal accepts no output; its settings may not be restored")
}

// waitFor receives an error, which may be nil, within d; ok is false if none came.
func waitFor(d time.Duration, from <-chan error) (err error, ok bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err := <-from:
		return err, true
	case <-timer.C:
		return nil, false
	}
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

// drainUI saves what is unfinished. A model that has panicked may panic again.
func drainUI(m *tui.Model) (err error) {
	defer crash.Catch(&err)
	return m.Drain()
}
