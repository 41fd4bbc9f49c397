package tui

import (
	tea "charm.land/bubbletea/v2"

	"roundtable/tui/pane"
)


// wheelLines is how many lines a notch of the wheel moves.
const wheelLines = 3

// mouseMode asks for the wheel and for clicks where the user wants them: then the
// terminal selects no text by itself.
func (m *Model) mouseMode() tea.MouseMode {
	if m.deps.Mouse {
		return tea.MouseModeCellMotion
	}
	return tea.MouseModeNone
}

// wheel scrolls what is under the pointer. It moves no focus and answers nothing.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	notch := 1
	switch msg.Button {
	case tea.MouseWheelDown:
	case tea.MouseWheelUp:
		notch = -1
	default:
		return nil
	}
	lines := notch * wheelLines
	switch {
	case tooSmall(m.w, m.h):
	case m.help != nil:
		m.help.top += lines
	case m.palette != nil:
		return m.paletteKey(tea.KeyPressMsg{Code: map[int]rune{-1: tea.KeyUp, 1: tea.KeyDown}[notch]})
	default:
		m.wheelOn(msg.X, msg.Y, notch, lines)
	}
	return nil
}

// wheelOn scrolls the screen, in which lists move by rows and texts by lines.
func (m *Model) wheelOn(x, y, notch, lines int) {
	switch m.place() {
	case atHome:
		if id, _ := m.home.Renaming(); id == "" { // else the name would stay behind
			m.home.Move(notch)
		}
	case atFirst:
		m.first.Move(notch)
	case atNew:
		m.fresh.Move(notch)
	case atLog:
		l := m.board.log
		if 1+l.h-l.openHeight() <= y {
			l.scroll(lines)
			return
		}
		l.move(notch)
	case atReceipt:
		m.board.receipt.scroll(lines)
	case atVerdict:
		m.board.report.scroll(lines)
	case atForm:
		s := m.board.sheet
		if p := m.board.pane(s.asker); p != nil && s.pane.holds(x, y) {
			p.Scroll(lines)
			return
		}
		s.form.Scroll(lines)
	case atDebate:
		if p, _ := m.paneAt(x, y); p != nil {
			p.Scroll(lines)
		}
	}
}

// click gives the seat under the pointer the focus, or a session of the list the
// cursor; where that is already, the session opens.
func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft || tooSmall(m.w, m.h) || m.question != nil || m.help != nil || m.palette != nil {
		return nil
	}
	switch m.place() {
	case atHome:
		if _, again := m.home.Click(msg.Y - 1); again {
			return m.enterHome()
		}
	case atDebate:
		if p, seat := m.paneAt(msg.X, msg.Y); p != nil && !m.typing() {
			m.focusOn(seat)
		}
	}
	return nil
}

// paneAt returns the pane that covers a cell of the debate screen, and its seat; nil
// where there is none.
func (m *Model) paneAt(x, y int) (*pane.Pane, int) {
	for _, s := range m.board.layout.slots {
		if s.holds(x, y) {
			return m.board.panes[s.seat], s.seat
		}
	}
	return nil, 0
}

// holds reports whether a cell lies within.
func (b box) holds(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }
