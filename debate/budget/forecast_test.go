package budget_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
)

// A forecast promises no dollars for speakers in a subscription.
func TestForecast_saysWhatIsIncluded(t *testing.T) {
	in, out, zero := 300.0, 1500.0, 0.0
	paid := agents.Profile{ID: "ada", Name: "Ada", PriceIn: &in, PriceOut: &out}
	local := agents.Profile{ID: "brook", Name: "Brook", PriceIn: &zero, PriceOut: &zero}
	included := agents.Profile{ID: "cy", Name: "Cy", Included: true}
	unknown := agents.Profile{ID: "dee", Name: "Dee"}
	for _, c := range []struct {
		name  string
		usd   *budget.Range
		seats []agents.Profile
		want  string
	}{
		{"all are included", &budget.Range{}, []agents.Profile{included, included}, "included"},
		{"local and included", &budget.Range{}, []agents.Profile{local, included}, "included"},
		{"all are local", &budget.Range{}, []agents.Profile{local, local}, "free"},
		{"one is paid for", &budget.Range{Low: 0.02, High: 0.09}, []agents.Profile{paid, included}, "$0.02-0.09 + included"},
		{"one costs little", &budget.Range{Low: 0.001, High: 0.009}, []agents.Profile{paid, included}, "under $0.01 + included"},
		{"one is unknown", nil, []agents.Profile{unknown, included}, "?"},
	} {
		s := debate.Session{Rounds: 1, Seats: c.seats, Mode: debate.Mode{Order: debate.Parallel}}
		f := budget.Estimate(s)
		f.USD = c.usd
		if got := f.Price(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestForecast_String(t *testing.T) {
	calls := budget.Range{Low: 3, High: 4}
	for _, c := range []struct {
		f    budget.Forecast
		want string
	}{
		{budget.Forecast{Calls: calls, Tokens: budget.Range{Low: 2600, High: 2900}}, "3-4 calls, 3k tokens, price unknown"},
		{
			budget.Forecast{Calls: calls, Tokens: budget.Range{Low: 9000, High: 30600}, USD: &budget.Range{Low: 0.02, High: 0.09}},
			"3-4 calls, 9k-31k tokens, $0.02-0.09",
		},
	} {
		if got := c.f.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
