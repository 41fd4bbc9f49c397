package debate_test

import (
	"testing"

	"roundtable/debate"
)

func TestParseCaps_readsWhatStringWrites(t *testing.T) {
	for text, want := range map[string]debate.Budget{
		"$0.10": {USD: 0.1}, " 1": {USD: 1}, "0.5": {USD: 0.5}, ".5": {USD: 0.5}, "50000 tokens": {Tokens: 50000},
		"50k tok": {Tokens: 50000}, "1.5k tok": {Tokens: 1500},
		"$0.10 or 50000 tokens": {USD: 0.1, Tokens: 50000}, "$2, 9 tok": {USD: 2, Tokens: 9},
	} {
		if got, err := debate.ParseBudget(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, b := range []debate.Budget{{USD: 0.1}, {Tokens: 700}, {USD: 12, Tokens: 5}, {USD: 0.015}} {
		if got, err := debate.ParseBudget(b.String()); err != nil || got != b {
			t.Errorf("%s is read as %+v, %v", b, got, err)
		}
	}
	for _, text := range []string{"", "  ", "much", "-1", "$", "or", "5 apples", "1e9", "0.1.2", "0", "0 tok"} {
		if got, err := debate.ParseBudget(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
