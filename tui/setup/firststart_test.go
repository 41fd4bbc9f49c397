package setup_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

func TestFirstStart_view(t *testing.T) {
	f := setup.NewFirstStart(colors(), "", true, nil)
	f.SetSize(80, 21)
	f.SetOptions(setup.Options{Found: []setup.Finding{
		{What: "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more", Result: "not set"},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "Agents such as opencode, gemini", Result: "none found"},
		{What: "a config file", Result: "none (optional)"},
	}})
	f.SetSize(80, 14)
	f.Move(2)
	if v := ansi.Strip(f.View(screen.Frame{})); !strings.Contains(v, "Without a model, answers to your own topic") {
		t.Errorf("the last row does not show what follows it:\n%s", v)
	}
	f.Move(-1)
	f.Move(2)
	if want := (screen.Outcome{setup.WriteConfig{}}); !cmp.Equal(enter(t, f), want) {
		t.Errorf("enter on the last row asks for %v", enter(t, f))
	}
}

func enter(t *testing.T, f *setup.FirstStart) screen.Outcome {
	t.Helper()
	for _, c := range f.Commands() {
		if slices.Contains(c.Keys(), "enter") {
			return c.Run("enter")
		}
	}
	t.Fatal("enter does nothing")
	return nil
}

func TestFirstStart_saysWhatCannotBeDone(t *testing.T) {
	f := setup.NewFirstStart(colors(), "the disk is full", false, nil)
	for row, want := range []screen.Outcome{
		screen.Tell(screen.Error, "No debate can start: the disk is full."),
		{setup.LookAgain{}},
		screen.Tell(screen.Info, "`roundtable config init` writes a config file."),
	} {
		if got := enter(t, f); !cmp.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", row, got, want)
		}
		f.Move(1)
	}
}

// The command that makes an agent a seat is shown, with no word broken, and copied.
func TestUnseated_isShownAndCopied(t *testing.T) {
	unseated := setup.Unseated{
		Says: "claude is on the PATH; one command makes it a seat", Command: "npm install -g adapter-of-claude@1.2.3 --cpu=none",
		Needs: "Node 22 or later and 80 MB",
	}
	o := testOptions()
	first, form := setup.NewFirstStart(colors(), "", true, nil), newForm(60, 60)
	for name, s := range map[string]screen.Screen{"first start": first, "form": form} {
		for _, want := range []setup.Unseated{{}, unseated} {
			o.Unseated = want
			first.SetSize(44, 40)
			first.SetOptions(o)
			form.SetOptions(o)
			focusOn(form, "Panel")
			view := strings.Join(strings.Fields(ansi.Strip(s.View(screen.Frame{}))), " ")
			shown := strings.Contains(view, unseated.Says+": "+unseated.Command+" It needs Node 22 or later and 80 MB.")
			if shown != (want.Command != "") {
				t.Errorf("%s of %q:\n%s", name, want.Command, s.View(screen.Frame{}))
			}
			i := slices.IndexFunc(s.Commands(), func(c screen.Command) bool { return slices.Contains(c.Keys(), "y") })
			got := s.Commands()[i].Run("y")
			if want := (screen.Outcome{screen.Copy{Text: want.Command, Shown: true}}); !cmp.Equal(got, want) {
				t.Errorf("%s: y does %v, want %v", name, got, want)
			}
		}
	}
}
