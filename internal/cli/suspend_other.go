//go:build !unix

package cli

import (
	tea "charm.land/bubbletea/v2"
)

// signals does nothing on systems that cannot suspend a process.
type signals struct{ suspend func() error }

func newSignals() *signals { return &signals{} }

func (*signals) forward(*tea.Program, <-chan struct{}) {}
