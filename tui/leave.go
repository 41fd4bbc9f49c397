package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

// leave goes from a debate to the list. While a round runs it asks.
func (m *Model) leave() tea.Cmd {
	if !m.stack.running() {
		return m.toHome()
	}
	return m.perform(screen.Outcome{screen.Question{
		Text: m.stack.open.debate.StopText(), Keys: "q goes home · esc stays",
		Answers: map[string]func() screen.Outcome{"q": func() screen.Outcome { return screen.Run(m.toHome()) }},
	}})
}

// toHome leaves the open session for the list.
func (m *Model) toHome() tea.Cmd {
	m.lobby.home.Select(m.stack.openedID())
	cmd := m.abandon()
	m.stack.show(m.lobby.home)
	m.tell(screen.Info, "All is saved.")
	return tea.Batch(cmd, m.lobby.readSessions())
}

// goHome shows the list over the open session, which stays.
func (m *Model) goHome() tea.Cmd {
	m.lobby.home.Select(m.stack.openedID())
	m.stack.show(m.lobby.home)
	return m.lobby.readSessions()
}

// quit ends the program; while a round runs it asks once, and so it does where what
// was typed for a new debate cannot be saved.
func (m *Model) quit() tea.Cmd {
	var text string
	switch {
	case m.quitting:
		return tea.Quit
	case m.stack.running():
		text = m.stack.open.debate.StopText()
	case m.deps.ReadOnly != "" && m.lobby.fresh.Typed():
		text = "What you typed for a new debate is not kept."
	default:
		return tea.Quit
	}
	m.quitting = true
	quit := func() screen.Outcome { return screen.Run(tea.Quit) }
	answers, keys := map[string]func() screen.Outcome{"ctrl+c": quit}, "ctrl+c quits · esc stays"
	if !m.stack.running() && !m.stack.typing() {
		answers["q"], keys = quit, "q quits · esc stays"
	}
	return m.perform(screen.Outcome{screen.Question{Text: text, Keys: keys, Answers: answers}})
}
