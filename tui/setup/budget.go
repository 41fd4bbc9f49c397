package setup

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// The values that the arrow keys step through; "" means no limit.
var (
	usdSteps    = []string{"", "0.10", "0.25", "0.50", "1.00", "2.00", "5.00", "10.00", "20.00", "50.00"}
	tokensSteps = []string{"", "10,000", "25,000", "50,000", "100,000", "250,000", "500,000", "1,000,000"}
)

// maxAmount is the largest length of a typed amount in characters.
const maxAmount = 40

// amount is a field with a limit of the budget.
type amount struct {
	text    string
	stepped bool // it was not typed: the first character replaces it
}

// amountAt returns the limit of a field; nil if the field has none.
func (f *Form) amountAt(at field) *amount {
	switch at {
	case fieldBudget:
		return &f.usd
	case fieldTokens:
		return &f.tokens
	default:
		return nil
	}
}

// optional returns what parse does with a typed text; without one there is no limit.
func optional[T any](content string, parse func(string) (T, error)) (T, error) {
	if content == "" {
		var none T
		return none, nil
	}
	return parse(content)
}

// budget returns the typed limits. If one is invalid, it returns an error and its field.
func (f *Form) budget() (usd float64, tokens int, at field, err error) {
	if usd, err = optional(f.usd.text, budget.ParseUSD); err != nil {
		return 0, 0, fieldBudget, err
	}
	tokens, err = optional(f.tokens.text, budget.ParseTokens)
	return usd, tokens, fieldTokens, err
}

// stepBudget selects the next larger limit of a field, or with -1 the next smaller one.
// An invalid one counts as none.
func (f *Form) stepBudget(at field, n int) {
	a := f.amountAt(at)
	if at == fieldTokens {
		*a = amount{nextStep(a.text, tokensSteps, n, budget.ParseTokens), true}
		return
	}
	*a = amount{nextStep(a.text, usdSteps, n, budget.ParseUSD), true}
}

// nextStep returns the step above an amount, or with -1 the one below.
func nextStep[T int | float64](present string, steps []string, n int, parse func(string) (T, error)) string {
	now, _ := optional(present, parse)
	value := func(step string) T {
		v, _ := optional(step, parse)
		return v
	}
	if n > 0 {
		if i := slices.IndexFunc(steps, func(s string) bool { return value(s) > now }); i >= 0 {
			return steps[i]
		}
		return steps[len(steps)-1]
	}
	next := steps[0]
	for _, s := range steps {
		if value(s) < now {
			next = s
		}
	}
	return next
}

// shownAmount returns a limit as it is drawn.
func (f *Form) shownAmount(at field) string {
	content := f.amountAt(at).text
	if at == fieldBudget && content != "" && strings.Contains(".0123456789", content[:1]) {
		return "$" + content
	}
	return content
}

// amountLine draws a limit. If it is invalid, the line says how to write it.
func (v *layout) amountLine(at field, label, none string, err error) {
	th, content, note := v.valueTheme(at), v.shownAmount(at), v.th.Faint.Render("never exceeded")
	switch {
	case content == "":
		content, note = "none", v.th.Faint.Render(none)
	case err != nil:
		note = v.th.Warning.Render(text.Line(err.Error()))
	}
	width := max(ansi.StringWidth(content)+1, 10)
	v.addField(at, label, v.th.Truncate(th.Columns(theme.Column{Text: content, Width: width, Style: th.Text})+note, v.room()))
}

// assumedLine stands for the lines of files that were found but not read yet.
const assumedLine = "A line of text as files have them.\n"

// seatPrice says what a seat is likely to cost; nil is unknown.
func seatPrice(o SeatOption, c *float64) string {
	switch {
	case o.Profile.Provider == debate.DemoProvider:
		return "scripted, free"
	case o.Profile.Included:
		return "included"
	case o.Local && c == nil:
		return "local, price ?"
	case o.Local && *c == 0:
		return "local, free"
	case c == nil:
		return "price ?"
	case *c == 0:
		return "about free"
	default:
		return "about " + text.Money(*c)
	}
}
