package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/pane"
)


// leave goes home, or from there out of the program. While a round runs it asks.
func (m *Model) leave() tea.Cmd {
	switch m.screen {
	case atHome, atFirst:
		return m.quit()
	}
	if !m.running() {
		return m.toHome()
	}
	return m.ask(m.stopText(), "q goes home · esc stays", map[string]func(*Model) tea.Cmd{"q": (*Model).toHome})
}

// toHome leaves the open session for the list.
func (m *Model) toHome() tea.Cmd {
	m.home.Select(m.board.session.ID)
	cmd := m.abandon()
	m.screen = atHome
	m.tell(plainly, "All is saved.")
	return tea.Batch(cmd, m.readSessions())
}

// goHome shows the list over the open session, which stays.
func (m *Model) goHome() tea.Cmd {
	m.home.Select(m.board.session.ID)
	m.screen = atHome
	return m.readSessions()
}

// quit ends the program; while a round runs it asks once, and so it does where what
// was typed for a new debate cannot be kept.
func (m *Model) quit() tea.Cmd {
	var text string
	switch {
	case m.quitting:
		return tea.Quit
	case m.running():
		text = m.stopText()
	case m.deps.ReadOnly != "" && m.fresh.Typed():
		text = "What you typed for a new debate is not kept."
	default:
		return tea.Quit
	}
	m.quitting = true
	quit := func(*Model) tea.Cmd { return tea.Quit }
	answers, keys := map[string]func(*Model) tea.Cmd{"ctrl+c": quit}, "ctrl+c quits · esc stays"
	if !m.running() && !m.typing() {
		answers["q"], keys = quit, "q quits · esc stays"
	}
	return m.ask(text, keys, answers)
}

// stopText says what stopping a round means.
func (m *Model) stopText() string {
	var names []string
	for _, p := range m.board.panes {
		switch p.State().Kind {
		case pane.Waiting, pane.Writing, pane.Tool, pane.Retrying, pane.Paused, pane.Queued:
			names = append(names, p.Profile().Name)
		case pane.Idle, pane.Done, pane.Failed, pane.Cancelled, pane.Interrupted:
		}
	}
	text := "A round is running. Finished answers are saved"
	switch {
	case m.board.chair != "":
		return fmt.Sprintf("%s writes the verdict. All answers are saved; the verdict is written on resume.", m.board.chair)
	case m.board.aide != "":
		return m.board.aide + ". All answers are saved; this is done on resume."
	case len(names) == 1:
		text += ", " + names[0] + "'s is asked again on resume"
	case len(names) > 1:
		text += ", those of " + some(names) + " are asked again on resume"
	}
	return text + "."
}

// escape closes what lies on top; it never quits and never loses text.
func (m *Model) escape() tea.Cmd {
	switch m.place() {
	case atHome:
		switch {
		case m.home.Back(m.now()):
		case m.board != nil:
			m.screen = atDebate
		default:
			m.hush()
		}
	case atNew:
		m.screen = atHome
	case atForm:
		return m.formKey("esc")
	case atLog:
		if !m.board.log.back() {
			m.screen = m.board.log.from
		}
	case atReceipt:
		m.screen = m.board.receipt.from
	case atVerdict:
		if !m.shelve() {
			m.screen = atDebate
		}
	case atDebate:
		if !m.shelve() && !m.unfind() {
			m.hush()
		}
	default:
		m.hush()
	}
	m.arrange()
	return nil
}
