package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate/report"
	"roundtable/tui/input"
	"roundtable/tui/theme"
)


// View draws the screen: a top line, the middle, the notice row and the bottom
// line, never more than the terminal has.
func (m *Model) View() tea.View {
	var v tea.View
	v.AltScreen = true
	v.MouseMode = m.mouseMode()
	v.ReportFocus = m.deps.Notify
	v.WindowTitle = m.windowTitle()
	switch {
	case m.w <= 0 || m.h <= 0:
	case tooSmall(m.w, m.h):
		v.SetContent(m.small())
	case m.help != nil:
		v.SetContent(m.frame(m.help.view(m)))
		v.Cursor = m.help.cursor()
	default:
		rows := m.screenRows()
		v.Cursor = m.cursor()
		if m.palette != nil {
			rows = m.palette.over(m, rows)
			v.Cursor = m.palette.cursorAt()
		}
		v.SetContent(m.frame(rows))
	}
	return v
}

// frame makes rows exactly as many and as wide as the terminal's.
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
		return spell(content)
	case m.look.ASCII:
		return narrow.Replace(content)
	}
	return content
}

// narrow spells signs of ambiguous width in ASCII, one cell each: what asks for
// ASCII symbols would draw them two cells wide, or not at all.
var narrow = strings.NewReplacer("·", "-", "…", "~", "–", "-", "—", "-", "•", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'",
	"→", ">", "←", "<", "↑", "^", "↓", "v", "×", "x", "«", "<", "»", ">")

// screenRows draws the screen as it is without anything over it.
func (m *Model) screenRows() []string {
	rows := make([]string, 0, m.h)
	rows = append(rows, m.topLine())
	rows = append(rows, strings.Split(m.middle(), "\n")...)
	return append(rows, m.noticeLine(), m.bottomLine())
}

// middle draws what stands between the top line and the notice row.
func (m *Model) middle() string {
	switch m.place() {
	case atHome:
		if m.board != nil {
			m.home.SetOpen(m.board.session.ID, m.running())
		} else {
			m.home.SetOpen("", false)
		}
		return m.home.View(m.now())
	case atFirst:
		return m.first.View()
	case atNew:
		return m.fresh.View()
	case atLog:
		return m.board.log.view(m.now(), m.spin, m.told)
	case atReceipt:
		return m.board.receipt.view(m.now())
	case atForm:
		return m.formView()
	case atVerdict:
		return m.outcome() + "\n" + m.board.report.view()
	default:
		return m.debateView()
	}
}

// debateView draws the panes, with the chips and the banner above them.
func (m *Model) debateView() string {
	b, now := m.board, m.now()
	l := b.layout
	rows := make([]string, 0, m.h-3)
	for y := 1; y < l.body.y; y++ {
		switch {
		case y == l.chips:
			rows = append(rows, b.chips(m.th, m.w, now, m.spin))
		default:
			rows = append(rows, strings.Repeat(" ", m.w))
		}
	}
	if l.banner > 0 {
		copy(rows[len(rows)-l.banner:], b.banner(m.th, m.w, now))
	}
	for at := 0; at < len(l.slots); {
		beside := [][]string{}
		for y := l.slots[at].y; at < len(l.slots) && l.slots[at].y == y; at++ {
			beside = append(beside, strings.Split(b.panes[l.slots[at].seat].View(now, m.spin), "\n"))
		}
		row := make([]string, len(beside))
		for i := range beside[0] {
			for j := range beside {
				row[j] = beside[j][i]
			}
			rows = append(rows, strings.Join(row, " "))
		}
	}
	return strings.Join(rows, "\n")
}

// outcome is the typed outcome of the verdict in one line, and nothing softer.
func (m *Model) outcome() string {
	th, v := m.th, m.board.session.Verdict
	if v == nil {
		return th.Fit(" "+th.Muted.Render("The chair writes the verdict."), m.w)
	}
	sign, style := outcomeSign(th, v)
	left := []theme.Part{{Text: " " + sign + " ", Style: style}, {Text: safetext.Line(report.Headline(*v, m.board.session)), Style: style, Cut: 2}}
	return th.Row(left, []theme.Part{{Text: ending(v) + " ", Style: th.Muted, Cut: 1, Whole: true}}, m.w)
}

// cursor is where text is typed.
func (m *Model) cursor() *tea.Cursor {
	switch m.place() {
	case atHome:
		return below(m.home.Cursor(), 1)
	case atNew:
		return below(m.fresh.Cursor(), 1)
	case atForm:
		return m.formCursor()
	case atLog:
		if m.board.log.typing {
			return beside(below(m.board.log.field.Cursor(), 1), 3)
		}
	case atDebate, atVerdict:
		switch b := m.board; {
		case b.prompt != nil:
			return beside(below(input.Cursor(b.prompt.field, m.th), m.h-2), b.prompt.lead())
		case b.finder.on:
			return beside(below(input.Cursor(b.finder.field, m.th), m.h-2), 3)
		}
	}
	return nil
}

func below(c *tea.Cursor, rows int) *tea.Cursor {
	if c != nil {
		c.Y += rows
	}
	return c
}

func beside(c *tea.Cursor, cells int) *tea.Cursor {
	if c != nil {
		c.X += cells
	}
	return c
}

// small says that there is no room.
func (m *Model) small() string {
	lines := []string{
		"Roundtable", fmt.Sprintf("Too small: %dx%d, needs %dx%d.", m.w, m.h, minWidth, minHeight),
		"Make the window larger.",
	}
	if m.board != nil {
		lines = append(lines, "", "The debate goes on and is saved.")
		if n := len(m.board.session.Unanswered()); n > 0 {
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
