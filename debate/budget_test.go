package debate_test

import (
	"testing"

	"roundtable/debate"
)

// What has no price is told in tokens, and never as no dollars.
func TestBudgetError_namesNoDollarsWithoutAPrice(t *testing.T) {
	both, usd := debate.Budget{USD: 0.5, Tokens: 2000}, debate.Budget{USD: 0.5}
	for _, c := range []struct {
		err  debate.BudgetError
		want string
	}{
		{
			debate.BudgetError{Budget: both, Spent: debate.Budget{Tokens: 1200}, Needed: debate.Budget{Tokens: 1963}},
			"the budget of $0.50 or 2000 tokens does not allow another call; 1200 tokens spent so far, and one could use up to 1963 tokens",
		},
		{
			debate.BudgetError{Budget: both, Spent: debate.Budget{USD: 0.25, Tokens: 1200}, Needed: debate.Budget{Tokens: 1963}},
			"the budget of $0.50 or 2000 tokens does not allow another call; $0.25 or 1200 tokens spent so far, and one could use up to 1963 tokens",
		},
		{
			debate.BudgetError{Budget: usd, Spent: debate.Budget{USD: 0.25}, Needed: debate.Budget{USD: 0.5}},
			"the budget of $0.50 does not allow another call; $0.25 spent so far, and one could use up to $0.50",
		},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
