package term

import (
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/crash"
)

// Guard catches the panics of a model.
type Guard struct{ *panicGuard }

// NewGuard returns a guard around a model; stop ends the program.
func NewGuard(m tea.Model, stop func()) Guard { return Guard{&panicGuard{model: m, stop: stop}} }

// Caught returns the first panic.
func (g Guard) Caught() *crash.Panic { return g.panic.Load() }

// NewKeyboard reads the keys of a terminal.
func NewKeyboard(f *os.File) io.Reader { return &keyboard{File: f} }
