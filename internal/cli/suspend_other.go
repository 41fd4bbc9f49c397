//go:build !unix

package cli

import tea "charm.land/bubbletea/v2"

// halt does nothing where a process cannot be stopped for a while.
type halt struct{ suspend func() error }

func newHalt() *halt { return &halt{} }

func (*halt) forward(*tea.Program, <-chan struct{}) {}
