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

// framesASecond is how often the screen is drawn at most: twice as often as text
// arrives, so that keys are echoed at once.
const maxFPS = 120

// present runs the interface to its end: the terminal is restored, what is under
// way is saved, and whatever went wrong is told.
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
		err = nil // a signal, which has its exit code, or a defect, which follows
	}
	err = errors.Join(err, restore(), drainUI(m))
	if panicked := g.caught(); panicked != nil {
		err = errors.Join(a.fatalPanic(panicked), err)
	}
	if text := m.Farewell(); text != "" {
		err = errors.Join(err, a.print("%s\n", text))
	}
	if err != nil {
		return fmt.Errorf("the interface has ended: %w", err)
	}
	return nil
}

// How long the interface has to end once it must: by itself, when nobody reads
// what it writes, and when it is stopped.
const (
	quitTimeout  = time.Second
	flushTimeout = 700 * time.Millisecond
	killTimeout  = 300 * time.Millisecond
)

// watch waits for the end of the interface and brings it about when the context
// ends. It is asked first, since only then it waits for the reader of keys before
// it closes the terminal; where the terminal takes nothing more, what waits there
// is dropped, so that it gets to its end; and where it is stuck it is stopped.
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
	return errors.New("the terminal takes no output; it may not be as it was")
}

// within waits some time for an error that may be nil.
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

// termios remembers the settings of a terminal and returns what brings them back,
// for the case that nobody else did.
func saveTerminal(f *os.File) (restore func() error) {
	state, err := term.GetState(f.Fd())
	if err != nil { // it is no terminal
		return func() error { return nil }
	}
	return func() error {
		if _, err := term.GetState(f.Fd()); err != nil {
			return nil // it is gone
		}
		if err := term.Restore(f.Fd(), state); err != nil {
			return fmt.Errorf("restore the terminal: %w", err)
		}
		return nil
	}
}

// drainUI saves what is under way; a model that has panicked may do so once more.
func drainUI(m *tui.Model) (err error) {
	defer crash.Catch(&err)
	return m.Drain()
}
