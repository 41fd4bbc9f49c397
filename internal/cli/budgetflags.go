package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"roundtable/debate/budget"
)

// addBudgetFlags adds the flags of a budget. What names what the budget is for.
func addBudgetFlags(f *pflag.FlagSet, usd *float64, tokens *int, what string) {
	f.Var(amountFlag[float64]{usd, budget.ParseUSD, "dollars"}, "budget",
		"stop before the "+what+" costs more than this, such as 0.50")
	f.Var(amountFlag[int]{tokens, budget.ParseTokens, "tokens"}, "tokens",
		"stop before the "+what+" uses more tokens than this, such as 50k")
}

// amountFlag is a flag with an amount, read like the amounts of the interface.
type amountFlag[T float64 | int] struct {
	value *T
	parse func(string) (T, error)
	unit  string
}

// Set parses the amount.
func (a amountFlag[T]) Set(content string) (err error) {
	*a.value, err = a.parse(content)
	return err
}

// String returns the amount; "" if there is none.
func (a amountFlag[T]) String() string {
	if a.value == nil || *a.value == 0 {
		return ""
	}
	return fmt.Sprint(*a.value)
}

// Type returns the unit, for the help.
func (a amountFlag[T]) Type() string { return a.unit }
