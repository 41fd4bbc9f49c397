package setup_test

import (
	"strings"
	"testing"

	"roundtable/debate"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

func lineDelete(f *setup.Form) { f.HandleKey(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}) }

func undo(f *setup.Form) bool {
	_, ok := f.Undo()
	return ok
}

func TestForm_undoesInTheTopic(t *testing.T) {
	f := setup.NewForm(colors(), nil)
	f.SetSize(80, 30)
	f.SetOptions(testOptions())
	typeInto(f, "Should it move?")
	lineDelete(f)
	if f.Topic() != "" {
		t.Fatalf("ctrl+u leaves %q", f.Topic())
	}
	for _, want := range []string{"Should it move?", "Should it", "Should", ""} {
		if !undo(f) || f.Topic() != want {
			t.Errorf("undo brings %q, want %q", f.Topic(), want)
		}
	}
	if undo(f) {
		t.Error("there is more to undo than was done")
	}
	f.Paste("two\nlines")
	f.Paste(" more")
	if undo(f); f.Topic() != "two\nlines" {
		t.Errorf("a paste is taken back to %q", f.Topic())
	}
}

// Every list has its own history, and a restored draft or an emptied form has none.
func TestForm_undoStaysInItsField(t *testing.T) {
	o := testOptions()
	o.Modes[1].Question = debate.QuestionChoice
	f := setup.NewForm(colors(), nil)
	f.SetSize(120, 40)
	f.SetOptions(o)
	f.Prefill("Which of them?", "socratic", 0)
	if undo(f) {
		t.Errorf("a topic that was given is undone to %q", f.Topic())
	}
	typeInto(f, " Now")
	focusOn(f, "Options")
	if undo(f) {
		t.Error("undo in a list that was not typed in does something")
	}
	typeInto(f, "left; right")
	lineDelete(f)
	undo(f)
	if !strings.Contains(f.View(screen.Frame{}), "left; right") || f.Topic() != "Which of them? Now" {
		t.Errorf("undo in the list leaves the topic %q and\n%s", f.Topic(), f.View(screen.Frame{}))
	}
	kept := f.Draft()
	if err := f.Restore(kept); err != nil {
		t.Fatal(err)
	}
	if undo(f) {
		t.Error("a list that was restored is undone")
	}
	focusOn(f, "Topic")
	if undo(f) || f.Topic() != "Which of them? Now" {
		t.Errorf("a topic that was restored is undone to %q", f.Topic())
	}
	f.Reset()
	if undo(f) || f.Topic() != "" {
		t.Errorf("the topic of the last debate comes back: %q", f.Topic())
	}
}

func TestForm_undoKeepsAHundredSteps(t *testing.T) {
	f := setup.NewForm(colors(), nil)
	f.SetSize(80, 30)
	f.SetOptions(testOptions())
	typeInto(f, strings.Repeat("ab ", 120))
	steps := 0
	for undo(f) {
		steps++
	}
	if want := strings.TrimSpace(strings.Repeat("ab ", 20)); steps != 100 || f.Topic() != want {
		t.Errorf("%d steps lead back to %q, want %q", steps, f.Topic(), want)
	}
}
