package setup_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/screen"
	"roundtable/tui/setup"
	"roundtable/tui/theme"
)

func colors() *theme.Theme {
	return theme.New(theme.Options{Dark: true, Profile: colorprofile.TrueColor})
}

func press(k string) tea.KeyPressMsg {
	switch k {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	case "backspace":
		return tea.KeyPressMsg{Code: tea.KeyBackspace}
	case "ctrl+u":
		return tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
	}
	r := []rune(k)[0]
	return tea.KeyPressMsg{Code: r, Text: k}
}

type viewer interface {
	View(frame screen.Frame) string
}

// shown returns what is on the screen, without colours.
func shown(v viewer) string { return ansi.Strip(v.View(screen.Frame{})) }

func sees(t *testing.T, v viewer, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if got := shown(v); !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func misses(t *testing.T, v viewer, part string) {
	t.Helper()
	if got := shown(v); strings.Contains(got, part) {
		t.Errorf("%q is in\n%s", part, got)
	}
}

func focusOn(f *setup.Form, name string) {
	const down, most = 1, 40
	folded := []string{"Rounds", "Ends", "Perspective", "Budget", "Tokens", "Effort", "Workspace"}
	has := func(name string) bool {
		return strings.Contains(strings.ReplaceAll(shown(f), "╭▸", "▸ "), "▸ "+name)
	}
	for range most {
		f.Next(-1)
	}
	for range most {
		if has("More  ") && slices.Contains(folded, name) && !has("More        less") {
			f.Change(down)
		}
		if has(name + " ") {
			return
		}
		f.Next(down)
	}
}
