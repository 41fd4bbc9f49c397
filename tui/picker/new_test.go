package picker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/picker"
)

func mode(name, summary, use string, rounds int, order debate.Order) debate.Mode {
	return debate.Mode{Name: name, Summary: summary, Use: use, MinSeats: 2, MaxSeats: 8, Rounds: rounds, Order: order}
}

func offer() picker.Offer {
	seat := func(name, model, provider string, in, out float64) picker.SeatOffer {
		return picker.SeatOffer{
			Chosen: true, Company: map[string]string{"openai": "OpenAI", "anthropic": "Anthropic"}[provider],
			Profile: agents.Profile{ID: agents.ID(strings.ToLower(name)), Name: name, Model: model, Provider: provider, PriceIn: &in, PriceOut: &out},
		}
	}
	o := picker.Offer{
		Seats: []picker.SeatOffer{seat("Ada", "gpt-5-mini", "openai", 0.25, 2), seat("Brook", "claude-sonnet", "anthropic", 3, 15), seat("Cy", "llama3.1", "ollama", 0, 0), seat("Dee", "gemini-flash", "gemini", 0.1, 0.4)},
		Modes: []debate.Mode{
			mode("expert-panel", "each seat in one perspective, in depth", "a design choice that several specialties see differently", 2, debate.Parallel),
			mode("tradeoff", "options against criteria", "you can already name the options", 3, debate.Parallel),
			mode("devils-advocate", "for, against, and judges", "everybody is about to agree", 2, debate.Sequential),
		},
		Budget: debate.Budget{USD: 0.5, WarnAt: 0.8}, Caps: ledger.DefaultCaps, Fit: debate.FitOptions{Share: 0.8, MaxRunes: 500}, Sources: "ollama, 2 keys",
	}
	o.Seats[2].Local = true
	o.Seats[3].Problem = "set GEMINI_API_KEY"
	chair := o.Seats[1].Profile
	o.Chair, o.Light = &chair, &o.Seats[0].Profile
	return o
}

func form(w, h int) *picker.NewDebate {
	f := picker.NewForm(colors())
	f.SetSize(w, h)
	f.Load(offer())
	f.Prefill("Should billing move to SQLite?", "", 4)
	return f
}

func TestNewDebate_view(t *testing.T) {
	for name, size := range map[string][2]int{"40x9": {40, 9}, "80x21": {80, 21}, "140x37": {140, 37}} {
		t.Run(name, func(t *testing.T) {
			f := form(size[0], size[1])
			f.Next(2)
			screen(t, f.View(), size[0], size[1])
		})
	}
}

func TestNewDebate_yieldsWhatIsFilledIn(t *testing.T) {
	f := form(80, 21)
	f.Next(1)
	f.Change(1) // tradeoff
	f.Next(1)
	f.Move(1)
	if err := f.Toggle(); err != nil { // without Brook
		t.Fatal(err)
	}
	f.Next(2)
	f.Change(1)
	f.Next(1)
	f.Change(1)
	s, err := f.Session()
	if err != nil {
		t.Fatal(err)
	}
	if s.Topic != "Should billing move to SQLite?" || s.Mode.Name != "tradeoff" || s.Rounds != 4 || !s.EndConditions.OnConsensus || s.EndConditions.Convergence || s.Budget.USD != 1 || s.Budget.WarnAt != 0.8 {
		t.Errorf("%+v", s)
	}
	if len(s.Seats) != 2 || s.Seats[1].Name != "Cy" || s.Chair.Name != "Brook" || s.Caps != ledger.DefaultCaps || s.Fit.MaxRunes != 500 {
		t.Errorf("%+v", s)
	}
}

// What is wished for at the start takes nothing of the configuration away.
func TestNewDebate_keepsTheConfiguredBudgetBesideWishes(t *testing.T) {
	f := picker.NewForm(colors())
	f.SetSize(80, 21)
	f.Prefill("Should billing move to SQLite?", "tradeoff", 4)
	o := offer()
	o.Rounds, o.Endings = 3, debate.EndConditions{Convergence: true}
	f.Load(o)
	s, err := f.Session()
	if err != nil {
		t.Fatal(err)
	}
	if s.Mode.Name != "tradeoff" || s.Rounds != 4 || s.Budget.USD != 0.5 || !s.EndConditions.Convergence {
		t.Errorf("mode %s, %d rounds, budget %s, endings %+v", s.Mode.Name, s.Rounds, s.Budget, s.EndConditions)
	}
}

func TestNewDebate_saysWhatIsMissing(t *testing.T) {
	tests := []struct {
		name string
		do   func(f *picker.NewDebate)
		want string
	}{
		{"no topic", func(f *picker.NewDebate) { f.Reset() }, "say what the debate is about"},
		{"one seat", func(f *picker.NewDebate) {
			f.Next(2)
			_ = f.Toggle() // the seats of this offer can be taken out
			f.Move(1)
			_ = f.Toggle()
		}, "takes 2 to 8 seats; this panel has 1"},
		{"no amount", func(f *picker.NewDebate) {
			f.Next(5)
			for range 9 {
				f.HandleKey(press("backspace"))
			}
			f.HandleKey(press("."))
		}, `"." is no amount`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := form(80, 21)
			tt.do(f)
			if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// A budget that could not be held is refused before there is a debate.
func TestNewDebate_refusesABudgetWithoutPrices(t *testing.T) {
	o := offer()
	o.Seats[0].Profile.PriceIn = nil
	f := picker.NewForm(colors())
	f.SetSize(80, 21)
	f.Load(o)
	f.Prefill("Should it move?", "", 0)
	if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), "no price is known of Ada: take the budget out") {
		t.Fatalf("got %v", err)
	}
	if v := ansi.Strip(f.View()); !strings.Contains(v, "▸ Budget") {
		t.Errorf("want the focus on the budget:\n%s", v)
	}
	for range 4 {
		f.HandleKey(press("backspace"))
	}
	if _, err := f.Session(); err != nil {
		t.Errorf("without a budget: %v", err)
	}
}

func TestNewDebate_refusesASeatWithAProblem(t *testing.T) {
	f := form(80, 21)
	f.Next(2)
	f.Move(3)
	if err := f.Toggle(); err == nil || !strings.Contains(err.Error(), "set GEMINI_API_KEY") {
		t.Error(err)
	}
}

func TestNewDebate_typesOnlyIntoTheTopic(t *testing.T) {
	f := form(80, 21)
	if !f.Typing() {
		t.Fatal("the topic has the focus first")
	}
	f.HandleKey(press("?"))
	f.HandleKey(press("enter"))
	if f.Typing() {
		t.Error("enter leaves the topic")
	}
	if s, _ := f.Session(); s.Topic != "Should billing move to SQLite??" {
		t.Errorf("%q", s.Topic)
	}
}

func TestNewDebate_budgetSteps(t *testing.T) {
	f := form(80, 21)
	f.Next(5)
	for _, step := range []struct {
		by   int
		want string
	}{{1, "$1.00"}, {-1, "$0.50"}, {-1, "$0.25"}, {-9, "$0.10"}, {-1, "none"}, {-1, "none"}, {1, "$0.10"}} {
		f.Change(step.by)
		if v := ansi.Strip(f.View()); !strings.Contains(v, "Budget      "+step.want) {
			t.Fatalf("by %d: want %s in\n%s", step.by, step.want, v)
		}
	}
}

// A sum that is typed takes the place of a step, and is not hung on to it.
func TestNewDebate_aTypedBudgetReplacesAStep(t *testing.T) {
	f := form(80, 21)
	f.Next(5)
	f.Change(1)
	for _, step := range []struct{ key, want string }{{"2", "$2 "}, {"5", "$25 "}, {"backspace", "$2 "}, {"backspace", "none "}, {".", "$. "}, {"5", "$.5 "}} {
		f.HandleKey(press(step.key))
		if v := ansi.Strip(f.View()); !strings.Contains(v, "Budget      "+step.want) {
			t.Fatalf("%s: want %s in\n%s", step.key, step.want, v)
		}
	}
}

// An offer that is loaded again must not undo what the user chose.
func TestNewDebate_keepsChoicesOverAReload(t *testing.T) {
	f := form(80, 21)
	f.Next(2)
	_ = f.Toggle() // Ada can be taken out
	o := offer()
	o.Seats[1].Problem = "the key was refused"
	f.Load(o)
	v := ansi.Strip(f.View())
	if !strings.Contains(v, "[ ]   Ada") || !strings.Contains(v, "[ ]   Brook  claude-sonnet  ! the key was refused") || !strings.Contains(v, "[x] 1 Cy") {
		t.Error(v)
	}
}

func TestFirst_view(t *testing.T) {
	f := picker.NewFirst(colors())
	f.SetSize(80, 21)
	f.Load(picker.Offer{Found: []picker.Finding{
		{What: "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more", Result: "not set"},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "a config file", Result: "none, fine"},
	}})
	screen(t, f.View(), 80, 21)
	f.Move(-1)
	f.Move(2)
	if f.Choice() != picker.WriteConfig {
		t.Error(f.Choice())
	}
}

func TestNewDebate_saysWhenItEnds(t *testing.T) {
	f := form(140, 37)
	f.Next(4)
	for _, want := range []string{
		"early at a consensus of 0.90", "early when no position moves in a round", "early at a consensus of 0.90, or when no position moves", "after the last round",
	} {
		f.Change(1)
		if v := ansi.Strip(f.View()); !strings.Contains(v, "Ends        "+want) {
			t.Errorf("want %q in\n%s", want, v)
		}
	}
}

func TestNewDebate_warnsOfOneFamilyAndOfATiedChair(t *testing.T) {
	o := offer()
	for i := range o.Seats {
		o.Seats[i].Profile.Model = fmt.Sprint("gpt-", i)
	}
	f := picker.NewForm(colors())
	f.SetSize(140, 37)
	f.Load(o)
	if v := ansi.Strip(f.View()); !strings.Contains(v, "! All seats are of one model family: they share mistakes. Add another or go on.") {
		t.Errorf("no warning in\n%s", v)
	}
	o.Seats[0].Profile.Model = "claude-sonnet"
	o.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "gpt-9"}
	f.Load(o)
	if v := ansi.Strip(f.View()); !strings.Contains(v, "2 model families: good. Chair Zed (! of a family on the panel)") {
		t.Errorf("no note on the chair in\n%s", v)
	}
}

// Long names of models are readable, and beside them there is always a gap.
func TestNewDebate_showsLongModels(t *testing.T) {
	o := offer()
	o.Seats[0].Profile.Model = "claude-sonnet-4-20250514"
	o.Seats[1].Profile.Model = strings.Repeat("very-long-", 8)
	f := picker.NewForm(colors())
	f.SetSize(80, 21)
	f.Load(o)
	v := ansi.Strip(f.View())
	for _, want := range []string{"claude-sonnet-4-20250514 openai", "… anthropic", "about $0.00"} {
		if !strings.Contains(strings.Join(strings.Fields(v), " "), want) {
			t.Errorf("%q is not in\n%s", want, v)
		}
	}
}

// What does not fit is counted, and who receives the text is never cut.
func TestNewDebate_saysWhatIsHidden(t *testing.T) {
	o := offer()
	for i := range 8 {
		s := o.Seats[0]
		s.Profile.ID, s.Company = agents.ID(fmt.Sprint("more", i)), fmt.Sprintf("The Long Company Number %d", i)
		o.Seats = append(o.Seats, s)
	}
	f := picker.NewForm(colors())
	f.SetSize(80, 21)
	f.Load(o)
	if v := ansi.Strip(f.View()); !strings.Contains(v, " below") {
		t.Errorf("what is hidden is not counted:\n%s", v)
	}
	f.SetSize(80, 60)
	if v := ansi.Strip(f.View()); !strings.Contains(v, "The Long Company Number 7") || strings.Contains(v, " below") {
		t.Errorf("a receiver is missing:\n%s", v)
	}
}

// A question may be a whole text, given on the command line or pasted.
func TestNewDebate_cutsNothingOffAQuestion(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("+ a line of a change\n", 3000))
	f := form(80, 21)
	f.Prefill(text, "", 0)
	if s, err := f.Session(); err != nil || s.Topic != text {
		t.Errorf("given: %d of %d characters, %v", len(s.Topic), len(text), err)
	}
	f = picker.NewForm(colors())
	f.SetSize(80, 21)
	f.Load(offer())
	f.Paste(text)
	if s, err := f.Session(); err != nil || s.Topic != text {
		t.Errorf("pasted: %d of %d characters, %v", len(s.Topic), len(text), err)
	}
}

// A pasted text fills the rows of the topic with its end, and says how long it is.
func TestNewDebate_showsTheEndOfAPastedTopic(t *testing.T) {
	for name, words := range map[string]string{"a line": "word ", "many lines": "one\n"} {
		f := picker.NewForm(colors())
		f.SetSize(140, 37)
		f.Load(offer())
		f.Paste(strings.Repeat(words, 600) + "end.")
		rows := strings.Split(ansi.Strip(f.View()), "\n")[1:6]
		for _, row := range rows[:4] {
			if strings.TrimSpace(row[15:]) == "" {
				t.Errorf("%s: a row of the topic is blank:\n%s", name, strings.Join(rows, "\n"))
				break
			}
		}
		if !strings.Contains(rows[3], "end.") || !strings.Contains(rows[1], " chars ") || strings.TrimSpace(rows[4]) != "" {
			t.Errorf("%s: want the end, and how long it is:\n%s", name, strings.Join(rows, "\n"))
		}
		f.Prefill("Should it move?", "", 0)
		if v := ansi.Strip(f.View()); strings.Contains(v, " chars ") {
			t.Errorf("%s: the length of a topic that is shown whole:\n%s", name, v)
		}
	}
}

func TestNewDebate_keepsWhatIsConfiguredAsItIs(t *testing.T) {
	for _, usd := range []float64{0.004, 0.126, 0.5, 12, 100000} {
		o := offer()
		o.Rounds, o.Budget = 20, debate.Budget{USD: usd, Tokens: 50_000}
		f := picker.NewForm(colors())
		f.SetSize(140, 37)
		f.Load(o)
		f.Prefill("Is it so?", "", 20)
		s, err := f.Session()
		if err != nil || s.Rounds != 20 || s.Budget != o.Budget {
			t.Errorf("%d rounds, %+v, %v", s.Rounds, s.Budget, err)
		}
		if !strings.Contains(ansi.Strip(f.View()), "50000 tokens") {
			t.Errorf("the cap in tokens is not shown:\n%s", ansi.Strip(f.View()))
		}
	}
}

// A server on this machine may pass on to one that costs: what has a price is not free.
func TestNewDebate_showsThePriceOfALocalModelThatHasOne(t *testing.T) {
	o, price := offer(), 3.0
	o.Seats[2].Profile.PriceIn, o.Seats[2].Profile.PriceOut = &price, &price
	f := picker.NewForm(colors())
	f.SetSize(80, 21)
	f.Load(o)
	if v := ansi.Strip(f.View()); !strings.Contains(v, "ollama              about $") {
		t.Errorf("no price:\n%s", v)
	}
	o.Seats[2].Profile.PriceIn, o.Seats[2].Profile.PriceOut = nil, nil // unknown is not free, wherever it runs
	f.Load(o)
	if v := ansi.Strip(f.View()); !strings.Contains(v, "ollama              local, price ?") {
		t.Errorf("an unknown price:\n%s", v)
	}
}

// A draft brings back what was typed and chosen, also when what can be chosen is
// found later, and nothing that is there no more.
func TestNewDebate_restoresItsDraft(t *testing.T) {
	f := form(80, 21)
	if f.Draft() != "" {
		t.Errorf("an empty form has the draft %s", f.Draft())
	}
	f.Prefill("Given?", "", 0)
	if f.Draft() != "" {
		t.Errorf("what was given is kept as typed: %s", f.Draft())
	}
	f.Reset()
	f.Paste("Rust\nor Go?")
	f.Next(1)
	f.Change(1)
	f.Next(3)
	if err := f.Toggle(); err != nil {
		t.Fatal(err)
	}
	kept := f.Draft()
	for _, late := range []bool{false, true} {
		again := picker.NewForm(colors())
		again.SetSize(80, 21)
		if !late {
			again.Load(offer())
		}
		if err := again.Restore(kept); err != nil {
			t.Fatal(err)
		}
		if late {
			if again.Draft() != kept {
				t.Errorf("before there is an offer it is\n%s\nwant\n%s", again.Draft(), kept)
			}
			again.Load(offer())
		}
		if again.Draft() != kept || again.Topic() != "Rust\nor Go?" {
			t.Errorf("%s\nwant\n%s", again.Draft(), kept)
		}
	}
	if err := f.Restore("{"); err == nil {
		t.Error("half a draft is no draft")
	}
}
