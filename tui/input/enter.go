package input

import (
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"roundtable/tui/theme"
)

// Meaning is what a key does to a text that is being typed.
type Meaning uint8

// The meanings.
const (
	Types  Meaning = iota // any other key
	Breaks                // begins a new line
	Sends                 // sends the text
)

// breaks are the keys that begin a new line. Terminals that do not tell shift+enter from
// enter have the others.
func breaks() []string { return []string{"enter", "ctrl+m", "shift+enter", "alt+enter", "ctrl+j"} }

// Means decides for all text fields what enter and the keys beside it do in a text of so
// many lines. From the second line on, enter begins a line; ctrl+s always sends.
func Means(pressed string, lines int, enterSends bool) Meaning {
	switch pressed {
	case "ctrl+s":
		return Sends
	case "enter", "ctrl+m":
		if enterSends && lines <= 1 {
			return Sends
		}
		return Breaks
	case "shift+enter", "alt+enter", "ctrl+j":
		return Breaks
	}
	return Types
}

// SendKey names the key that sends a text of so many lines.
func SendKey(lines int, enterSends bool) string {
	if Means("enter", lines, enterSends) == Sends {
		return "enter"
	}
	return "ctrl+s"
}

// BreakKey names the key that begins a new line in it.
func BreakKey(lines int, enterSends bool) string {
	if Means("enter", lines, enterSends) == Sends {
		return "alt+enter"
	}
	return "enter"
}

// AreaStyles returns the styles of such a field in a theme.
func AreaStyles(th *theme.Theme) textarea.Styles {
	state := textarea.StyleState{
		Base: lipgloss.NewStyle(), Text: th.Text, CursorLine: th.Text, EndOfBuffer: th.Text, Placeholder: th.Faint,
		Selection: th.Selected().Text,
	}
	return textarea.Styles{Focused: state, Blurred: state, Cursor: textarea.CursorStyle{Shape: tea.CursorBlock, Blink: true}}
}
