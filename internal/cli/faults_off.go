//go:build !crashpoints

package cli

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate/engine"
)

// faulty returns the model unchanged; only builds for crash tests change it.
func faulty(m tea.Model) tea.Model { return m }

// faultyParts returns the options unchanged.
func faultyParts(o engine.Options) engine.Options { return o }
