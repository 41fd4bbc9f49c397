package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// View draws the screen: top line, screen, notice row and bottom line, at exactly
// the terminal's size.
func (m *Model) View() tea.View {
	var v tea.View
	v.AltScreen = true
	v.MouseMode = m.mouseMode()
	v.ReportFocus = m.deps.Notify
	v.WindowTitle = m.windowTitle()
	v.ProgressBar = m.deps.Terminal.progress(m.stack)
	switch {
	case m.w <= 0 || m.h <= 0:
	case screen.TooSmall(m.w, m.h):
		v.SetContent(m.small())
	case m.help != nil:
		v.SetContent(m.frame(m.help.view(m.th, m.w, m.h)))
		v.Cursor = m.help.cursor()
	default:
		rows := m.screenRows()
		v.Cursor = m.cursor()
		if m.palette != nil {
			rows = m.palette.over(m.th, m.w, m.h, rows)
			v.Cursor = m.palette.cursorAt()
		}
		v.SetContent(m.frame(rows))
	}
	return v
}

// frame fits rows to the terminal's size.
func (m *Model) frame(rows []string) string {
	for len(rows) < m.h {
		rows = append(rows, "")
	}
	rows = rows[:m.h]
	for i, r := range rows {
		if theme.Width(r) != m.w {
			rows[i] = m.th.Fit(r, m.w)
		}
	}
	content := strings.Join(rows, "\n")
	switch {
	case m.deps.ASCII:
		return toASCII(content)
	case m.look.ASCII:
		return narrow.Replace(content)
	}
	return content
}

// screenRows draws the screen without palette and help.
func (m *Model) screenRows() []string {
	if m.stack.open != nil {
		m.stack.open.log().SetNotices(m.notices.history)
	}
	top, frame := m.stack.top(), screen.Frame{Now: m.deps.Now(), Spin: m.spinner.step}
	left, right := top.Title(frame)
	if left == nil {
		left, right = m.stack.open.debate.Screen.Title(frame)
	}
	rows := make([]string, 0, m.h)
	rows = append(rows, m.th.Row(left, right, m.w))
	rows = append(rows, strings.Split(top.View(frame), "\n")...)
	notice := m.noticeRows()
	if more := len(notice) - 1; more > 0 { // the last row may be the border of a box
		last := len(rows) - 1
		rows = append(rows[:max(last-more, 0)], rows[last])
	}
	return append(append(rows, notice...), m.bottomLine())
}

// cursor returns where text is typed; nil if nowhere.
func (m *Model) cursor() *tea.Cursor {
	if p := m.stack.prompting(); p != nil {
		return screen.Offset(input.Cursor(p.field, m.th), p.lead(), m.h-2)
	}
	return screen.Offset(m.stack.top().Cursor(), 0, 1)
}

// small says that the terminal is too small.
func (m *Model) small() string {
	lines := []string{
		"Roundtable", fmt.Sprintf("Too small: %dx%d, needs %dx%d.", m.w, m.h, screen.MinWidth, screen.MinHeight),
		"Make the window larger.",
	}
	if m.stack.open != nil {
		lines = append(lines, "", "The debate goes on and is saved.")
		if n := len(m.stack.open.debate.Session().Unanswered()); n > 0 {
			lines = append(lines, fmt.Sprintf("%s %d required left", m.th.Symbols.Required, n))
		}
	}
	for len(lines) < m.h-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:max(m.h-1, 0)], "ctrl+c quit")
	for i, l := range lines {
		lines[i] = m.th.Muted.Render(ansi.Truncate(" "+l, m.w, m.th.Symbols.Cut))
	}
	return strings.Join(lines, "\n")
}
