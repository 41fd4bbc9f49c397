package tui

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/tui/theme"
)

// maxNoticeRows is the largest number of rows of a message.
const maxNoticeRows = 4

// message is what a notice or a question says, and the keys that help.
type message struct {
	text, keys string
	style      lipgloss.Style
	right      []theme.Part // at the end of the last row
}

// rows draws the message. What does not fit into one row is wrapped; of more than most
// rows the middle is left out, since the end says what to do.
func (m message) rows(th *theme.Theme, width, most int) []string {
	room := width - 2
	for _, p := range m.right {
		if !p.Whole {
			room -= theme.Width(p.Text) + 1
		}
	}
	whole := strings.TrimSpace(m.text + m.gap() + m.keys)
	lines := []string{whole}
	if theme.Width(whole) > room {
		lines = theme.Wrap(m.text, room)
		keys := theme.Wrap(m.keys, room)
		last := len(lines) - 1
		switch {
		case m.keys == "":
		case theme.Width(lines[last]+m.gap()+m.keys) <= room:
			lines[last] += m.gap() + m.keys
		default:
			lines = append(lines, keys...)
		}
	}
	if over := len(lines) - most; over > 0 {
		head := max((most-1)/2, 0)
		lines = slices.Delete(lines, head, head+over)
		if head > 0 {
			lines[head-1] = th.Truncate(lines[head-1], room-1) + th.Symbols.Cut
		} else {
			lines[0] = th.Symbols.Cut + " " + lines[0]
		}
	}
	rows := make([]string, len(lines))
	for i, l := range lines {
		var right []theme.Part
		if i == len(lines)-1 {
			right = m.right
		}
		rows[i] = th.Row([]theme.Part{{Text: " " + l, Style: m.style, Cut: 2}}, right, width)
	}
	return rows
}

// gap returns the blanks between text and keys.
func (m message) gap() string {
	switch {
	case m.keys == "":
		return ""
	case strings.HasSuffix(m.text, ".") || strings.HasSuffix(m.text, "?") || strings.HasSuffix(m.text, ":"):
		return " "
	}
	return "  "
}
