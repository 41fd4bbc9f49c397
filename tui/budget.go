package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/picker"
)

// funds is what is known of the money of the open session.
type funds struct {
	left  debate.Forecast // of what is still to come
	next  debate.Forecast // of the next round
	typed string          // a budget that was not sent off
}

// foresee looks ahead anew, since something was said or answered.
func (b *board) foresee() {
	b.funds.left, b.funds.next = b.session.Forecast(), debate.Forecast{}
	n := b.session.Next()
	if b.session.Status() == debate.Interrupted { // what is left of it
		n = len(b.session.History)
	}
	if n > 0 {
		b.funds.next = b.session.RoundForecast(n)
	}
}

// toCome says what the rest is likely to cost; "" where nothing is to come, or
// nothing is paid.
func (b *board) toCome() string {
	f := b.funds.left
	switch {
	case f.Calls.High == 0 || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return fmt.Sprintf("%.0fk-%.0fk tok to come", f.Tokens.Low/1000, f.Tokens.High/1000+0.5)
	}
	return f.Price() + " to come"
}

// free reports whether what comes next costs nothing, since it runs on this machine.
func (b *board) free() bool {
	f := b.funds.next
	return f.Calls.High > 0 && !b.session.Demo() && f.USD != nil && f.USD.High == 0
}

// nextCosts says what the next round, or the rest of one, is likely to cost, as a
// sentence.
func (b *board) nextCosts() string {
	f := b.funds.next
	switch {
	case f.Calls.High == 0 || b.session.Demo() || f.USD != nil && f.USD.High == 0:
		return ""
	case f.USD == nil:
		return fmt.Sprintf(" It needs about %.0fk-%.0fk tok.", f.Tokens.Low/1000, f.Tokens.High/1000+0.5)
	case f.USD.High < 0.01:
		return " It needs " + f.Price() + "."
	}
	return " It needs about " + f.Price() + "."
}

// warned reports whether so much is spent that the user was told.
func (b *board) warned() bool {
	s := b.session
	at, spent := s.Budget.WarnAt, s.TotalSpending()
	if at <= 0 {
		return false
	}
	return s.Budget.USD > 0 && spent.Cost != nil && *spent.Cost >= at*s.Budget.USD ||
		s.Budget.Tokens > 0 && float64(spent.Usage.Input+spent.Usage.Output) >= at*float64(s.Budget.Tokens)
}

// askBudget lets the user type another budget. What has been spent stays counted.
func (m *Model) askBudget() tea.Cmd {
	b := m.board
	s := b.session
	text := b.funds.typed
	if twice := s.Budget; text == "" && twice.Capped() {
		twice.USD, twice.Tokens = 2*twice.USD, 2*twice.Tokens
		text = twice.String()
	}
	return m.promptFor("budget, "+b.spentOf(), text, 40, &b.funds.typed, (*Model).setBudget)
}

// spentOf says how much of the budget is spent.
func (b *board) spentOf() string {
	s := b.session
	spent := s.TotalSpending()
	switch {
	case s.Budget.USD > 0:
		return fmt.Sprintf("%s of %s spent", picker.Money(spent.Cost), picker.Money(&s.Budget.USD))
	case s.Budget.Tokens > 0:
		return fmt.Sprintf("%s of %s tok spent", grouped(spent.Usage.Input+spent.Usage.Output), grouped(s.Budget.Tokens))
	}
	return "none now"
}

func noBudget(m *Model) string {
	if m.running() {
		return "A round is running; its budget can be changed when it is done."
	}
	return ""
}

// setBudget gives the session other caps. One that has ended gets a round more, if
// they allow any of it.
func (m *Model) setBudget(text string) tea.Cmd {
	b := m.board
	if text == "" {
		return nil
	}
	caps, err := debate.ParseBudget(text)
	if err != nil {
		b.funds.typed = text
		m.tell(urgently, sentence(err))
		return nil
	}
	wanted := b.session
	wanted.Budget.USD, wanted.Budget.Tokens = caps.USD, caps.Tokens
	desk, affords, more := m.deps.Desk, m.deps.Player.Affords(wanted), b.session.Verdict != nil
	if affords != nil {
		b.funds.typed = text
		m.tell(urgently, sentence(affords)+" More of it is needed.")
		return nil
	}
	m.tell(gladly, fmt.Sprintf("The budget is %s now.", caps))
	return m.plan(func(ctx context.Context, id string) (debate.Session, error) {
		s, err := desk.SetBudget(ctx, id, wanted.Budget)
		if err == nil && more {
			s, err = desk.AddRounds(ctx, id, 1)
		}
		return s, err
	})
}

// tooPoor asks for more where the budget is why a run did not begin. It reports
// whether that is so.
func (m *Model) tooPoor(err error) (tea.Cmd, bool) {
	var poor *debate.BudgetError
	var unpriced *debate.UnpricedError
	switch {
	case errors.As(err, &poor):
		m.board.paused = true
		m.tell(urgently, sentence(err))
		return m.askBudget(), true
	case errors.As(err, &unpriced):
		m.board.paused = true
		m.tell(urgently, sentence(err))
		return nil, true
	}
	return nil, false
}
