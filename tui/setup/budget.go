package setup

import (
	"fmt"
	"strconv"
	"strings"
)

// budgets are the values that the arrow keys step through; "" means no budget.
var budgets = []string{"", "0.10", "0.25", "0.50", "1.00", "2.00", "5.00", "10.00", "20.00", "50.00"}

// nextBudget returns the next larger budget, or with -1 the next smaller one.
func nextBudget(budget string, n int) string {
	usd, _ := parseBudget(budget) // an invalid amount counts as none
	at := 0
	for i, b := range budgets {
		if v, _ := parseBudget(b); v < usd || v == usd && n > 0 {
			at = i
		}
	}
	if n > 0 {
		at = min(at+1, len(budgets)-1)
	}
	return budgets[at]
}

// formatAmount returns an amount as it would be typed: in cents, or more precisely if
// needed.
func formatAmount(usd float64) string {
	cents, exact := strconv.FormatFloat(usd, 'f', 2, 64), strconv.FormatFloat(usd, 'f', -1, 64)
	if len(exact) > len(cents) {
		return exact
	}
	return cents
}

// parseBudget parses an amount; "" is no budget.
func parseBudget(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	var usd float64
	if _, err := fmt.Sscanf(s, "%f", &usd); err != nil || usd <= 0 {
		return 0, fmt.Errorf("the budget %q is not an amount; write 0.50, or leave it empty for no limit", s)
	}
	return usd, nil
}

// typeBudget types a key into the budget.
func (f *Form) typeBudget(k string) {
	typed := f.budget
	if f.budgetStepped {
		typed = ""
	}
	switch {
	case k == "backspace" && f.budget != "":
		f.budget = f.budget[:len(f.budget)-1]
	case len(k) == 1 && (k[0] >= '0' && k[0] <= '9' || k == "." && !strings.Contains(typed, ".")) && len(typed) < 8:
		f.budget = typed + k
	default:
		return
	}
	f.budgetStepped = false
}
