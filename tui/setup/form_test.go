package setup_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

func mode(name, summary, use string, rounds int, order debate.Order) debate.Mode {
	return debate.Mode{Name: name, Summary: summary, Use: use, MinSeats: 2, MaxSeats: 8, Rounds: rounds, Order: order}
}

func testOptions() setup.Options {
	seat := func(name, model, provider string, in, out float64) setup.SeatOption {
		return setup.SeatOption{
			Chosen: true, Company: map[string]string{"openai": "OpenAI", "anthropic": "Anthropic"}[provider],
			Profile: agents.Profile{
				ID: agents.ID(strings.ToLower(name)), Name: name, Model: model, Provider: provider, PriceIn: &in,
				PriceOut: &out,
			},
		}
	}
	o := setup.Options{
		Seats: []setup.SeatOption{
			seat("Ada", "gpt-5-mini", "openai", 0.25, 2), seat("Brook", "claude-sonnet", "anthropic", 3, 15),
			seat("Cy", "llama3.1", "ollama", 0, 0), seat("Dee", "gemini-flash", "gemini", 0.1, 0.4),
		},
		Modes: []debate.Mode{
			mode("expert-panel", "each seat in one perspective, in depth", "a design choice that several specialties see differently", 2,
				debate.Parallel),
			mode("socratic", "options against criteria", "you can already name the options", 3, debate.Parallel),
			mode("devils-advocate", "for, against, and judges", "everybody is about to agree", 2, debate.Sequential),
		},
		Budget: debate.Budget{USD: 0.5, WarnAt: 0.8}, Caps: ledger.DefaultCaps, Fit: debate.FitOptions{
			Share:          0.8,
			EvidenceTokens: 500,
		}, Sources: "ollama, 2 keys", StartsBelow: 0.25,
	}
	o.Seats[2].Local = true
	o.Seats[3].Problem = "set GEMINI_API_KEY"
	chair := o.Seats[1].Profile
	o.Chair, o.Light = &chair, &o.Seats[0].Profile
	return o
}

func formOf(o setup.Options, w, h int) *setup.Form {
	f := setup.NewForm(colors(), nil)
	f.SetSize(w, h)
	f.SetOptions(o)
	return f
}

func newForm(w, h int) *setup.Form {
	f := formOf(testOptions(), w, h)
	f.Prefill("Should billing move to SQLite?", "", 4)
	return f
}

func TestForm_returnsTheSession(t *testing.T) {
	f := newForm(80, 21)
	focusOn(f, "Mode")
	f.Change(1) // socratic
	focusOn(f, "Panel")
	f.Move(2)
	if err := f.Toggle(); err != nil { // without Brook
		t.Fatal(err)
	}
	focusOn(f, "Ends")
	f.Change(1)
	focusOn(f, "Budget")
	f.HandleKey(press("1"))
	s := must.Get(f.Session())(t)
	if s.Topic != "Should billing move to SQLite?" || s.Mode.Name != "socratic" || s.Rounds != 4 || s.Ends != debate.EndsAgreed ||
		s.Budget.USD != 1 || s.Budget.WarnAt != 0.8 {
		t.Errorf("%+v", s)
	}
	if len(s.Seats) != 2 || s.Seats[1].Name != "Cy" || s.Chair.Name != "Brook" || s.Caps != ledger.DefaultCaps || s.Fit.EvidenceTokens != 500 {
		t.Errorf("%+v", s)
	}
}

func TestForm_saysWhatIsMissing(t *testing.T) {
	tests := []struct {
		name string
		do   func(f *setup.Form)
		want string
	}{
		{"no topic", func(f *setup.Form) { f.Reset() }, "enter a topic first"},
		{"one seat", func(f *setup.Form) {
			focusOn(f, "Panel")
			f.Move(1)
			_ = f.Toggle() // these seats can be removed
			f.Move(1)
			_ = f.Toggle()
		}, "takes 2 to 8 seats; this panel has 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newForm(80, 21)
			tt.do(f)
			if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestForm_refusesASeatWithAProblem(t *testing.T) {
	f := newForm(80, 21)
	focusOn(f, "Panel")
	f.Move(4)
	if err := f.Toggle(); err == nil || !strings.Contains(err.Error(), "set GEMINI_API_KEY") {
		t.Error(err)
	}
}

// Setting the options again keeps the user's choices.
func TestForm_keepsChoicesWhenOptionsChange(t *testing.T) {
	f := newForm(80, 21)
	focusOn(f, "Panel")
	f.Move(1)
	_ = f.Toggle() // Ada can be removed
	o := testOptions()
	o.Seats[1].Problem = "the key was refused"
	f.SetOptions(o)
	v := shown(f)
	if !strings.Contains(v, "[ ]   Ada") || !strings.Contains(v, "[ ]   Brook  claude-sonnet (anthropic)  ! the key was refused") ||
		!strings.Contains(v, "[x] 1 Cy") {
		t.Error(v)
	}
}

func TestForm_warnsOfOneModelFamily(t *testing.T) {
	o := testOptions()
	for i := range o.Seats {
		o.Seats[i].Profile.Model = fmt.Sprint("gpt-", i)
	}
	f := formOf(o, 140, 37)
	sees(t, f, "! All seats use one model family and tend to make the same mistakes.")
}

// Hidden lines are counted, and who receives the text is never cut.
func TestForm_saysWhatIsHidden(t *testing.T) {
	o := testOptions()
	for i := range 8 {
		s := o.Seats[0]
		s.Profile.ID, s.Company = agents.ID(fmt.Sprint("more", i)), fmt.Sprintf("The Long Company Number %d", i)
		s.Profile.Provider = fmt.Sprint("server", i)
		o.Seats = append(o.Seats, s)
	}
	f := formOf(o, 80, 21)
	sees(t, f, "The Long Company Number 7;")
	focusOn(f, "Panel")
	sees(t, f, " below")
	f.SetSize(80, 60)
	if v := shown(f); !strings.Contains(v, "The Long Company Number 7") || strings.Contains(v, " below") {
		t.Errorf("a receiver is missing:\n%s", v)
	}
}

// A long pasted topic shows its end and its length.
func TestForm_showsTheEndOfAPastedTopic(t *testing.T) {
	for name, words := range map[string]string{"a line": "word ", "many lines": "one\n"} {
		f := formOf(testOptions(), 140, 37)
		f.Paste(strings.Repeat(words, 600) + "end.")
		rows := strings.Split(shown(f), "\n")
		for _, row := range rows[1:30] {
			if strings.TrimSpace(strings.Trim(row, "│ ")) == "" {
				t.Errorf("%s: a row of the topic is blank:\n%s", name, strings.Join(rows, "\n"))
				break
			}
		}
		if !strings.Contains(rows[31], "end.") || !strings.Contains(rows[0], " characters ") {
			t.Errorf("%s: want the end, and how long it is:\n%s", name, strings.Join(rows, "\n"))
		}
		f.Prefill("Should it move?", "", 0)
		misses(t, f, " characters ")
	}
}

// A local server may forward to a paid one, so a price counts.
func TestForm_showsThePriceOfALocalModel(t *testing.T) {
	o, price := testOptions(), 3.0
	o.Seats[2].Profile.PriceIn, o.Seats[2].Profile.PriceOut = &price, &price
	f := formOf(o, 80, 21)
	focusOn(f, "Panel")
	sees(t, f, "llama3.1 (ollama)          $3.00 / $3.00")
	o.Seats[2].Profile.PriceIn, o.Seats[2].Profile.PriceOut = nil, nil // an unknown price is not free, even on this machine
	f.SetOptions(o)
	sees(t, f, "llama3.1 (ollama)          local, price ?")
}

// A draft restores text and choices, also if the options become known later, but no
// choices that no longer exist.
func TestForm_restoresItsDraft(t *testing.T) {
	f := newForm(80, 21)
	if f.Draft() != "" {
		t.Errorf("an empty form has the draft %s", f.Draft())
	}
	f.Prefill("Given?", "", 0)
	if f.Draft() != "" {
		t.Errorf("what was given is kept as typed: %s", f.Draft())
	}
	f.Reset()
	f.Paste("Rust\nor Go?")
	focusOn(f, "Mode")
	f.Change(1)
	focusOn(f, "Kind")
	f.Change(1) // yes or no
	focusOn(f, "Ends")
	must.Do(t, f.Toggle())
	kept := f.Draft()
	if !strings.Contains(kept, `"question":"yes-no"`) {
		t.Errorf("the kind of question is not in %s", kept)
	}
	for _, late := range []bool{false, true} {
		again := setup.NewForm(colors(), nil)
		again.SetSize(80, 21)
		if !late {
			again.SetOptions(testOptions())
		}
		must.Do(t, again.Restore(kept))
		if late {
			if again.Draft() != kept {
				t.Errorf("before there is an offer it is\n%s\nwant\n%s", again.Draft(), kept)
			}
			again.SetOptions(testOptions())
		}
		if again.Draft() != kept || again.Topic() != "Rust\nor Go?" {
			t.Errorf("%s\nwant\n%s", again.Draft(), kept)
		}
	}
	kept = strings.Replace(f.Draft(), "yes-no", "riddle", 1) // an unknown kind of question is not taken
	if err := f.Restore(kept); err != nil || !strings.Contains(f.Draft(), `"question":"yes-no"`) {
		t.Errorf("%v: %s", err, f.Draft())
	}
	if err := f.Restore("{"); err == nil {
		t.Error("half a draft is no draft")
	}
}

func listForm(topic string) *setup.Form {
	o := testOptions()
	o.Modes[1].Question, o.Modes[1].Perspectives = debate.QuestionChoice, []string{"cost", "risk"}
	o.Modes[2].Label = "Member"
	o.Faults = []string{`modes/mine.toml:14: unknown field "visibilty"; did you mean visibility? The mode is left out.`}
	f := formOf(o, 100, 34)
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
	sees(t, f, "Options     stay; go away;; home")
	rows := strings.Split(shown(f), "\n")
	if c := f.Cursor(); c == nil || c.X != 15+20 || !strings.Contains(rows[c.Y], "Options") {
		t.Errorf("the cursor is at %+v", c)
	}
	s := must.Get(f.Session())(t)
	if got := strings.Join(s.Mode.Options, "|"); got != "stay|go away|home" || s.Mode.Perspectives[0] != "cost" {
		t.Errorf("options %q, mode %+v", got, s.Mode)
	}
	f.Reset()
	misses(t, f, "go away")
}

func TestForm_refusesShortNamesInAnonymousModes(t *testing.T) {
	f := listForm("Should we move?")
	focusOn(f, "Mode")
	f.Change(2) // hides names
	if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), `the name "Cy" is too short`) {
		t.Errorf("err = %v", err)
	}
}

func lineDelete(f *setup.Form) { f.HandleKey(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}) }

func undo(f *setup.Form) bool {
	_, ok := f.Undo()
	return ok
}

func TestForm_undoesInTheTopic(t *testing.T) {
	f := formOf(testOptions(), 80, 30)
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
	f := formOf(o, 120, 40)
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
	must.Do(t, f.Restore(kept))
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
	f := formOf(testOptions(), 80, 30)
	typeInto(f, strings.Repeat("ab ", 120))
	steps := 0
	for undo(f) {
		steps++
	}
	if want := strings.TrimSpace(strings.Repeat("ab ", 20)); steps != 100 || f.Topic() != want {
		t.Errorf("%d steps lead back to %q, want %q", steps, f.Topic(), want)
	}
}
