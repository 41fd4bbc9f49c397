package debateview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// budgetInput is what the session is expected to cost, and limits that were typed
// but not set.
type budgetInput struct {
	left   budget.Forecast // of what is still to come
	next   budget.Forecast // of the next round
	usd    string
	tokens string
}

// forecast updates what the rest and the next round of a session are likely to cost.
func (b *budgetInput) forecast(s debate.Session) {
	b.left, b.next = budget.Estimate(s), budget.Forecast{}
	n := s.Next()
	if s.Status() == debate.Interrupted { // what is left of it
		n = len(s.History)
	}
	if n > 0 {
		b.next = budget.EstimateRound(s, n)
	}
}

// toCome says what the rest is likely to cost; "" if nothing is left or all is
// free.
func (v *sessionView) toCome() string {
	f := v.budget.left
	switch {
	case f.Calls.High == 0 || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return f.Thousands() + " tok to go"
	}
	return f.Price() + " to go"
}

// free reports whether the next round costs nothing since it runs on this
// machine.
func (v *sessionView) free() bool {
	f := v.budget.next
	included := slices.ContainsFunc(v.session.Seats, func(p agents.Profile) bool { return p.Included })
	return f.Calls.High > 0 && !v.session.Demo() && !included && f.USD != nil && f.USD.High == 0
}

// nextCosts is a sentence on what the next round, or the rest of an interrupted
// one, is likely to cost.
func (v *sessionView) nextCosts() string {
	f := v.budget.next
	switch {
	case f.Calls.High == 0 || v.session.Demo() || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return " It takes about " + f.Thousands() + " tok."
	case f.USD.High < 0.01:
		return " Cost: " + f.Price() + "."
	}
	return " Cost: about " + f.Price() + "."
}

// warned reports whether spending has passed the warning level.
func (v *sessionView) warned() bool {
	s := v.session
	at, spent := s.Budget.WarnAt, budget.TotalSpending(s)
	if at <= 0 {
		return false
	}
	return s.Budget.USD > 0 && spent.Cost != nil && *spent.Cost >= at*s.Budget.USD ||
		s.Budget.Tokens > 0 && float64(spent.Usage.Total()) >= at*float64(s.Budget.Tokens)
}

// askBudget asks for other limits, first in dollars, then in tokens. It begins with
// twice the present ones, or in tokens with what the rest is likely to take.
func (d *Debate) askBudget() screen.Outcome { return askBudgetFor(d, "") }

// askBudgetFor asks for other limits below a note that says why.
func askBudgetFor(d *Debate, why string) screen.Outcome {
	s, spent := d.session, "none set"
	if limit := s.Budget.USD; limit > 0 {
		spent = "?"
		if cost := budget.TotalSpending(s).Cost; cost != nil {
			spent = text.Money(*cost)
		}
		spent = fmt.Sprintf("%s of %s spent", spent, text.Price(&limit))
		d.budget.usd = cmp.Or(d.budget.usd, budget.FormatUSD(min(2*limit, debate.MaxUSD)))
	}
	p := promptFor("budget in dollars ("+spent+")", d.budget.usd, 40, &d.budget.usd, d.askTokens)
	p.Note, p.Hints[0] = why, "enter next: tokens"
	return screen.Outcome{p}
}

// askTokens asks for the limit in tokens, after that in dollars was typed.
func (d *Debate) askTokens(usd string) screen.Outcome {
	d.budget.usd = usd
	if _, err := limitOf(usd, budget.ParseUSD, 0); err != nil {
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	s, spent := d.session, "none set"
	if limit := s.Budget.Tokens; limit > 0 {
		spent = fmt.Sprintf("%s of %s spent", text.Number(budget.TotalSpending(s).Usage.Total()), text.Number(limit))
		enough := budget.TotalSpending(s).Usage.Total() + int(math.Ceil(d.budget.left.Tokens.High/1000))*1000
		d.budget.tokens = cmp.Or(d.budget.tokens, text.Number(min(max(2*limit, enough), debate.MaxTokens)))
	}
	p := promptFor("budget in tokens ("+spent+")", d.budget.tokens, 40, &d.budget.tokens, d.setBudget)
	if s.Verdict != nil {
		p.Hints[0] = fmt.Sprintf("enter save, run round %d", len(s.History)+1)
	}
	return screen.Outcome{p}
}

// limitOf returns a typed limit; without one the present limit stays.
func limitOf[T any](typed string, parse func(string) (T, error), present T) (T, error) {
	if typed == "" {
		return present, nil
	}
	return parse(typed)
}

// setBudget sets other limits. A session that has ended gets another round if the
// new budget allows it.
func (d *Debate) setBudget(tokens string) screen.Outcome {
	wanted := d.session
	usd := d.budget.usd
	var usdErr, tokensErr error
	wanted.Budget.USD, usdErr = limitOf(usd, budget.ParseUSD, wanted.Budget.USD)
	wanted.Budget.Tokens, tokensErr = limitOf(tokens, budget.ParseTokens, wanted.Budget.Tokens)
	if err := cmp.Or(usdErr, tokensErr); err != nil {
		d.budget.tokens = tokens
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	if wanted.Budget == d.session.Budget {
		d.budget.usd = ""
		return nil
	}
	if err := d.config.Player.Affords(wanted); err != nil {
		d.budget.tokens = tokens
		return screen.Tell(screen.Warning, screen.Sentence(err)+" Enter a larger budget.")
	}
	d.budget.usd = ""
	writer, more := d.config.Writer, d.session.Verdict != nil
	out := screen.Tell(screen.Success, fmt.Sprintf("Budget set to %s.", wanted.Budget))
	return append(out, d.plan(func(ctx context.Context, id string) (debate.Session, error) {
		s, err := writer.SetBudget(ctx, id, wanted.Budget)
		if err == nil && more {
			s, err = writer.AddRounds(ctx, id, 1)
		}
		return s, err
	})...)
}

// notAffordable asks for a larger budget if that is why a run did not begin; ok
// reports whether it is.
func (d *Debate) notAffordable(err error) (out screen.Outcome, ok bool) {
	var budget *debate.BudgetError
	var unpriced *debate.UnpricedError
	switch {
	case errors.As(err, &budget):
		return askBudgetFor(d, screen.Sentence(err)), true
	case errors.As(err, &unpriced):
		return screen.Tell(screen.Warning, screen.Sentence(err)), true
	}
	return nil, false
}
