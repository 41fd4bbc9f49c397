package debate

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"roundtable/agents"
)

// Budget is what a session may cost. Zero means no cap.
type Budget struct {
	USD       float64 `json:"usd,omitempty" toml:"usd"`
	Tokens    int     `json:"tokens,omitempty" toml:"tokens"`
	WarnAt    float64 `json:"warn_at,omitempty" toml:"warn_at"`       // share of a cap at which to say so, 0..1; 0: never
	MaxOutput int     `json:"max_output,omitempty" toml:"max_output"` // tokens of an answer whose speaker has no limit of its own; 0: 4096
}

// Capped reports whether there is any cap.
func (b Budget) Capped() bool { return b.USD > 0 || b.Tokens > 0 }

// String shows the caps, such as "$0.10" or "$0.10 or 50000 tokens".
func (b Budget) String() string { return b.Format(b) }

var (
	usdPattern       = regexp.MustCompile(`^\$?\s*(\d+\.?\d*|\.\d+)$`)
	tokensPattern    = regexp.MustCompile(`^(\d+\.?\d*)\s*(k?)\s*tok(?:ens?)?$`)
	separatorPattern = regexp.MustCompile(`\s+or\s+|\s*,\s*`)
)

// ParseBudget reads caps as String writes them, such as "$0.10", "0.10", "50000
// tokens", "50k tok" or "$0.10 or 50000 tokens".
func ParseBudget(text string) (Budget, error) {
	var b Budget
	refused := fmt.Errorf("%q is no budget; write it as $0.50, 50000 tokens, or $0.50 or 50000 tokens", text)
	for _, part := range separatorPattern.Split(strings.TrimSpace(text), -1) {
		usd, tokens := usdPattern.FindStringSubmatch(part), tokensPattern.FindStringSubmatch(part)
		switch {
		case usd != nil && b.USD == 0:
			b.USD = parseNumber(usd[1])
		case tokens != nil && b.Tokens == 0:
			n := parseNumber(tokens[1])
			if tokens[2] != "" {
				n *= 1000
			}
			b.Tokens = int(min(n, 1e12))
		default:
			return Budget{}, refused
		}
	}
	if !b.Capped() {
		return Budget{}, refused
	}
	return b, nil
}

// parseNumber reads digits with a point among them.
func parseNumber(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // there are more of them than any budget has
		return math.MaxFloat64
	}
	return f
}

// Format formats an amount by what b limits, in dollars or tokens or both.
func (b Budget) Format(amount Budget) string {
	usd, tokens := CapUSD(amount.USD), fmt.Sprintf("%d tokens", amount.Tokens)
	switch {
	case b.USD > 0 && b.Tokens > 0:
		return usd + " or " + tokens
	case b.Tokens > 0:
		return tokens
	default:
		return usd
	}
}

// USD writes what something has cost: in cents, a few of them more finely.
func USD(usd float64) string {
	switch {
	case usd > 0 && usd < 0.0005:
		return "<$0.001"
	case usd > 0 && usd < 0.00995:
		return fmt.Sprintf("$%.3f", usd)
	default:
		return fmt.Sprintf("$%.2f", usd)
	}
}

// CapUSD writes a sum that is compared with a cap; what is not whole cents finely
// enough to see the difference.
func CapUSD(usd float64) string {
	switch cents := usd * 100; {
	case usd >= 1 || math.Abs(cents-math.Round(cents)) < 1e-9:
		return USD(usd)
	case usd < 0.01:
		return fmt.Sprintf("$%.4f", usd)
	default:
		return fmt.Sprintf("$%.3f", usd)
	}
}

// UnpricedError refuses a budget in USD for speakers whose prices are unknown.
type UnpricedError struct{ Speakers []agents.Profile }

// Error names the speakers and what to do.
func (e *UnpricedError) Error() string {
	names := ""
	for i, p := range e.Speakers {
		if i > 0 {
			names += ", "
		}
		names += fmt.Sprintf("%s (%s, %s)", p.Name, p.Model, p.Provider)
	}
	return "a budget in USD needs prices, and these are unknown: " + names + ". Set price_in and price_out of them, or a budget in tokens as well."
}

// CheckBudget returns an *UnpricedError where the budget could not be held.
func (s Session) CheckBudget() error {
	if s.Budget.USD <= 0 || s.Budget.Tokens > 0 {
		return nil
	}
	e := &UnpricedError{}
	for _, p := range s.Speakers() {
		if p.PriceIn == nil || p.PriceOut == nil {
			e.Speakers = append(e.Speakers, p)
		}
	}
	if len(e.Speakers) == 0 {
		return nil
	}
	return e
}

// BudgetError refuses to go on with a session whose budget allows no call any more.
type BudgetError struct {
	Budget Budget
	Spent  Budget // of what the caps are about
}

// Error says how far the budget went.
func (e *BudgetError) Error() string {
	if e.Spent.USD == 0 && e.Spent.Tokens == 0 {
		return fmt.Sprintf("the budget of %s does not allow a single call; give more of it", e.Budget)
	}
	return fmt.Sprintf("the budget of %s does not allow another call; spent: %s", e.Budget, e.Budget.Format(e.Spent))
}
