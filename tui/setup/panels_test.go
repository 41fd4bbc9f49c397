package setup_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/chooser"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

// panelOptions are options with two named panels besides the demo.
func panelOptions() setup.Options {
	o, free := testOptions(), 0.0
	chair := o.Chair
	four, two := slices.Clone(o.Seats), slices.Clone(o.Seats[:3])
	two[0].Chosen = false
	o.Panel, o.Panels = "four", []setup.PanelOption{
		{Name: "four", Seats: four, Chair: chair, Configured: true},
		{Name: "two", Seats: two, Configured: true},
		{Name: "demo", Seats: []setup.SeatOption{
			{Chosen: true, Local: true, Profile: agents.Profile{
				ID: "ada", Name: "Ada", Model: "scripted-1", Provider: debate.DemoProvider, PriceIn: &free, PriceOut: &free,
			}},
			{Chosen: true, Local: true, Profile: agents.Profile{
				ID: "ben", Name: "Ben", Model: "scripted-2", Provider: debate.DemoProvider, PriceIn: &free, PriceOut: &free,
			}},
		}},
	}
	return o
}

// panelForm is a form with the list that the shell shows over it.
type panelForm struct {
	*setup.Form
	list *chooser.Screen
}

// onPanel returns a form whose panel row has the focus.
func onPanel(o setup.Options) panelForm {
	f := panelForm{setup.NewForm(colors(), nil), chooser.New(colors())}
	f.SetSize(100, 34)
	f.SetOptions(o)
	f.Prefill("Should we?", "", 2)
	focusOn(f.Form, "Panel")
	f.list.SetSize(100, 34)
	return f
}

// run presses a key that is a command, and carries out what it returns, as the shell does.
func run(t *testing.T, s screen.Screen, f any, pressed string) screen.Outcome {
	t.Helper()
	for _, c := range s.Commands() {
		if slices.Contains(c.Keys(), pressed) {
			return settle(f, c.Run(pressed))
		}
	}
	t.Fatalf("%s has no key %s", s.Name(), pressed)
	return nil
}

// settle runs the commands of an outcome, opens its list, and returns what else it asks for.
func settle(f any, out screen.Outcome) screen.Outcome {
	var rest screen.Outcome
	for _, e := range out {
		if cmd, ok := e.(tea.Cmd); ok {
			rest = append(rest, settle(f, cmd().(screen.Then)())...)
			continue
		}
		if then, ok := e.(screen.Then); ok {
			rest = append(rest, settle(f, then())...)
			continue
		}
		if menu, ok := e.(screen.Menu); ok {
			f.(panelForm).list.Open(menu)
		}
		rest = append(rest, e)
	}
	return rest
}

func requireRows(t *testing.T, s screen.Screen, want ...string) {
	t.Helper()
	view := strings.Join(strings.Fields(ansi.Strip(s.View(screen.Frame{}))), " ")
	for _, w := range want {
		if !strings.Contains(view, w) {
			t.Errorf("%q is not in\n%s", w, ansi.Strip(s.View(screen.Frame{})))
		}
	}
}

// The ticked seats follow the panel that is chosen, and seats that differ are "custom".
func TestForm_choosesAPanelByName(t *testing.T) {
	f := onPanel(panelOptions())
	requireRows(t, f, "▸ Panel four ← → 3 seats")
	f.Change(1)
	requireRows(t, f, "Panel two ← → 2 seats", "[ ] Ada", "[x] 1 Brook", "A seat writes the verdict.")
	f.Move(1)
	must.Do(t, f.Toggle())
	requireRows(t, f, "Panel custom ← → 3 seats", "[x] 1 Ada")
	f.SetOptions(panelOptions()) // models were looked for again
	requireRows(t, f, "Panel custom ← → 3 seats", "[x] 1 Ada")
	f.Move(-1)
	f.Change(-1)
	requireRows(t, f, "Panel two ← → 2 seats")
	f.Change(1)
	requireRows(t, f, "Panel demo ← → 2 seats", "scripted, free")
	if s, err := f.Session(); err != nil || len(s.Seats) != 2 || s.Seats[0].Provider != debate.DemoProvider || s.Chair != nil {
		t.Errorf("%v, %+v", err, s.Seats)
	}
	f.Change(1)
	requireRows(t, f, "Panel four ← → 3 seats", "Chair Brook")
}

// A draft keeps what was typed, and leaves the panel of the config as it is.
func TestForm_draftKeepsNoSeats(t *testing.T) {
	f := onPanel(panelOptions())
	f.Paste("")
	must.Do(t, f.Restore(`{"topic": "Rust or Go?", "mode": "socratic", "seats": ["cy", "gone"], "rounds": 3, "texts": {"Budget": "2.00"}}`))
	requireRows(t, f, "Rust or Go?", "socratic", "Panel four ← → 3 seats", "[x] 1 Ada", "3 rounds", "at most $2.00")
	if strings.Contains(f.Draft(), "ada") {
		t.Errorf("the draft has seats: %s", f.Draft())
	}
}

// All modes are in one list, whose explanations are whole at any width.
func TestChooser_listsModes(t *testing.T) {
	f := onPanel(panelOptions())
	focusOn(f.Form, "Mode") // the mode
	run(t, f, f, "enter")
	c := f.list
	for _, size := range [][2]int{{40, 60}, {80, 24}, {140, 40}, {20, 10}, {10, 3}, {1, 1}} {
		c.SetSize(size[0], size[1])
		viewtest.RequireSize(t, c.View(screen.Frame{}), size[0], size[1])
	}
	c.SetSize(40, 60)
	c.SetSize(80, 24)
	requireRows(t, c, "▸ expert-panel", "socratic", "devils-advocate", "Use it for: a design choice that several specialties see differently.")
	for _, r := range "judges" {
		c.HandleKey(press(string(r)))
	}
	requireRows(t, c, "/ judges", "▸ devils-advocate For, against, and judges.")
	misses(t, c, "socratic")
	if out := run(t, c, f, "enter"); len(out) != 1 || out[0] != (screen.Close{}) {
		t.Errorf("enter asks for %v", out)
	}
	requireRows(t, f, "▸ Mode devils-advocate")
	run(t, f, f, "enter")
	run(t, c, f, "up")
	if out := c.Back(); len(out) != 1 || out[0] != (screen.Close{}) {
		t.Errorf("esc asks for %v", out)
	}
	requireRows(t, f, "▸ Mode devils-advocate")
}

// The models of a seat are asked from its provider; any name can be typed.
func TestForm_choosesTheModelOfASeat(t *testing.T) {
	in, fault := 1.5, errors.New("")
	lists := map[string][]agents.ModelInfo{
		"openai": {{Name: "gpt-6", Window: 400_000, PriceIn: &in, PriceOut: &in}, {Name: "gpt-5-mini"}, {Name: "gpt-5-\x1b[31mnano"}},
	}
	asked := 0
	f := onPanel(panelOptions())
	f.SetModels(context.Background(), func(_ context.Context, provider string) ([]agents.ModelInfo, error) {
		if asked++; fault.Error() != "" {
			return nil, fault
		}
		return lists[provider], nil
	})
	c := f.list
	choose := func(name string) {
		t.Helper()
		run(t, f, f, "m")
		c.Paste(name)
		run(t, c, f, "enter")
	}
	if out := run(t, f, f, "m"); len(out) != 1 {
		t.Errorf("m on the name of the panel: %v", out)
	}
	fault = errors.New("openai is busy (429)")
	run(t, f, f, "m")
	requireRows(t, c, "openai did not list its models: openai is busy (429). Type the name of a model.")
	fault = errors.New("")
	run(t, f, f, "m")
	requireRows(t, c, "▸ gpt-5-mini", "gpt-6 400k tok window, $1.50 in, $1.50 out per million tokens", "gpt-5-nano")
	if strings.Contains(c.View(screen.Frame{}), "\x1b[31mnano") {
		t.Error("a name reaches the terminal")
	}
	run(t, f, f, "m")
	if asked != 2 {
		t.Errorf("%d questions; the list is known", asked)
	}
	choose("gpt-6")
	requireRows(t, f, "[x] 1 Ada gpt-6", "Panel custom")
	if s, err := f.Session(); err != nil || s.Seats[0].Model != "gpt-6" || s.Seats[0].ContextWindow != 400_000 || *s.Seats[0].PriceIn != in {
		t.Errorf("%v, %+v", err, s.Seats[0])
	}
	choose("gpt-7-preview") // is on no list
	requireRows(t, f, "[x] 1 Ada gpt-7-preview (openai) price ?")
	choose("nano") // a part of a name that is on the list
	requireRows(t, f, "[x] 1 Ada gpt-5-nano")
	choose("gpt-5-mini")
	requireRows(t, f, "Panel four")
}

// + takes the next seat that is offered, and lists models when there is none; - takes one away.
func TestForm_addsAndRemovesSeats(t *testing.T) {
	o := testOptions()
	o.Seats, o.Chair, o.Light = o.Seats[:3], nil, nil
	o.Seats[2].Chosen = false
	o.More = []agents.Profile{{ID: "cy", Name: "Cy"}, {ID: "eli", Name: "Eli", Persona: "Count."}}
	f := onPanel(o)
	f.SetModels(context.Background(), func(context.Context, string) ([]agents.ModelInfo, error) {
		return []agents.ModelInfo{{Name: "qwen3"}}, nil
	})
	run(t, f, f, "+")
	requireRows(t, f, "[x] 3 Cy llama3.1", "Panel custom")
	run(t, f, f, "+") // none is left: a model of the server of the last seat
	requireRows(t, f.list, "▸ qwen3")
	requireRows(t, f, "Panel custom") // nothing was added until a model is chosen
	f.list.Paste("qwen3")
	run(t, f.list, f, "enter")
	requireRows(t, f, "[x] 4 Eli qwen3")
	s, err := f.Session()
	if err != nil || len(s.Seats) != 4 || s.Seats[3].ID != "eli" || s.Seats[3].Persona != "Count." || s.Seats[3].Provider != "ollama" {
		t.Errorf("%v, %+v", err, s.Seats)
	}
	o.Sources = "lists have arrived"
	f.SetOptions(o)
	requireRows(t, f, "[x] 3 Cy llama3.1", "[x] 4 Eli qwen3")
	if out := run(t, f, f, "+"); len(out) != 1 || !strings.Contains(out[0].(screen.Notice).Text, "The panel is full: 4 seats") {
		t.Errorf("a seat without a name: %v", out)
	}
	run(t, f, f, "-")
	requireRows(t, f, "[ ] Eli qwen3", "[x] 3 Cy")
	f.Move(1)
	run(t, f, f, "-") // the selected one
	requireRows(t, f, "[ ] Ada gpt-5-mini", "[x] 1 Brook")
	focusOn(f.Form, "Rounds")
	run(t, f, f, "-")
	requireRows(t, f, "[x] 1 Brook", "[ ] Cy llama3.1")
	for range 3 {
		run(t, f, f, "-")
	}
	if out := run(t, f, f, "-"); len(out) != 1 {
		t.Errorf("no seat is left: %v", out)
	}
}

// The panel of the last debate is first in the row, and what is found or configured is after it.
func TestForm_beginsWithThePanelOfTheLastDebate(t *testing.T) {
	o := panelOptions()
	last := setup.PanelOption{Name: setup.LastPanel, Seats: slices.Clone(o.Seats[:2])}
	o.Last = &last
	f := onPanel(o)
	requireRows(t, f, "Panel as last time", "2 seats")
	f.Change(1)
	requireRows(t, f, "Panel four")
	f.SetOptions(o)
	requireRows(t, f, "Panel four") // the user has chosen
	f.Change(-1)
	requireRows(t, f, "Panel as last time")
	if said := f.ChooseOffered(); said != "four, 3 seats" {
		t.Errorf("looking again chose %q", said)
	}
}

// It also comes back once servers have listed their models, unless something was chosen by then.
func TestForm_takesTheLastDebateLater(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(*setup.Form)
		want      []string
	}{
		"nothing was chosen":        {func(f *setup.Form) { f.Paste("We?") }, []string{"Panel as last time", "Mode socratic", "Rounds 5"}},
		"other rounds":              {func(f *setup.Form) { focusOn(f, "Rounds"); f.Change(1) }, []string{"Panel four", "Mode expert-panel", "Rounds 3"}},
		"a seat was taken away":     {func(f *setup.Form) { focusOn(f, "Panel"); run(t, f, f, "-") }, []string{"Panel custom", "Mode expert-panel"}},
		"how long seats may reason": {func(f *setup.Form) { focusOn(f, "Effort"); f.Change(1) }, []string{"Panel four", "Mode expert-panel"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := panelOptions()
			f := formOf(o, 100, 34)
			c.meanwhile(f)
			o.Last = &setup.PanelOption{Name: setup.LastPanel, Seats: slices.Clone(o.Seats[:2])}
			o.Mode, o.Rounds = "socratic", 5
			f.SetOptions(o)
			focusOn(f, "Rounds")
			requireRows(t, f, c.want...)
		})
	}
}

// A panel is saved under a name; what needs consent is asked first.
func TestForm_savesAPanel(t *testing.T) {
	f := onPanel(panelOptions())
	var saved []setup.NewPanel
	f.SetPanelSaver(context.Background(), func(_ context.Context, p setup.NewPanel) (string, error) {
		switch {
		case p.Name == "bad name":
			return "", errors.New("the panel was not saved")
		case p.Name == "two" && !p.Agreed:
			return "", &setup.ConsentError{Question: "Write a config?", Verb: "write it"}
		}
		saved = append(saved, p)
		return "Saved.", nil
	})
	save := func(name string) screen.Outcome {
		return settle(f, run(t, f, f, "w")[0].(screen.Prompt).Done(name))
	}
	f.Move(1)
	must.Do(t, f.Toggle())
	if out := save("duo"); len(saved) != 1 || saved[0].Name != "duo" || len(saved[0].Seats) != 2 || saved[0].Chair == nil || len(out) != 1 {
		t.Fatalf("%v, %+v", out, saved)
	}
	requireRows(t, f, "Panel duo ← → 2 seats")
	f.SetOptions(panelOptions()) // what was read before does not have it
	requireRows(t, f, "Panel duo ← → 2 seats")
	if again := save("bad name")[0].(screen.Prompt); again.Text != "bad name" || again.Note != "The panel was not saved." {
		t.Errorf("%+v", again)
	}
	out := save("two")
	ask, ok := out[len(out)-1].(screen.Question)
	if !ok || len(saved) != 1 {
		t.Fatalf("a new config is not asked about: %v", out)
	}
	settle(f, ask.Do())
	if len(saved) != 2 || saved[1].Name != "two" || !saved[1].Agreed {
		t.Errorf("%+v", saved)
	}
	requireRows(t, f, "Panel two ← → 2 seats", "[ ] Ada")
}

// Where nothing is typed, the rows of the form have the keys of every list.
func TestForm_jumps(t *testing.T) {
	f := onPanel(panelOptions())
	run(t, f, f, "G")
	requireRows(t, f, "▸ ◆ enter: start")
	run(t, f, f, "home")
	requireRows(t, f, "▸ Kind")
	run(t, f, f, "ctrl+d")
	run(t, f, f, "ctrl+u")
	requireRows(t, f, "▸ Kind")
	run(t, f, f, "end")
	requireRows(t, f, "▸ ◆ enter: start")
}

// The effort is that of all seats, and what the config says unless it was chosen.
func TestForm_choosesTheEffort(t *testing.T) {
	o := panelOptions()
	o.Panels[0].Seats[0].Profile.ReasoningEffort = "high"
	f := onPanel(o)
	focusOn(f.Form, "Effort")
	requireRows(t, f, "▸ Effort as configured Ada high")
	f.Change(2)
	requireRows(t, f, "▸ Effort low")
	if s, err := f.Session(); err != nil || s.Seats[0].ReasoningEffort != "low" || s.Seats[1].ReasoningEffort != "low" {
		t.Errorf("%v, %+v", err, s.Seats)
	}
}
