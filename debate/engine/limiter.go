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
// request is sent the most that it could cost is reserved; when it ends, what it did
// cost is committed instead. A request is sent only if what was committed, what is
// reserved and what it could cost itself are within the budget together.
type limiter struct {
	budget    debate.Budget
	mu        sync.Mutex
	spent     amount
	reserved  amount
	pending   int           // requests under way
	changed   chan struct{} // closed when a reservation ends
	warned    bool
	exhausted bool // a request that the debate needs was refused
}

// amount is a cost in the units of budgets. Calls with an unknown price count as tokens
// only.
type amount struct {
	usd    float64
	tokens int
}

func (m amount) plus(n amount) amount  { return amount{m.usd + n.usd, m.tokens + n.tokens} }
func (m amount) minus(n amount) amount { return amount{m.usd - n.usd, m.tokens - n.tokens} }

func (m amount) exceeds(n amount) bool { return m.usd > n.usd || m.tokens > n.tokens }

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
			if !x.Inherited {
				l.spent = l.spent.plus(amountOf(x.Usage, x.Cost))
			}
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

// reserve reserves the amount m. If others hold what is missing and wait is set, it
// calls queued and waits for them. The error is an *agents.Failure if the request must
// not be sent, or the context's.
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

// commit replaces a reservation by what was used. It returns what to tell the user: that
// the warning threshold is reached, once, and that the budget is passed, once and
// whenever another request takes more than was reserved for it.
func (l *limiter) commit(reserved, used amount) (warning, passed string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before, b := l.spent, l.budget
	l.reserved, l.spent = l.reserved.minus(reserved), l.spent.plus(used)
	l.pending--
	close(l.changed)
	l.changed = make(chan struct{})
	if !l.withinCaps(l.spent) && (l.withinCaps(before) || used.exceeds(reserved)) {
		passed = fmt.Sprintf("The budget of %s is passed, since a call took more than was reserved for it: %s spent.", b, l.spent.format(b))
	}
	if l.warned || b.WarnAt <= 0 {
		return "", passed
	}
	if b.USD > 0 && l.spent.usd >= b.WarnAt*b.USD || b.Tokens > 0 && float64(l.spent.tokens) >= b.WarnAt*float64(b.Tokens) {
		l.warned = true
		return l.spent.format(b) + warningSuffix(b), passed
	}
	return "", passed
}

// exhaust records that a request that the debate needs was refused.
func (l *limiter) exhaust() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.exhausted = true
}

// isExhausted reports whether a request that the debate needs was refused.
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

// allows reports whether the budget allows an amount if no request is under way.
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
