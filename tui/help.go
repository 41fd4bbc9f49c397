package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// help lists the keys of a place, made of the commands' own bindings.
type help struct {
	of     screen.Screen
	top    int
	typing bool
	field  textinput.Model
}

// helpWide is the width from which the keys stand in two columns.
const helpWide = 72

// openHelp lists the keys that work here.
func (m *Model) openHelp() tea.Cmd {
	f := textinput.New()
	f.Prompt = ""
	f.SetVirtualCursor(false)
	m.help = &help{of: m.stack.top(), field: f}
	return nil
}

// helpKey scrolls, filters or closes.
func (m *Model) helpKey(msg tea.KeyPressMsg) tea.Cmd {
	h := m.help
	pressed := msg.String()
	if h.typing && pressed != "esc" && pressed != "enter" {
		var cmd tea.Cmd
		h.field, cmd = h.field.Update(msg)
		h.top = 0
		return cmd
	}
	switch pressed {
	case "esc", "q", "?", "enter":
		if !h.typing {
			m.help = nil
			return nil
		}
		h.typing = false
		h.field.Blur()
		if pressed == "esc" {
			h.field.SetValue("")
		}
	case "/":
		h.typing = true
		return h.field.Focus()
	case "j", "down":
		h.top++
	case "k", "up":
		h.top--
	case "d", "pgdown":
		h.top += m.h / 2
	case "u", "pgup":
		h.top -= m.h / 2
	case "g", "home":
		h.top = 0
	case "G", "end":
		h.top = 1 << 20
	}
	return nil
}

func (h *help) cursor() *tea.Cursor {
	if !h.typing {
		return nil
	}
	return screen.Offset(h.field.Cursor(), 3, 0)
}

// view draws the whole screen.
func (h *help) view(m *Model) []string {
	th := m.th
	top := th.Row([]theme.Part{{Text: " Help · " + h.of.Name(), Style: th.Text}}, []theme.Part{{Text: "ctrl+p finds the rest by name ", Style: th.Muted, Cut: 1, Whole: true}}, m.w)
	blocks := h.blocks(m)
	var lines []string
	if m.w >= helpWide {
		lines = columns(th, blocks, m.w)
	} else {
		for _, b := range blocks {
			lines = append(append(lines, b...), "")
		}
	}
	foot := h.symbols(m)
	room := m.h - 3 - len(foot)
	tight := len(lines) == room+1 // without the blank row below the title all fit
	if tight {
		room++
	}
	h.top = max(0, min(h.top, len(lines)-room))
	rows := []string{top}
	if h.typing || h.field.Value() != "" {
		rows[0] = th.Fit(th.Accent.Render(" / ")+h.field.View(), m.w)
	}
	if !tight {
		rows = append(rows, "")
	}
	rows = append(rows, lines[h.top:min(len(lines), h.top+room)]...)
	for len(rows) < m.h-1-len(foot) {
		rows = append(rows, "")
	}
	rows = append(rows, foot...)
	hint := " / search keys"
	if hidden := len(lines) - h.top - room; hidden > 0 {
		hint = fmt.Sprintf(" j k scroll, %d below   / search keys", hidden)
	}
	return append(rows, th.Row([]theme.Part{{Text: hint, Style: th.Muted, Cut: 1}}, []theme.Part{{Text: "esc close ", Style: th.Muted}}, m.w))
}

// blocks are the groups with their keys, as lines.
func (h *help) blocks(m *Model) [][]string {
	th := m.th
	words := strings.ToLower(h.field.Value())
	var blocks [][]string
	commands := h.commands(m)
	for _, g := range screen.Groups() {
		var lines []string
		for _, c := range commands {
			shown := c.Help()
			if c.Group != g || shown.Key == "" || !strings.Contains(strings.ToLower(shown.Key+" "+shown.Desc), words) {
				continue
			}
			line := fmt.Sprintf("   %s %s", pad(shown.Key, 12), shown.Desc)
			if !slices.ContainsFunc(lines, func(l string) bool { return ansi.Strip(l) == line }) {
				lines = append(lines, th.Text.Render(fmt.Sprintf("   %s ", pad(shown.Key, 12)))+th.Muted.Render(shown.Desc))
			}
		}
		if len(lines) > 0 {
			blocks = append(blocks, append([]string{"   " + th.Accent.Render(string(g))}, lines...))
		}
	}
	if len(blocks) == 0 {
		return [][]string{{th.Muted.Render(" No key matches.")}}
	}
	return blocks
}

// commands lists the commands of the screen, on the debate also the keys of its form
// that answer.
func (h *help) commands(m *Model) []screen.Command {
	all := m.commands.list()
	if !m.stack.onSession() || m.stack.onForm() {
		return all
	}
	for _, c := range m.stack.open.debate.Form.Commands() {
		if c.Group == screen.Answering {
			all = append(all, c)
		}
	}
	return all
}

func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(w-ansi.StringWidth(s), 0))
}

// columns sets blocks into two columns of about the same height, in order.
func columns(th *theme.Theme, blocks [][]string, w int) []string {
	total := 0
	for _, b := range blocks {
		total += len(b) + 1
	}
	var left, right []string
	for _, b := range blocks {
		if len(right) == 0 && (len(left) == 0 || len(left)+len(b) <= (total+3)/2) {
			left = append(append(left, b...), "")
			continue
		}
		right = append(append(right, b...), "")
	}
	left, right = left[:max(len(left)-1, 0)], right[:max(len(right)-1, 0)] // without the last blank
	half := min(w/2-2, 60)
	var lines []string
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		lines = append(lines, th.Fit(l, half)+r)
	}
	return lines
}

// symbols explains the signs, where there is room.
func (h *help) symbols(m *Model) []string {
	if m.h < 22 || m.w < helpWide {
		return nil
	}
	y, th := m.th.Symbols, m.th
	return []string{
		"",
		th.Muted.Render(fmt.Sprintf(" Symbols  %s writing  %s done  %s waits for you  %s failed  %s retry  %s paused", y.Busy[0], y.Done, y.Waits, y.Failed, y.Retry, y.Paused)),
		th.Muted.Render(fmt.Sprintf("          %s required  %s optional  %s unavailable  %s focus, or owner %s tool", y.Required, y.Optional, y.Unavailable, y.Focus, y.Focus)),
	}
}
