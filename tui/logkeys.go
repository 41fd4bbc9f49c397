package tui

import tea "charm.land/bubbletea/v2"

// openLog shows all tool calls.
func (m *Model) openLog() tea.Cmd {
	m.board.log.from = m.screen
	m.board.log.follow = true
	m.screen = atLog
	return nil
}

func noTools(m *Model) string {
	if len(m.board.log.calls) == 0 && len(m.told) == 0 {
		return "No tool was used, and nothing was told."
	}
	return ""
}

// showCall goes to the pane of the call under the cursor.
func (m *Model) showCall() tea.Cmd {
	c := m.board.log.selected()
	if c == nil || c.seat == 0 {
		return nil
	}
	m.screen = atDebate
	m.focusOn(c.seat - 1)
	m.board.focus().Find(c.tool.Name)
	m.board.finder.query = c.tool.Name
	return nil
}

// logSeat shows the calls of the next seat only.
func (m *Model) logSeat(n int) tea.Cmd {
	m.board.log.nextSeat(n)
	return nil
}

// logRound shows the calls of another round only.
func (m *Model) logRound(n int) tea.Cmd {
	m.board.log.nextRound(n)
	return nil
}

// logScroll moves half a page within the call that is open.
func (m *Model) logScroll(direction int) tea.Cmd {
	m.board.log.scroll(direction * max(m.board.log.openHeight()/2, 1))
	return nil
}

func (m *Model) filterLog() tea.Cmd {
	m.board.log.typing = true
	return m.board.log.field.Focus()
}

// pageCall shows the open call, or the notice, in the user's pager.
func (m *Model) pageCall() tea.Cmd {
	text := m.board.log.whole()
	if text == "" {
		m.tell(plainly, "There is no call to open.")
		return nil
	}
	return func() tea.Msg {
		dir, file, err := scratch("call.txt", text)
		return pagedMsg{dir, file, err}
	}
}
