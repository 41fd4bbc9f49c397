package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
)

// limiter keeps a session within its budget while several turns spend at once. Before a
// call is sent the most that it could cost is reserved; when it ends, what it did cost
// is committed. A call that could exceed the budget is not sent.
type limiter struct {
	budget    debate.Budget
	mu        sync.Mutex
	spent     amount
	reserved  amount
	pending   int           // calls under way
	changed   chan struct{} // closed when a reservation ends
	warned    bool
	exhausted bool // a call that the debate needs was refused
}

// amount is a cost in the units of budgets. Calls with an unknown price count as tokens
// only.
type amount struct {
	usd    float64
	tokens int
}

func (m amount) plus(n amount) amount  { return amount{m.usd + n.usd, m.tokens + n.tokens} }
func (m amount) minus(n amount) amount { return amount{m.usd - n.usd, m.tokens - n.tokens} }

func amountOf(u agents.Usage, cost *float64) amount {
	m := amount{tokens: u.Input + u.Output}
	if cost != nil {
		m.usd = *cost
	}
	return m
}

func newLimiter(s debate.Session) *limiter {
	l := &limiter{budget: s.Budget, changed: make(chan struct{})}
	for _, r := range s.History {
		for _, x := range r.Responses {
			l.spent = l.spent.plus(amountOf(x.Usage, x.Cost))
		}
	}
	for _, a := range s.AuxiliarySpending {
		l.spent = l.spent.plus(amountOf(a.Usage, a.Cost))
	}
	for _, n := range s.Notices {
		l.warned = l.warned || n.Code == noticeBudgetWarning && strings.Contains(n.Text,
			warningSuffix(l.budget)) // of this budget, not of a smaller one
	}
	return l
}

const noticeBudgetWarning = "budget_warning"

// warningSuffix is what the notice of a warning says after the amount.
func warningSuffix(b debate.Budget) string { return fmt.Sprintf(" of %s spent.", b) }

// inputMargin scales the estimate of an input, in percent: an estimate may be a fifth
// too low.
const inputMargin = 125

// worstCase returns the most that a call could cost. Scale is the number of tokens that
// the model reads for each estimated one.
func worstCase(who agents.Profile, tokens int, scale float64) amount {
	u := agents.Usage{Input: int(float64(tokens)*max(scale, 1))*inputMargin/100 + 1, Output: who.MaxTokens}
	return amountOf(u, who.Cost(u))
}

// withinCaps reports whether a sum stays within the budget.
func (l *limiter) withinCaps(m amount) bool {
	return (l.budget.USD <= 0 || m.usd <= l.budget.USD) && (l.budget.Tokens <= 0 || m.tokens <= l.budget.Tokens)
}

// reserve reserves the amount m. If other calls hold what is missing and wait is set, it
// calls queued and waits for them. The error is an *agents.Failure if the call must not
// be sent, or the context's.
func (l *limiter) reserve(ctx context.Context, m amount, wait bool, queued func()) error {
	for {
		l.mu.Lock()
		if l.withinCaps(l.spent.plus(l.reserved).plus(m)) {
			l.reserved = l.reserved.plus(m)
			l.pending++
			l.mu.Unlock()
			return nil
		}
		if !wait || !l.withinCaps(l.spent.plus(m)) || l.pending == 0 {
			defer l.mu.Unlock()
			l.exhausted = l.exhausted || wait
			return l.refusal(m)
		}
		changed := l.changed
		l.mu.Unlock()
		queued()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// extend adds m to the reservation of a call whose try failed at a cost. A refusal marks
// the budget as exhausted only if the call is vital and other reservations are not the
// reason.
func (l *limiter) extend(reserved, m amount, vital bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.withinCaps(l.spent.plus(l.reserved).plus(m)) {
		l.exhausted = l.exhausted || vital && !l.withinCaps(l.spent.plus(reserved).plus(m))
		return l.refusal(m)
	}
	l.reserved = l.reserved.plus(m)
	return nil
}

// commit replaces a reservation by what was used. It returns the amount spent when that
// reaches the warning threshold for the first time.
func (l *limiter) commit(reserved, used amount) (warn string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved, l.spent = l.reserved.minus(reserved), l.spent.plus(used)
	l.pending--
	close(l.changed)
	l.changed = make(chan struct{})
	if l.warned || l.budget.WarnAt <= 0 {
		return ""
	}
	b := l.budget
	if b.USD > 0 && l.spent.usd >= b.WarnAt*b.USD || b.Tokens > 0 && float64(l.spent.tokens) >= b.WarnAt*float64(b.Tokens) {
		l.warned = true
		return l.spent.format(b) + warningSuffix(b)
	}
	return ""
}

// isExhausted reports whether a call that the debate needs was refused.
func (l *limiter) isExhausted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.exhausted
}

// totalSpent returns what has been spent.
func (l *limiter) totalSpent() amount {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}

// allows reports whether the budget allows an amount if no call is under way.
func (l *limiter) allows(m amount) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.withinCaps(l.spent.plus(m))
}

// refusal returns why a call is not sent. The caller holds the lock.
func (l *limiter) refusal(m amount) error {
	return &agents.Failure{
		Kind: agents.KindBudget,
		Cause: fmt.Sprintf("The budget of %s does not allow this call: %s spent so far, and it could use up to %s.", l.budget,
			l.spent.format(l.budget), m.format(l.budget)),
		Remedy: "Raise the budget to continue.",
	}
}

// format formats an amount in the units of a budget.
func (m amount) format(b debate.Budget) string {
	return b.Format(debate.Budget{USD: m.usd, Tokens: m.tokens})
}
