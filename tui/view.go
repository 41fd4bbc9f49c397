package tui

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/debateview"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// View draws the screen: top line, screen, notice row and bottom line, at exactly
// the terminal's size. It draws nothing again that no message has changed.
func (m *Model) View() tea.View {
	if m.drawn == nil {
		v := m.draw()
		m.drawn = &v
	}
	return *m.drawn
}

func (m *Model) draw() tea.View {
	var v tea.View
	v.AltScreen = true
	if m.deps.Mouse { // the terminal selects no text then
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.ReportFocus = m.deps.Notify
	v.WindowTitle = m.windowTitle()
	switch {
	case m.w <= 0 || m.h <= 0:
	case screen.TooSmall(m.w, m.h):
		v.SetContent(m.small())
	default:
		v.SetContent(m.frame(m.screenRows()))
		v.Cursor = m.cursor()
	}
	return v
}

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

func (m *Model) screenRows() []string {
	if m.stack.open != nil {
		m.stack.open.log.SetNotices(m.notices.history)
	}
	notice := m.noticeRows()
	m.makeRoom(len(notice) - 1)
	top, frame := m.stack.top(), screen.Frame{Now: m.deps.Now(), Spin: m.spinner.step}
	left, right := top.Title(frame)
	if left == nil {
		left, right = m.stack.open.debate.Screen.TopLine(frame)
	}
	rows := make([]string, 0, m.h)
	rows = append(rows, m.th.Row(left, right, m.w))
	rows = append(rows, strings.Split(top.View(frame), "\n")...)
	return append(append(rows, notice...), m.bottomLine())
}

func (m *Model) makeRoom(rows int) {
	s := m.stack.top()
	if s == m.lowered.screen && rows == m.lowered.rows {
		return
	}
	for _, l := range []lowered{{m.lowered.screen, 0}, {s, rows}} {
		if keeps, ok := l.screen.(screen.Lowerer); ok {
			keeps.Lower(l.rows)
		} else if l.screen != nil {
			l.screen.SetSize(m.w, m.h-3-l.rows)
		}
	}
	m.lowered = lowered{s, rows}
}

type lowered struct {
	screen screen.Screen
	rows   int
}

func (m *Model) cursor() *tea.Cursor {
	if p := m.stack.prompting(); p != nil {
		return p.cursor(m.h)
	}
	return screen.Offset(m.stack.top().Cursor(), 0, 1)
}

func (m *Model) small() string {
	lines := []string{
		"Roundtable", fmt.Sprintf("Too small: %dx%d.", m.w, m.h), fmt.Sprintf("It needs %dx%d.", screen.MinWidth, screen.MinHeight),
	}
	if m.stack.open != nil {
		lines = append(lines, "", "Your debates are saved.")
		if waits := m.stack.open.debate.Waits(); waits != "" {
			lines = append(lines, m.th.Symbols.Required+" "+waits)
		}
	}
	for len(lines) < m.h-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:max(m.h-1, 0)], "ctrl+c quit")
	cut := func(l string) string { return m.th.Muted.Render(ansi.Truncate(" "+l, m.w, m.th.Symbols.Cut)) }
	return strings.Join(text.Each(lines, cut), "\n")
}

func (m *Model) bottomLine() string {
	var left []theme.Part
	if m.stack.onSession() {
		left = m.stack.open.debate.Screen.Status(m.stack.onForm(), m.stack.typing())
	}
	hints, right := m.hints(left == nil)
	tight := theme.Length(left)+theme.Length(right) > m.w
	if n := len(left); n > 1 && tight && m.stack.open.debate.Session().Demo() { // rather short than dropped
		left[n-1].Text = "   demo: no model"
	}
	outlive(left, right)
	if left == nil {
		left = hints
		if len(left) > 0 {
			left[0].Text = " " + strings.TrimLeft(left[0].Text, " ")
		}
	}
	if len(right) > 0 {
		right[0].Text = right[0].Text[2:] // two blanks remain, with that of the row
	}
	if others := m.backgroundParts(); others != nil {
		if len(left) > 0 {
			left[0].Text = "  " + left[0].Text
		}
		left = append(others, left...)
	}
	return m.th.Row(left, append(right, theme.Part{Text: " ", Whole: true}), m.w)
}

// outlive has the hint that is cut last stay longer than the status, unless the
// status itself names a key.
func outlive(status, hints []theme.Part) {
	if len(status) == 0 || len(hints) == 0 {
		return
	}
	last := &hints[0]
	for i := range hints {
		if hints[i].Cut > last.Cut {
			last = &hints[i]
		}
	}
	last.Cut = debateview.StatusCut + 1
}

// hints returns the keys that work now, each with the blanks before it. If apart
// is set, the screen's own keys are returned separately.
func (m *Model) hints(apart bool) (own, end []theme.Part) {
	add := func(text string, cut int, atEnd bool) {
		p := theme.Part{Text: "   " + text, Style: m.th.Muted, Cut: cut, Whole: true}
		if apart && !atEnd {
			own = append(own, p)
		} else {
			end = append(end, p)
		}
	}
	closes := false // esc closes what is typed, before anything else
	all := m.commands.withKeys()
	for i, text := range m.stack.typingHints() {
		add(m.commands.keys.inHint(text), 20-i, false)
		closes = closes || strings.HasPrefix(text, "esc ")
	}
	for _, c := range all {
		if c.Hint == nil || m.commands.reason(c) != "" {
			continue
		}
		text, cut := c.Hint(), 20-c.Rank
		if text == "" || closes && strings.HasPrefix(text, "esc ") {
			continue
		}
		if c.Urgent != nil && c.Urgent() {
			cut = 19
		}
		add(text, cut, c.AtEnd)
	}
	return own, end
}

const spinEvery = 125 * time.Millisecond

// spinMsg turns the spinner, unless a later tick was asked for meanwhile.
type spinMsg struct{ n int }

// spinner turns while a seat works, and draws again what changes by time alone.
type spinner struct {
	ctx   context.Context
	step  int
	n     int           // of the tick on its way
	every time.Duration // after which it comes; 0: none is on its way
}

func (s *spinner) start(every time.Duration) tea.Cmd {
	if s.every != 0 && s.every <= every {
		return nil
	}
	s.n++
	s.every = every
	return screen.After(s.ctx, every, spinMsg{s.n})
}

func (s *spinner) tick(msg spinMsg) {
	if msg.n == s.n {
		s.every = 0
		s.step++
	}
}

func (m *Model) windowTitle() string {
	title := "Roundtable"
	if m.stack.open != nil {
		title = m.stack.open.debate.WindowTitle()
	}
	if m.deps.ASCII {
		return toASCII(title)
	}
	return withoutTerminator(title)
}

// narrow replaces characters of ambiguous width by one ASCII character each: a
// terminal that needs ASCII symbols draws them two cells wide, or not at all.
var narrow = strings.NewReplacer("·", "-", "…", "~", "–", "-", "—", "-", "•", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'",
	"→", ">", "←", "<", "↑", "^", "↓", "v", "×", "x", "«", "<", "»", ">", "≈", "~", "≠", "#")

// withoutTerminator replaces characters whose UTF-8 form contains the byte 0x9C,
// such as Ü and М. Some terminals take that byte for the end of the title, and
// draw the rest of it on the screen.
func withoutTerminator(title string) string {
	return strings.Map(func(r rune) rune {
		if strings.Contains(string(r), "\x9c") {
			return '?'
		}
		return r
	}, title)
}

// toASCII returns text for a terminal that does not speak UTF-8, which may take
// the bytes of other characters for commands.
func toASCII(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for rest := narrow.Replace(s[i:]); rest != ""; {
		if rest[0] <= unicode.MaxASCII {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		char, cells := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		b.WriteString(strings.Repeat("?", cells))
		rest = rest[len(char):]
	}
	return b.String()
}
