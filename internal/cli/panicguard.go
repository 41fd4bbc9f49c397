package cli

import (
	"sync"

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
	done  bool
	view  tea.View // last view
	mu    sync.Mutex
	panic *crash.Panic // first panic
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
	if g.done {
		return g, nil
	}
	defer g.catchFatal()
	m = g
	g.model, cmd = g.model.Update(msg)
	return m, g.watch(cmd)
}

// View returns the model's view, or its last one after a panic.
func (g *panicGuard) View() (v tea.View) {
	g.using.Lock()
	defer g.using.Unlock()
	if g.done {
		return g.view
	}
	v = g.view
	defer g.catchFatal()
	g.view = g.model.View()
	return g.view
}

// close stops calling the model. The caller may use it from now on.
func (g *panicGuard) close() {
	g.using.Lock()
	defer g.using.Unlock()
	g.done = true
}

// watch returns a command that catches its panics.
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

// catchFatal is deferred. It records a panic of the model, which is not called again.
func (g *panicGuard) catchFatal() {
	if p := crash.From(recover()); p != nil {
		g.done = true
		g.record(p)
	}
}

// catch is deferred. It records the panic of a command.
func (g *panicGuard) catch() {
	if p := crash.From(recover()); p != nil {
		g.record(p)
	}
}

// record keeps the first panic and stops the program.
func (g *panicGuard) record(p *crash.Panic) {
	g.mu.Lock()
	if g.panic == nil {
		g.panic = p
	}
	g.mu.Unlock()
	g.stop()
}

// caught returns the first panic, or nil.
func (g *panicGuard) caught() *crash.Panic {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.panic
}
