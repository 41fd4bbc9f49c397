//go:build !unix

package cli

import (
	tea "charm.land/bubbletea/v2"
)

// signals does nothing where a process cannot be stopped for a while.
type signals struct{ suspend func() error }

func newSignals() *signals { return &signals{} }

func (*signals) forward(*tea.Program, <-chan struct{}) {}
