package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

// leave closes the debate and shows the list. It asks first if a round is
// running.
func (m *Model) leave() tea.Cmd {
	if m.deps.Replay != nil {
		return tea.Quit
	}
	if !m.stack.running() {
		return m.toHome()
	}
	return m.carryOut(screen.Outcome{screen.Question{
		Text: m.stack.open.debate.Unfinished(), Key: "q", Verb: "home",
		Do: func() screen.Outcome { return screen.Run(m.toHome()) },
	}})
}

// toHome closes the open session and shows the list.
func (m *Model) toHome() tea.Cmd {
	m.launcher.home.Select(m.stack.openID())
	cmd := m.leaveSession()
	m.stack.show(m.launcher.home)
	return tea.Batch(cmd, m.launcher.home.ReadSessions())
}

// goHome shows the list over the open session, which stays open.
func (m *Model) goHome() tea.Cmd {
	m.launcher.home.Select(m.stack.openID())
	m.stack.show(m.launcher.home)
	return m.launcher.home.ReadSessions()
}

// quit ends the program. It asks first if a round is running, if the draft of a new
// debate cannot be saved, or if what was saved is lost.
func (m *Model) quit(pressed string) tea.Cmd {
	if m.deps.Replay != nil {
		return tea.Quit
	}
	check := m.deps.Check
	if check == nil || m.database.copied != "" {
		return m.askQuit(pressed)
	}
	return func() tea.Msg { return checkedMsg{pressed, check()} }
}

func (m *Model) askQuit(pressed string) tea.Cmd {
	var text string
	switch {
	case m.stack.running():
		text = m.stack.open.debate.Unfinished()
	case m.deps.ReadOnly != "" && m.launcher.setup.Typed():
		text = "What you typed for the new debate will be lost."
	default:
		return tea.Quit
	}
	return m.ask(screen.Question{Text: text, Key: pressed, Verb: "quit", Do: quitNow})
}

// quitNow ends the program.
func quitNow() screen.Outcome { return screen.Run(tea.Quit) }
