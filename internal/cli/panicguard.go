package cli

import (
	"sync"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/crash"
)

// panicGuard stands around the interface's model and catches its panics: the library
// would print what they say, and that may quote a prompt.
//
// A model that has panicked, or whose program has come to its end, is asked
// nothing more, so that what it holds can be saved.
type panicGuard struct {
	stop  func()     // ends the program
	using sync.Mutex // held while the model works
	model tea.Model
	done  bool
	view  tea.View // the last one
	mu    sync.Mutex
	panic *crash.Panic // the first one
}

// Init begins the model.
func (g *panicGuard) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.watch(g.model.Init())
}

// Update passes a message on.
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

// View draws the model.
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

// close ends the work of the model: it belongs to the caller from now on.
func (g *panicGuard) close() {
	g.using.Lock()
	defer g.using.Unlock()
	g.done = true
}

// watch makes a command that survives its panic.
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

// catchHere keeps a panic of the model itself, which is asked nothing more. It is
// called by defer.
func (g *panicGuard) catchFatal() {
	if p := crash.From(recover()); p != nil {
		g.done = true
		g.record(p)
	}
}

// catch keeps the panic of a command. It is called by defer.
func (g *panicGuard) catch() {
	if p := crash.From(recover()); p != nil {
		g.record(p)
	}
}

// keep remembers the first panic and ends the program.
func (g *panicGuard) record(p *crash.Panic) {
	g.mu.Lock()
	if g.panic == nil {
		g.panic = p
	}
	g.mu.Unlock()
	g.stop()
}

// caught returns the first panic, if there was one.
func (g *panicGuard) caught() *crash.Panic {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.panic
}
