package budget_test

import (
	"encoding/json"
	"math"
	"strings"
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
		{"one costs little", &budget.Range{Low: 0.001, High: 0.009}, []agents.Profile{paid, included}, "$0.001-0.009 + included"},
		{"one is unknown", nil, []agents.Profile{unknown, included}, "price unknown"},
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

// A long text is counted in parts from all over it, so that its beginning does not decide.
func TestEstimate_countsAllOfALongTopic(t *testing.T) {
	t.Parallel()
	tokens := func(topic string) float64 {
		s := debate.Session{Rounds: 1, Mode: debate.Mode{Order: debate.Parallel}, Seats: []agents.Profile{{ID: "a", ContextWindow: 1 << 20}}}
		short := budget.Estimate(s)
		s.Topic = topic
		return budget.Estimate(s).Tokens.Low - short.Tokens.Low
	}
	topic := strings.Repeat("Should it move? ", 1000) + strings.Repeat("長い文字", 4000)
	want := float64(2 * agents.Tokens(topic)) // the seat and the verdict
	if got := tokens(topic); got < 0.9*want || got > 1.1*want {
		t.Errorf("got %g tokens, want about %g", got, want)
	}
}

// What a model thinks is written and paid for, too: by its effort, however that is set, and by
// what it has written before.
func TestEstimate_countsThinking(t *testing.T) {
	t.Parallel()
	output := func(change func(*agents.Profile), past budget.Past) budget.Range {
		in, out := 0.0, 1e6
		p := agents.Profile{ID: "a", Model: "m", Provider: "p", PriceIn: &in, PriceOut: &out}
		change(&p)
		chair := agents.Profile{ID: "c", Model: "free", PriceIn: &in, PriceOut: &in}
		s := debate.Session{Rounds: 1, Mode: debate.Mode{Order: debate.Parallel}, Seats: []agents.Profile{p}, Chair: &chair}
		return *budget.EstimateAfter(s, past).USD
	}
	effort := func(word string) func(*agents.Profile) { return func(p *agents.Profile) { p.ReasoningEffort = word } }
	extra := func(body string) func(*agents.Profile) {
		return func(p *agents.Profile) { p.ExtraBody = json.RawMessage(body) }
	}
	limited := func(p *agents.Profile) { p.ReasoningEffort, p.MaxTokens = "high", 3000 }
	before := func(n int) budget.Past { return func(agents.Profile) int { return n } }
	for name, c := range map[string]struct {
		change func(*agents.Profile)
		past   budget.Past
		want   budget.Range
	}{
		"nothing is known":               {effort(""), nil, budget.Range{Low: 250, High: 1200}},
		"no thinking":                    {effort("none"), nil, budget.Range{Low: 250, High: 1200}},
		"low":                            {effort("low"), nil, budget.Range{Low: 250 + 128, High: 1200 + 1024}},
		"medium":                         {effort("medium"), nil, budget.Range{Low: 250 + 1024, High: 1200 + 8192}},
		"high":                           {effort("high"), nil, budget.Range{Low: 250 + 3072, High: 1200 + 24576}},
		"a word of the server's own":     {effort("default"), nil, budget.Range{Low: 250 + 1024, High: 1200 + 8192}},
		"as OpenRouter has it":           {extra(`{"reasoning":{"effort":"high"}}`), nil, budget.Range{Low: 250 + 3072, High: 1200 + 24576}},
		"OpenRouter's number of tokens":  {extra(`{"reasoning":{"max_tokens":4000}}`), nil, budget.Range{Low: 250 + 500, High: 1200 + 4000}},
		"Anthropic's number of tokens":   {extra(`{"thinking":{"budget_tokens":4000}}`), nil, budget.Range{Low: 250 + 500, High: 1200 + 4000}},
		"DashScope's number of tokens":   {extra(`{"thinking_budget":4000}`), nil, budget.Range{Low: 250 + 500, High: 1200 + 4000}},
		"another shape":                  {extra(`{"thinking":true}`), nil, budget.Range{Low: 250, High: 1200}},
		"within max_tokens":              {limited, nil, budget.Range{Low: 3000, High: 3000}},
		"as before":                      {effort(""), before(6000), budget.Range{Low: 4200, High: 9000}},
		"as before, whatever the effort": {effort("high"), before(6000), budget.Range{Low: 4200, High: 9000}},
		"less than was assumed":          {effort(""), before(100), budget.Range{Low: 70, High: 150}},
		"never asked before":             {effort("low"), before(0), budget.Range{Low: 250 + 128, High: 1200 + 1024}},
	} {
		if got := output(c.change, c.past); math.Abs(got.Low-c.want.Low)+math.Abs(got.High-c.want.High) > 1e-6 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
