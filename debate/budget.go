package debate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// LowerThan reports whether the budget has a limit that is lower than that of another one.
func (b Budget) LowerThan(o Budget) bool {
	return b.USD > 0 && (o.USD <= 0 || o.USD > b.USD) || b.Tokens > 0 && (o.Tokens <= 0 || o.Tokens > b.Tokens)
}

// String formats the limits, such as "$0.10" or "$0.10 or 50000 tokens".
func (b Budget) String() string { return b.Format(b) }

const (
	MaxUSD    = 1e6
	MaxTokens = 1_000_000_000_000
)

// Format formats an amount by what b limits: dollars, tokens or both. No dollars have no price.
func (b Budget) Format(amount Budget) string {
	usd, tokens := text.CapMoney(amount.USD), text.Count(amount.Tokens, "token")
	switch {
	case b.Tokens > 0 && (b.USD <= 0 || amount.USD == 0):
		return tokens
	case b.Tokens > 0:
		return usd + " or " + tokens
	default:
		return usd
	}
}

// UnpricedError is returned for a budget in USD if prices of speakers are unknown.
type UnpricedError struct{ Speakers []agents.Profile }

// Error names the speakers and says what to do.
func (e *UnpricedError) Error() string {
	names := text.Each(e.Speakers, func(p agents.Profile) string { return fmt.Sprintf("%s (%s, %s)", p.Name, p.Model, p.Provider) })
	return "a budget in USD needs prices, and these seats have none: " + strings.Join(names, ", ") +
		". Set price_in and price_out, or add a budget in tokens."
}

// CheckBudget returns an *UnpricedError if the budget cannot be enforced.
func (s Session) CheckBudget() error {
	if s.Budget.USD <= 0 || s.Budget.Tokens > 0 {
		return nil
	}
	e := &UnpricedError{}
	for _, p := range s.Upcoming().Speakers() {
		if !p.Priced() {
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
	Needed Budget // what the smallest call could take; zero if that is not known
}

// Error says how much of the budget is spent, and what a call could take.
func (e *BudgetError) Error() string {
	takes := ""
	if e.Needed != (Budget{}) {
		takes = "one could use up to " + e.Budget.Format(e.Needed)
	}
	if e.Spent.USD == 0 && e.Spent.Tokens == 0 {
		return fmt.Sprintf("the budget of %s does not allow a single call; %s", e.Budget, cmp.Or(takes, "raise it"))
	}
	spent := e.Budget.Format(e.Spent) + " spent so far"
	if takes != "" {
		spent += ", and " + takes
	}
	return fmt.Sprintf("the budget of %s does not allow another call; %s", e.Budget, spent)
}

// Spending is what calls for one purpose cost.
type Spending struct {
	Purpose Purpose      `json:"purpose"` // "" for a sum
	Calls   int          `json:"calls"`
	Usage   agents.Usage `json:"usage"`
	Cost    *float64     `json:"cost"` // in USD; nil if unknown
}

// Purpose says what a completion is for.
type Purpose string

const (
	ForMember Purpose = "member"
	ForChair  Purpose = "chair"
	ForLight  Purpose = "light"

	ForFollowUp Purpose = "followup"
)

// WithAuxiliaryTurn returns the session with the cost of a turn of a chair or of the light model.
func (s Session) WithAuxiliaryTurn(purpose Purpose, x Response) Session {
	i := slices.IndexFunc(s.AuxiliarySpending, func(a Spending) bool { return a.Purpose == purpose })
	s.AuxiliarySpending = slices.Clone(s.AuxiliarySpending)
	if i < 0 {
		i = len(s.AuxiliarySpending)
		s.AuxiliarySpending = append(s.AuxiliarySpending, Spending{Purpose: purpose, Cost: new(float64)})
	}
	s.AuxiliarySpending[i] = s.AuxiliarySpending[i].Plus(x.Calls, x.Usage, x.Cost)
	return s
}

// Plus returns the sum with further calls; an unknown cost makes it unknown, so that it never looks smaller.
func (s Spending) Plus(calls int, u agents.Usage, cost *float64) Spending {
	if calls == 0 {
		return s
	}
	sum := s.Cost
	if s.Calls == 0 {
		sum = new(float64)
	}
	s.Calls, s.Usage, s.Cost = s.Calls+calls, s.Usage.Add(u), nil
	if sum != nil && cost != nil {
		s.Cost = new(math.Round((*sum+*cost)*1e12) / 1e12) // as decimals add up
	}
	return s
}
