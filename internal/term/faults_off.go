//go:build !crashpoints

package term

import tea "charm.land/bubbletea/v2"

// faulty returns the model unchanged; only builds for crash tests change it.
func faulty(m tea.Model) tea.Model { return m }
