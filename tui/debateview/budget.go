package debateview

import (
	"context"
	"errors"
	"fmt"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// budgetInput is what the session is expected to cost, and a budget that was
// typed but not set.
type budgetInput struct {
	left  debate.Forecast // of what is still to come
	next  debate.Forecast // of the next round
	typed string          // a budget that was not sent off
}

// forecast updates what the rest and the next round are likely to cost.
func (v *sessionView) forecast() {
	v.budget.left, v.budget.next = v.session.Forecast(), debate.Forecast{}
	n := v.session.Next()
	if v.session.Status() == debate.Interrupted { // what is left of it
		n = len(v.session.History)
	}
	if n > 0 {
		v.budget.next = v.session.RoundForecast(n)
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
	return f.Calls.High > 0 && !v.session.Demo() && f.USD != nil && f.USD.High == 0
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
	at, spent := s.Budget.WarnAt, s.TotalSpending()
	if at <= 0 {
		return false
	}
	return s.Budget.USD > 0 && spent.Cost != nil && *spent.Cost >= at*s.Budget.USD ||
		s.Budget.Tokens > 0 && float64(spent.Usage.Total()) >= at*float64(s.Budget.Tokens)
}

// spent says how much of the budget is spent.
func (v *sessionView) spent() string {
	s := v.session
	spent := s.TotalSpending()
	switch {
	case s.Budget.USD > 0:
		return fmt.Sprintf("%s of %s spent", text.Price(spent.Cost), text.Price(&s.Budget.USD))
	case s.Budget.Tokens > 0:
		return fmt.Sprintf("%s of %s tok spent", text.Number(spent.Usage.Total()), text.Number(s.Budget.Tokens))
	}
	return "none set"
}

// askBudget asks for another budget. It begins with twice the present one.
func (d *Debate) askBudget() screen.Outcome {
	text := d.budget.typed
	if twice := d.session.Budget; text == "" && twice.Capped() {
		twice.USD, twice.Tokens = 2*twice.USD, 2*twice.Tokens
		text = twice.String()
	}
	return screen.Outcome{promptFor("budget ("+d.spent()+")", text, 40, &d.budget.typed, d.setBudget)}
}

// setBudget sets other caps. A session that has ended gets another round if the
// new budget allows it.
func (d *Debate) setBudget(text string) screen.Outcome {
	if text == "" {
		return nil
	}
	caps, err := debate.ParseBudget(text)
	if err != nil {
		d.budget.typed = text
		return screen.Tell(screen.Warning, screen.Sentence(err))
	}
	wanted := d.session
	wanted.Budget.USD, wanted.Budget.Tokens = caps.USD, caps.Tokens
	if err := d.config.Player.Affords(wanted); err != nil {
		d.budget.typed = text
		return screen.Tell(screen.Warning, screen.Sentence(err)+" Enter a larger budget.")
	}
	writer, more := d.config.Writer, d.session.Verdict != nil
	out := screen.Tell(screen.Success, fmt.Sprintf("Budget set to %s.", caps))
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
		return append(screen.Tell(screen.Warning, screen.Sentence(err)), d.askBudget()...), true
	case errors.As(err, &unpriced):
		return screen.Tell(screen.Warning, screen.Sentence(err)), true
	}
	return nil, false
}
