package debate

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Budget limits what a session may cost. Zero means no limit.
type Budget struct {
	USD       float64 `json:"usd,omitempty" toml:"usd"`
	Tokens    int     `json:"tokens,omitempty" toml:"tokens"`
	WarnAt    float64 `json:"warn_at,omitempty" toml:"warn_at"`       // share of a limit at which to warn, 0..1; 0 means never
	MaxOutput int     `json:"max_output,omitempty" toml:"max_output"` // tokens of an answer if its speaker has no limit; 0 means 4096
}

// Capped reports whether the budget limits anything.
func (b Budget) Capped() bool { return b.USD > 0 || b.Tokens > 0 }

// String formats the limits, such as "$0.10" or "$0.10 or 50000 tokens".
func (b Budget) String() string { return b.Format(b) }

var (
	usdPattern       = regexp.MustCompile(`^\$?\s*(\d+\.?\d*|\.\d+)$`)
	tokensPattern    = regexp.MustCompile(`^(\d+\.?\d*)\s*(k?)\s*tok(?:ens?)?$`)
	separatorPattern = regexp.MustCompile(`\s+or\s+|\s*,\s*`)
)

// ParseBudget parses limits such as "$0.10", "0.10", "50000 tokens", "50k tok" or "$0.10
// or 50000 tokens".
func ParseBudget(text string) (Budget, error) {
	var b Budget
	refused := fmt.Errorf("invalid budget %q; use $0.50, 50000 tokens, or $0.50 or 50000 tokens", text)
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

// parseNumber parses digits with an optional decimal point.
func parseNumber(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // too many digits
		return math.MaxFloat64
	}
	return f
}

// Format formats an amount by what b limits, in dollars or tokens or both.
func (b Budget) Format(amount Budget) string {
	usd, tokens := text.CapMoney(amount.USD), fmt.Sprintf("%d tokens", amount.Tokens)
	switch {
	case b.USD > 0 && b.Tokens > 0:
		return usd + " or " + tokens
	case b.Tokens > 0:
		return tokens
	default:
		return usd
	}
}

// UnpricedError is returned for a budget in USD if prices of speakers are unknown.
type UnpricedError struct{ Speakers []agents.Profile }

// Error names the speakers and says what to do.
func (e *UnpricedError) Error() string {
	names := ""
	for i, p := range e.Speakers {
		if i > 0 {
			names += ", "
		}
		names += fmt.Sprintf("%s (%s, %s)", p.Name, p.Model, p.Provider)
	}
	return "a budget in USD needs prices, and these agents have none: " + names +
		". Set price_in and price_out, or add a budget in tokens."
}

// CheckBudget returns an *UnpricedError if the budget cannot be enforced.
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

// BudgetError is returned when the budget of a session allows no further call.
type BudgetError struct {
	Budget Budget
	Spent  Budget // in the units that the budget limits
}

// Error says how much of the budget is spent.
func (e *BudgetError) Error() string {
	if e.Spent.USD == 0 && e.Spent.Tokens == 0 {
		return fmt.Sprintf("the budget of %s does not allow a single call; raise it", e.Budget)
	}
	return fmt.Sprintf("the budget of %s does not allow another call; %s spent so far", e.Budget, e.Budget.Format(e.Spent))
}
