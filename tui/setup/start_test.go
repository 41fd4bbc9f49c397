package setup_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

// In a topic of one line enter starts where the estimate is known and low enough. Else it goes to
// the row that says why, where a second enter starts. Where nothing can start, it says so at once.
func TestForm_enterStartsWhatCostsLittle(t *testing.T) {
	starts := screen.Outcome{screen.Press("ctrl+s")}
	for _, c := range []struct {
		name, topic string
		change      func(o *setup.Options)
		row         string // "": it starts
		border      string
	}{
		{"cheap", "Move?", func(o *setup.Options) { o.StartsBelow = 0.33 }, "", "enter starts · alt+enter line · tab change"},
		{"dear", "Move?", func(*setup.Options) {}, "enter: start for about $0.32", "enter goes to the start row · alt+enter line · tab change"},
		{"cheap by what its models wrote before", "Move?", func(o *setup.Options) {
			o.StartsBelow, o.Past = 0.3, func(agents.Profile) int { return 10 }
		}, "", ""},
		{"never by itself", "Move?", func(o *setup.Options) { o.StartsBelow = 0 }, "enter: start for about $0.32", ""},
		{"without prices", "Move?", func(o *setup.Options) {
			o.Seats[0].Profile.PriceIn, o.Budget = nil, debate.Budget{}
		}, "enter: start; the price is unknown", ""},
		{"still looking", "Move?", func(o *setup.Options) {
			o.StartsBelow = 1
			o.Ask = func(context.Context) (setup.Options, error) { return setup.Options{}, nil }
		}, "enter: start now; models are still being looked for", ""},
		{"no topic", "", func(*setup.Options) {}, "", ""},
		{"lines", "Move?\nNow?", func(o *setup.Options) { o.StartsBelow = 1 }, "", "ctrl+s starts · enter line · tab change"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now, o := time.Unix(0, 0), testOptions()
			c.change(&o)
			f := setup.NewForm(colors(), func() time.Time { return now })
			f.SetSize(80, 21)
			f.SetOptions(o)
			f.Prefill(c.topic, "", 4)
			sees(t, f, c.border)
			out := f.HandleKey(press("enter"))
			switch view := shown(f); {
			case strings.Contains(c.topic, "\n"):
				if f.HandleKey(press("x")); f.Topic() != c.topic+"\nx" || strings.Contains(view, "enter:") {
					t.Errorf("enter begins no line: %q", f.Topic())
				}
				return
			case c.row == "":
				if !reflect.DeepEqual(out, starts) || strings.Contains(view, "enter:") {
					t.Errorf("it does %v in\n%s", out, view)
				}
				return
			case out != nil || !strings.Contains(view, "▸ ◆ "+c.row):
				t.Errorf("it does %v, want %q in\n%s", out, c.row, view)
			}
			if out := run(t, f, f, "enter"); out != nil {
				t.Errorf("a double enter does %v", out)
			}
			now = now.Add(screen.Settle)
			if out := run(t, f, f, "enter"); !reflect.DeepEqual(out, starts) {
				t.Errorf("the second enter does %v", out)
			}
		})
	}
}

// The topic is alone until tab opens what can be changed, which then has all rows: one each, and
// the seats while the panel has the focus. Below the topic are two rows, cut at their end.
func TestForm_isAQuestion(t *testing.T) {
	for _, width := range []int{80, 120} {
		f := newForm(width, 33)
		f.SetOptions(panelOptions())
		rows := func() []string { return strings.Split(shown(f), "\n") }
		if v := rows(); !strings.HasPrefix(v[0], "╭▸Topic") || !strings.HasPrefix(v[6], "╰─ enter goes to the start row") || strings.TrimSpace(strings.Join(v[10:], "")) != "" {
			t.Errorf("at %d:\n%s", width, strings.Join(v, "\n"))
		}
		sees(t, f, "  Ada gpt-5-mini · Brook claude-sonnet · Cy llama3.1")
		sees(t, f, "  open · 4 rounds · about $0.32, 2 to 5 min · at most $0.50 · to OpenAI")
		run(t, f, f, "tab")
		for _, label := range []string{"▸ Kind ", "  Panel ", "  Mode ", "  More ", "◆ start"} {
			sees(t, f, label)
		}
		if v := strings.Join(rows(), "\n"); strings.Contains(v, "[x]") || strings.Contains(v, "Rounds ") {
			t.Errorf("it is not folded:\n%s", v)
		}
		if aside := strings.Contains(rows()[0], "▸ Kind"); aside != (width == 120) {
			t.Errorf("at %d the rows stand beside the topic: %v", width, aside)
		}
		run(t, f, f, "shift+tab") // back
		f.HandleKey(tea.KeyPressMsg{Code: '!', Text: "!"})
		if f.Topic() != "Should billing move to SQLite?!" {
			t.Errorf("the topic is %q", f.Topic())
		}
	}
}

// shift+tab goes back through every row that tab goes through.
func TestTab_goesBackThroughEveryRow(t *testing.T) {
	f := withFiles(t, 120, 33, "Is @x.md safe?", nil, []string{"x.md"})
	row := func() string {
		_, after, _ := strings.Cut(shown(f), "▸")
		return strings.Join(strings.Fields(after)[:1], "")
	}
	there := []string{row()}
	for run(t, f, f, "tab"); row() != there[0]; run(t, f, f, "tab") {
		there = append(there, row())
	}
	for _, want := range slices.Backward(there) {
		if run(t, f, f, "shift+tab"); row() != want {
			t.Errorf("back from %q is %q, want %q", there, row(), want)
		}
	}
	if len(there) < 6 {
		t.Errorf("only %q", there)
	}
}

// What is wrong has the third row.
func TestForm_saysWhatIsWrong(t *testing.T) {
	f := withFiles(t, 80, 21, "Is @x.md safe, and @nothere?", nil, []string{"x.md", "nothere?"})
	sees(t, f, "1 file", "  ! @nothere is not here.")
	for !strings.Contains(shown(f), "▸ ◆ ") {
		run(t, f, f, "tab")
	}
	sees(t, f, "enter: start without @nothere")
	if f = withFiles(t, 80, 21, "Is @x.md safe?", nil, []string{"x.md"}); strings.Contains(shown(f), " ! ") {
		t.Errorf("nothing is wrong:\n%s", shown(f))
	}
}

func TestFirstStart_view(t *testing.T) {
	f := setup.NewFirstStart(colors(), true, nil)
	f.SetOptions(setup.Options{Found: []setup.Finding{
		{What: "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more", Result: "not set"},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "Agents such as opencode, gemini", Result: "none found"},
		{What: "a config file", Result: "none (optional)"},
	}})
	f.SetSize(80, 14)
	f.Move(2)
	sees(t, f, "Without a model, answers to your own topic")
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

// Without a way to write a config file there is no row for it.
func TestFirstStart_offersWhatCanBeDone(t *testing.T) {
	f := setup.NewFirstStart(colors(), false, nil)
	for row, want := range []screen.Outcome{{setup.StartDemo{}}, {setup.LookAgain{}}, {setup.LookAgain{}}} {
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
	first, form := setup.NewFirstStart(colors(), true, nil), newForm(60, 60)
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
