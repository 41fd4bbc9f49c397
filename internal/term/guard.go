package term

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/crash"
)

// panicGuard wraps the interface's model and catches its panics: Bubble Tea would print
// their messages, which may quote a prompt.
//
// After a panic or the end of the program it no longer calls the model, so that its
// data can be saved.
type panicGuard struct {
	stop  func()     // stops the program
	using sync.Mutex // held while the model runs
	model tea.Model
	done  atomic.Bool
	view  tea.View                    // last view
	panic atomic.Pointer[crash.Panic] // first panic
}

// Init initializes the model.
func (g *panicGuard) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.watch(g.model.Init())
}

// Update passes a message to the model.
func (g *panicGuard) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	g.using.Lock()
	defer g.using.Unlock()
	if g.done.Load() {
		return g, nil
	}
	defer g.catch()
	m = g
	g.model, cmd = g.model.Update(msg)
	return m, g.watch(cmd)
}

// View returns the model's view, or its last one after a panic.
func (g *panicGuard) View() (v tea.View) {
	g.using.Lock()
	defer g.using.Unlock()
	if g.done.Load() {
		return g.view
	}
	v = g.view
	defer g.catch()
	g.view = g.model.View()
	return g.view
}

// close stops calling the model. The caller may use it from now on.
func (g *panicGuard) close() {
	g.using.Lock()
	defer g.using.Unlock()
	g.done.Store(true)
}

func (g *panicGuard) watch(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, c := range batch {
				batch[i] = g.watch(c)
			}
		}
		return msg
	}
}

// catch is deferred. It keeps the first panic and stops the program; the model is not called again.
func (g *panicGuard) catch() {
	if p := crash.From(recover()); p != nil {
		g.done.Store(true)
		g.panic.CompareAndSwap(nil, p)
		g.stop()
	}
}

// watch waits for the program. On cancellation it quits, and then drops output that a stalled
// terminal does not take until the program has ended.
func watch(ctx context.Context, p *tea.Program, out *os.File, over <-chan error) error {
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	crash.Go(p.Quit, func(*crash.Panic) { p.Kill() })
	if err, ok := waitFor(quitTimeout, over); ok {
		return err
	}
	const step = 10 * time.Millisecond
	for range flushTimeout / step {
		if err := dropOutput(out); err != nil {
			break
		}
		if err, ok := waitFor(step, over); ok {
			return errors.Join(err, restoreScreen(out)) // what the program wrote for that may be dropped
		}
	}
	return errors.New("the terminal accepts no output; its settings may not be restored")
}

// waitFor receives an error, which may be nil, within d; ok is false if none came.
func waitFor(d time.Duration, from <-chan error) (err error, ok bool) {
	select {
	case err := <-from:
		return err, true
	case <-time.After(d):
		return nil, false
	}
}

// maxFPS is well above the rate at which text arrives, so that keys echo at once.
const maxFPS = 120

// Run runs a program on the terminal until it ends or ctx is cancelled, and restores the
// terminal. It returns the first panic of the model, after which it has called stop.
func (t TTY) Run(ctx context.Context, stop context.CancelFunc, m tea.Model) (*crash.Panic, error) {
	g := &panicGuard{model: faulty(m), stop: stop}
	restore := saveTerminal(t.in)
	p := tea.NewProgram(g, tea.WithInput(&keyboard{File: t.in}), tea.WithOutput(t.out), tea.WithColorProfile(t.Profile),
		tea.WithoutSignalHandler(), tea.WithFPS(maxFPS))
	over := make(chan error, 1)
	crash.Go(func() {
		_, err := p.Run()
		over <- err
	}, func(panicked *crash.Panic) { over <- panicked })
	err := watch(ctx, p, t.out, over)
	g.close()
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) {
		err = nil // the cause was a signal, or a panic
	}
	stop() // nothing that is still under way is waited for
	return g.panic.Load(), errors.Join(err, restore())
}

// How long watch waits for the program: to quit, and to write its output.
const (
	quitTimeout  = time.Second
	flushTimeout = time.Second
)
