package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

// wheelLines is how many lines one step of the wheel scrolls.
const wheelLines = 3

// mouseMode enables the wheel and clicks if the user wants them. The terminal
// selects no text then.
func (m *Model) mouseMode() tea.MouseMode {
	if m.deps.Mouse {
		return tea.MouseModeCellMotion
	}
	return tea.MouseModeNone
}

// wheel scrolls what is under the pointer. It moves no focus and answers no
// question.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	step := 1
	switch msg.Button {
	case tea.MouseWheelDown:
	case tea.MouseWheelUp:
		step = -1
	default:
		return nil
	}
	lines := step * wheelLines
	switch {
	case screen.TooSmall(m.w, m.h):
	case m.help != nil:
		m.help.top += lines
	case m.palette != nil:
		return m.paletteKey(tea.KeyPressMsg{Code: map[int]rune{-1: tea.KeyUp, 1: tea.KeyDown}[step]})
	default:
		if s, ok := m.stack.top().(screen.Scroller); ok {
			s.Wheel(msg.X, msg.Y-1, step, lines)
		}
	}
	return nil
}

// click chooses what is under the pointer.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft || screen.TooSmall(m.w, m.h) || m.question != nil || m.help != nil || m.palette != nil ||
		m.stack.prompting() != nil {
		return nil
	}
	if s, ok := m.stack.top().(screen.Clicker); ok {
		return m.carryOut(s.Click(msg.X, msg.Y-1))
	}
	return nil
}
