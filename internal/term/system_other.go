//go:build !unix

package term

import (
	tea "charm.land/bubbletea/v2"
)

// Signals does nothing on systems that cannot suspend a process.
type Signals struct{ Suspend func() error }

// NewSignals listens for nothing.
func NewSignals(_, _ tea.Msg) *Signals { return &Signals{} }

func (*Signals) forward(*tea.Program, <-chan struct{}) {}

// ownFileOnly is empty: this system has no such flags.
const ownFileOnly = 0

// DisableCoreDumps does nothing on systems without core dumps.
func DisableCoreDumps() {}
