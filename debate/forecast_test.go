package debate_test

import (
	"testing"

	"roundtable/debate"
)

func TestForecast_String(t *testing.T) {
	calls := debate.Range{Low: 3, High: 4}
	for _, c := range []struct {
		f    debate.Forecast
		want string
	}{
		{debate.Forecast{Calls: calls, Tokens: debate.Range{Low: 2600, High: 2900}}, "3-4 calls, 3k tokens, price unknown"},
		{
			debate.Forecast{Calls: calls, Tokens: debate.Range{Low: 9000, High: 30600}, USD: &debate.Range{Low: 0.02, High: 0.09}},
			"3-4 calls, 9k-31k tokens, $0.02-0.09",
		},
	} {
		if got := c.f.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
