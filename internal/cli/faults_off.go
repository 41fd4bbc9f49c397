//go:build !crashpoints

package cli

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/debate/engine"
)

// faulty leaves the model as it is in a build that is not for crash tests.
func faulty(m tea.Model) tea.Model { return m }

// faultyParts does the same for the parts of the engine.
func faultyParts(o engine.Options) engine.Options { return o }
