package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// help lists the keys of a screen. It is made of the bindings of commands.
type help struct {
	name     string           // of the screen
	commands []screen.Command // that can run now
	every    []screen.Command // those that cannot as well
	all      bool             // every one is listed
	textview.Text
	typing  bool
	field   textinput.Model
	palette string // the key that opens the palette
}

// helpWide is the width from which the keys are in two columns.
const helpWide = 72

// newHelp lists the keys of the screen that is shown whose commands can run.
func newHelp(c *commands) *help {
	all := c.list()
	can := slices.DeleteFunc(slices.Clone(all), func(one screen.Command) bool { return !c.canRun(one, all) })
	return &help{name: c.stack.top().Name(), field: input.NewField("", 0), palette: c.keys.of("ctrl+p"), every: all, commands: can}
}

// canRun reports whether a command can run now, or another one whose key its row has too.
func (c *commands) canRun(one screen.Command, all []screen.Command) bool {
	shown := strings.Fields(one.Help().Key)
	return c.reason(one) == "" || slices.ContainsFunc(all, func(other screen.Command) bool {
		return c.reason(other) == "" && slices.ContainsFunc(other.Keys(), func(key string) bool {
			return slices.Contains(shown, key) && !slices.Contains(one.Keys(), key)
		})
	})
}

// key scrolls, filters or closes; page is how many rows a page has. It reports
// whether it closes help.
func (h *help) key(msg tea.KeyPressMsg, page int) (cmd tea.Cmd, closed bool) {
	pressed := msg.String()
	if h.typing && pressed != "esc" && pressed != "enter" {
		h.field, cmd = h.field.Update(msg)
		h.ToEnd(-1)
		return cmd, false
	}
	switch pressed {
	case "esc", "q", "?", "enter":
		if !h.typing {
			return nil, true
		}
		h.typing = false
		h.field.Blur()
		if pressed == "esc" {
			h.field.SetValue("")
		}
	case "a":
		h.all = !h.all
		h.ToEnd(-1)
	case "/":
		h.typing = true
		return h.field.Focus(), false
	case "j", "down":
		h.Scroll(1)
	case "k", "up":
		h.Scroll(-1)
	case "pgdown", "ctrl+d":
		h.Scroll(page)
	case "pgup", "ctrl+u":
		h.Scroll(-page)
	case "g", "home":
		h.ToEnd(-1)
	case "G", "end":
		h.ToEnd(1)
	}
	return nil, false
}

func (h *help) paste(content string) (cmd tea.Cmd) {
	if h.typing {
		h.field, cmd = h.field.Update(tea.PasteMsg{Content: text.Line(content)})
	}
	return cmd
}

func (h *help) cursor() *tea.Cursor {
	if !h.typing {
		return nil
	}
	return screen.Offset(h.field.Cursor(), 3, 0)
}

func (h *help) view(th *theme.Theme, width, height int) []string {
	top := th.Row([]theme.Part{{Text: " Help · " + h.name, Style: th.Text}},
		[]theme.Part{{Text: h.palette + " finds the rest by name ", Style: th.Muted, Cut: 1, Whole: true}}, width)
	blocks := h.groups(th)
	var lines []string
	if width >= helpWide {
		lines = columns(th, blocks, width)
	} else {
		for _, b := range blocks {
			lines = append(append(lines, b...), "")
		}
	}
	room := height - 3
	tight := len(lines) == room+1 // without the blank row below the title all fit
	if tight {
		room++
	}
	rows := []string{top}
	if h.typing || h.field.Value() != "" {
		rows[0] = th.Fit(th.Accent.Render(" / ")+h.field.View(), width)
	}
	if !tight {
		rows = append(rows, "")
	}
	rows = append(rows, h.Visible(lines, room)...)
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	other := "a all keys"
	if h.all {
		other = "a what can run now   other keys: [keys] in the config"
	}
	hints := []theme.Part{{Text: " / search keys   " + other, Style: th.Muted}}
	if hidden := h.Below(); hidden > 0 {
		hints = []theme.Part{
			{Text: " j k scroll", Style: th.Muted},
			{Text: fmt.Sprintf(", %d below", hidden), Style: th.Muted, Cut: 1, Whole: true},
			{Text: "   / search keys   " + other, Style: th.Muted, Cut: 2, Whole: true},
		}
	}
	return append(rows, th.Row(hints, []theme.Part{{Text: "esc close ", Style: th.Muted}}, width))
}

func (h *help) groups(th *theme.Theme) [][]string {
	words, commands := strings.ToLower(h.field.Value()), h.commands
	if h.all {
		commands = h.every
	}
	var blocks [][]string
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

func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(w-ansi.StringWidth(s), 0))
}

// columns arranges blocks in two columns of about the same height, in order.
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
