package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/pane"
)


// askHalt asks before it breaks a round off: what is being written is asked again.
func (m *Model) askHalt() tea.Cmd {
	return m.ask("Pause at once? "+strings.TrimPrefix(m.stopText(), "A round is running. "), "enter pauses · esc goes on", map[string]func(*Model) tea.Cmd{"enter": (*Model).halt})
}

// halt pauses in the middle of a round.
func (m *Model) halt() tea.Cmd {
	if !m.running() {
		return nil
	}
	m.board.paused = true
	m.board.live.run.Stop()
	return nil
}

func noHalt(m *Model) string {
	switch b := m.board; {
	case b.live == nil:
		return "No round is running."
	case b.chair != "":
		return "The verdict is being written."
	}
	return ""
}

// toggleLast lets the debate end after the round under way, or go on after all.
func (m *Model) toggleLast() tea.Cmd {
	b := m.board
	b.last = !b.last
	if b.last {
		m.tell(plainly, fmt.Sprintf("The debate ends after round %d; then the chair concludes. The same command goes on after all.", len(b.session.History)))
	} else {
		m.tell(plainly, "The debate goes on after this round.")
	}
	return nil
}

func noLast(m *Model) string {
	switch b := m.board; {
	case b.live == nil:
		return "No round is running. End the debate now ends it."
	case b.chair != "":
		return "The verdict is being written."
	case len(b.session.History) >= b.session.Rounds:
		return "This is the last round."
	}
	return ""
}

// endsHere ends the debate after a round, as the user has wanted. What nobody has
// answered yet is not thrown away for that: the form says how to end without it.
func (m *Model) endsHere() tea.Cmd {
	b := m.board
	b.last = false
	if b.session.Status() != debate.NeedsContext {
		return m.end()
	}
	m.tell(urgently, fmt.Sprintf("You wanted to end here, but %s is unanswered. The last row of the form ends without it.", strings.Join(blocking(b.session), ", ")))
	return m.formOpens()
}

// hurry ends the wait of the seat in focus for its provider.
func (m *Model) hurry() tea.Cmd {
	if m.running() {
		m.board.live.run.RetryNow(m.board.focus().Profile().ID)
	}
	return nil
}

func noHurry(m *Model) string {
	p := m.board.focus()
	if m.board.live == nil || p == nil || !waits(p) {
		return "This seat does not wait for its provider."
	}
	return ""
}

// waits reports whether a seat waits for its provider, which asked for time.
func waits(p *pane.Pane) bool {
	k := p.State().Kind
	return k == pane.Retrying || k == pane.Paused
}
