package setup_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/testing/must"
	"roundtable/tui/setup"
)

// A budget that cannot be held is no proposal: the form says so, and starts without it. One that
// the user has set is refused before the debate begins.
func TestForm_refusesABudgetWithoutPrices(t *testing.T) {
	o := testOptions()
	o.Seats[0].Profile.PriceIn = nil
	f := formOf(o, 80, 21)
	f.Prefill("Should it move?", "", 0)
	sees(t, f, "! Budget $0.50 is not held: price unknown.")
	if s, err := f.Session(); err != nil || s.Budget.USD != 0 {
		t.Errorf("as offered: %+v, %v", s.Budget, err)
	}
	focusOn(f, "Ends")
	sees(t, f, "Budget      $0.50   not held: price unknown")
	focusOn(f, "Budget")
	f.HandleKey(press("1"))
	if _, err := f.Session(); err == nil || !strings.Contains(err.Error(), "no price for Ada; remove the budget") {
		t.Fatalf("got %v", err)
	}
	sees(t, f, "▸ Budget")
	for range 4 {
		f.HandleKey(press("backspace"))
	}
	if _, err := f.Session(); err != nil {
		t.Errorf("without a budget: %v", err)
	}
}

// A typed amount replaces one that was there instead of being appended to it.
func TestForm_aTypedBudgetReplacesWhatWasThere(t *testing.T) {
	f := newForm(80, 21)
	focusOn(f, "Budget")
	for _, step := range []struct{ key, want string }{
		{"2", "$2 "},
		{"5", "$25 "},
		{"backspace", "$2 "},
		{"backspace", "none "},
		{".", "$. "},
		{"5", "$.5 "},
	} {
		f.HandleKey(press(step.key))
		sees(t, f, "Budget      "+step.want)
	}
}

// What is typed or pasted is read as it stands: no character is dropped, which could
// make the amount larger.
func TestForm_readsAmountsAsTyped(t *testing.T) {
	const noUSD, noTokens = "not an amount in dollars; write 0.50 or $0.50", "not a number of tokens; write 50000, 50,000 or 50k"
	for _, tt := range []struct {
		field  int // from the topic
		typed  string
		usd    float64
		tokens int
		err    string
	}{
		{6, "$0.25", 0.25, 0, ""},
		{6, "0,50", 0, 0, noUSD},
		{6, "50,000 tokens", 0, 0, noUSD},
		{6, "nan", 0, 0, noUSD},
		{7, "50,000", 0.5, 50000, ""},
		{7, "50 000", 0.5, 50000, ""},
		{7, "50k", 0.5, 50000, ""},
		{7, "$5", 0, 0, noTokens},
		{7, "50.000", 0, 0, noTokens},
	} {
		for name, enter := range map[string]func(*setup.Form){
			"typed": func(f *setup.Form) {
				for _, r := range tt.typed {
					f.HandleKey(press(string(r)))
				}
			},
			"pasted": func(f *setup.Form) { f.Paste(tt.typed + "\n") },
		} {
			f := newForm(140, 37)
			f.Prefill("Is it so?", "", 0)
			focusOn(f, map[int]string{6: "Budget", 7: "Tokens"}[tt.field])
			enter(f)
			s, err := f.Session()
			view := shown(f)
			if tt.err == "" && (err != nil || s.Budget.USD != tt.usd || s.Budget.Tokens != tt.tokens) {
				t.Errorf("%s %q: %+v, %v", name, tt.typed, s.Budget, err)
			}
			shown := strings.Contains(view, tt.typed) && strings.Contains(view, tt.err)
			if tt.err != "" && (err == nil || err.Error() != tt.err || !shown) {
				t.Errorf("%s %q: %v in\n%s", name, tt.typed, err, view)
			}
		}
	}
}

// Typing in a limit is undone as in other texts, and kept with the draft.
func TestForm_keepsTypedAmounts(t *testing.T) {
	f := newForm(140, 37)
	f.HandleKey(press("x"))
	focusOn(f, "Tokens")
	f.Paste("60k")
	f.HandleKey(press("ctrl+u"))
	if _, ok := f.Undo(); !ok {
		t.Error("nothing to undo")
	}
	again := newForm(140, 37)
	must.Do(t, again.Restore(f.Draft()))
	if s, err := again.Session(); err != nil || s.Budget.Tokens != 60000 || s.Budget.USD != 0.5 {
		t.Errorf("%+v, %v", s.Budget, err)
	}
}

func TestForm_keepsConfiguredValues(t *testing.T) {
	for _, usd := range []float64{0.004, 0.5, 100000} {
		o := testOptions()
		o.Rounds, o.Budget = 20, debate.Budget{USD: usd, Tokens: 50_000}
		f := formOf(o, 140, 37)
		f.Prefill("Is it so?", "", 20)
		s, err := f.Session()
		if err != nil || s.Rounds != 20 || s.Budget != o.Budget {
			t.Errorf("%d rounds, %+v, %v", s.Rounds, s.Budget, err)
		}
		focusOn(f, "More")
		sees(t, f, "at most 50,000 tok")
		focusOn(f, "Tokens")
		sees(t, f, "50,000   never exceeded")
	}
}

// What the form estimates is what the debate that it begins is estimated at, topic included.
func TestForm_estimatesTheDebateItBegins(t *testing.T) {
	for name, topic := range map[string]string{
		"short": "Move?", "long": strings.Repeat("Should billing move to SQLite? ", 1600),
	} {
		f := newForm(100, 50)
		f.Prefill(topic, "", 0)
		s := must.Get(f.Session())(t)
		focusOn(f, "Panel")
		view := shown(f)
		if want := budget.Estimate(s).Brief(); !strings.Contains(view, want) {
			t.Errorf("%s: want %q in\n%s", name, want, view)
		}
	}
}
