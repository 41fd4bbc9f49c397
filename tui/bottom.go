package tui

import (
	"strings"

	"roundtable/tui/debateview"
	"roundtable/tui/theme"
)

// bottomLine shows open requests and costs at the left, and the keys that work
// now at the right.
func (m *Model) bottomLine() string {
	var left []theme.Part
	if m.stack.onSession() {
		left = m.stack.open.debate.Screen.Status(m.stack.onForm(), m.stack.typing())
	}
	hints, right := m.hints(left == nil)
	if n := len(left); n > 1 && m.stack.open.debate.Session().Demo() && length(left)+length(right) > m.w { // rather short than dropped
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
		right[0].Text = right[0].Text[3:] // the row itself keeps a blank
	}
	return m.th.Row(left, append(right, theme.Part{Text: " "}), m.w)
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

// length returns the width of parts in cells.
func length(parts []theme.Part) int {
	n := 0
	for _, p := range parts {
		n += theme.Width(p.Text)
	}
	return n
}

// hints returns the keys that work now, each with the blanks before it. If apart
// is set, the screen's own keys are returned separately.
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
	closes := false // esc closes what is typed, before anything else
	for i, text := range m.stack.typingHints() {
		add(text, 20-i, false)
		closes = closes || strings.HasPrefix(text, "esc ")
	}
	for _, c := range m.commands.list() {
		if c.Hint == nil || typing && !c.InField || m.commands.reason(c) != "" {
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
