// Package budget computes what a session has cost and may still cost: amounts as a user
// writes them, money spent, forecasts, and how many tokens a prompt may have.
//
// It imports values and internal/text. The limits themselves, and the errors that say
// that one is reached, are in debate.
package budget

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

var (
	usdPattern    = text.Regexp(`^(?:\$ ?)?(\d+\.?\d*|\.\d+)$`)
	tokensPattern = text.Regexp(`^(?:(\d+)(k?)|([1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+)))$`)
)

// ParseUSD parses an amount of dollars, such as "0.50" or "$0.50". A comma is refused,
// since it separates cents for some and thousands for others.
func ParseUSD(content string) (float64, error) {
	m := usdPattern().FindStringSubmatch(strings.TrimSpace(content))
	if m == nil {
		return 0, errors.New("not an amount in dollars; write 0.50 or $0.50")
	}
	usd, err := strconv.ParseFloat(m[1], 64)
	switch {
	case err != nil || usd > debate.MaxUSD:
		return 0, fmt.Errorf("the budget must be at most %.0f dollars", float64(debate.MaxUSD))
	case usd == 0:
		return 0, errors.New("the budget must be more than 0 dollars")
	}
	return usd, nil
}

// ParseTokens parses a number of tokens, such as "50000", "50,000", "50 000" or "50k".
func ParseTokens(content string) (int, error) {
	m := tokensPattern().FindStringSubmatch(strings.TrimSpace(content))
	if m == nil {
		return 0, errors.New("not a number of tokens; write 50000, 50,000 or 50k")
	}
	n, err := strconv.Atoi(strings.NewReplacer(",", "", " ", "").Replace(m[1] + m[3]))
	if m[2] != "" && err == nil {
		n = 1000 * min(n, debate.MaxTokens)
	}
	switch {
	case err != nil || n > debate.MaxTokens:
		return 0, fmt.Errorf("the budget must be at most %d tokens", debate.MaxTokens)
	case n == 0:
		return 0, errors.New("the budget must be at least 1 token")
	}
	return n, nil
}

// FormatUSD returns an amount as ParseUSD reads it: in cents, or more precisely.
func FormatUSD(usd float64) string {
	cents, exact := strconv.FormatFloat(usd, 'f', 2, 64), strconv.FormatFloat(usd, 'f', -1, 64)
	if len(exact) > len(cents) {
		return exact
	}
	return cents
}

// MemberSpending sums the members' calls, without what a fork was begun with. Without any call
// the cost is zero.
func MemberSpending(s debate.Session) debate.Spending { return memberSpending(s, false) }

// InheritedSpending sums what a fork's rounds took before it was made, which is not its cost.
func InheritedSpending(s debate.Session) debate.Spending { return memberSpending(s, true) }

func memberSpending(s debate.Session, inherited bool) debate.Spending {
	sum := debate.Spending{Purpose: debate.ForMember, Cost: new(float64)}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.Inherited == inherited {
				sum = sum.Plus(x.Calls, x.Usage, x.Cost)
			}
		}
	}
	return sum
}

// TotalSpending returns what the session has cost, without what a fork was begun with.
func TotalSpending(s debate.Session) debate.Spending {
	sum := MemberSpending(s)
	sum.Purpose = ""
	for _, a := range s.AuxiliarySpending {
		sum = sum.Plus(a.Calls, a.Usage, a.Cost)
	}
	return sum
}
