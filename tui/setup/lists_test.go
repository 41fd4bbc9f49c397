package setup_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

func listForm(topic string) *setup.Form {
	o := testOptions()
	o.Modes[1].Question, o.Modes[1].Perspectives = debate.QuestionChoice, []string{"cost", "risk"}
	o.Modes[2].Label = "Member"
	o.Faults = []string{`modes/mine.toml:14: unknown field "visibilty"; did you mean visibility? The mode is left out.`}
	f := setup.NewForm(colors(), nil)
	f.SetSize(100, 34)
	f.SetOptions(o)
	f.Prefill(topic, "", 2)
	return f
}

func typeInto(f *setup.Form, text string) {
	for _, r := range text {
		f.HandleKey(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestForm_hasTheListsOfTheMode(t *testing.T) {
	f := listForm("Which?")
	focusOn(f, "Mode") // the mode
	focusOn(f, "Panel")
	if f.Typing() {
		t.Fatal("a mode without lists has a field for one")
	}
	focusOn(f, "Mode")
	f.Change(1) // socratic
	focusOn(f, "Options")
	typeInto(f, "stay; go away;; home")
	if !strings.Contains(ansi.Strip(f.View(screen.Frame{})), "Options     stay; go away;; home") {
		t.Errorf("the form shows\n%s", ansi.Strip(f.View(screen.Frame{})))
	}
	rows := strings.Split(ansi.Strip(f.View(screen.Frame{})), "\n")
	if c := f.Cursor(); c == nil || c.X != 15+20 || !strings.Contains(rows[c.Y], "Options") {
		t.Errorf("the cursor is at %+v", c)
	}
	s, err := f.Session()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Mode.Options, "|"); got != "stay|go away|home" || !s.Mode.IsGiven(debate.OptionsList) ||
		s.Mode.IsGiven(debate.PerspectivesList) || s.Mode.Perspectives[0] != "cost" {
		t.Errorf("options %q, mode %+v", got, s.Mode)
	}
	f.Reset()
	if strings.Contains(ansi.Strip(f.View(screen.Frame{})), "go away") {
		t.Error("what was typed is still there after the debate has begun")
	}
}

func TestForm_refusesShortNamesInAnonymousModes(t *testing.T) {
	f := listForm("Should we move?")
	focusOn(f, "Mode")
	f.Change(2) // hides names
	if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), `the name "Cy" is too short`) {
		t.Errorf("err = %v", err)
	}
}
