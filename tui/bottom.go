package tui

import (
	"strings"

	"roundtable/tui/theme"
)

// bottomLine says what is owed, what it cost and which keys work now.
func (m *Model) bottomLine() string {
	var left []theme.Part
	if m.stack.onSession() {
		left = m.stack.open.debate.Screen.Owed(m.stack.onForm(), m.stack.typing())
	}
	hints, right := m.hints(left == nil)
	if len(left) > 1 && m.stack.open.debate.Session().Demo() && length(left)+length(right) > m.w { // rather short than cut
		left[1].Text = "   demo: no model"
		left[1].Whole = true
	}
	if left == nil {
		left = hints
		if len(left) > 0 {
			left[0].Text = " " + strings.TrimLeft(left[0].Text, " ")
		}
	}
	if len(right) > 0 {
		right[0].Text = right[0].Text[3:] // the row itself keeps a blank
	}
	return m.th.Row(left, append(right, theme.Part{Text: " "}), m.w)
}

// length is how many cells parts take.
func length(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}

// hints are the keys that work now, each with the blanks before it. Those of
// the screen itself may stand apart.
func (m *Model) hints(apart bool) (own, end []theme.Part) {
	typing := m.stack.typing()
	add := func(text string, cut int, atEnd bool) {
		p := theme.Part{Text: "   " + text, Style: m.th.Muted, Cut: cut, Whole: true}
		if apart && !atEnd {
			own = append(own, p)
		} else {
			end = append(end, p)
		}
	}
	for i, text := range m.typingHints() {
		add(text, 20-i, false)
	}
	for _, c := range m.commands.list() {
		if c.Hint == nil || typing && !c.InField || m.commands.reason(c) != "" {
			continue
		}
		text, cut := c.Hint(), 20-c.Rank
		if text == "" {
			continue
		}
		if c.Urgent != nil && c.Urgent() {
			cut = 19
		}
		add(text, cut, c.AtEnd)
	}
	return own, end
}

// typingHints say how to finish what is being typed, the most important first.
func (m *Model) typingHints() []string {
	if p := m.stack.prompting(); p != nil {
		return p.Hints
	}
	return m.stack.top().TypingHints()
}
