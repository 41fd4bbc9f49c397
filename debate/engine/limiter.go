package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
)

// limiter keeps a session within its budget while several turns spend at once.
// What a call could take at most is held before it is sent and settled by what it
// took; a call that could pass a cap is not sent.
type limiter struct {
	budget    debate.Budget
	mu        sync.Mutex
	spent     amount
	reserved  amount
	pending   int           // calls under way
	changed   chan struct{} // closed when something is settled
	warned    bool
	exhausted bool // a call that the debate cannot do without was not sent
}

// amount is what calls take, counted as budgets are. Calls whose price is unknown
// count as tokens only.
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
	p := &limiter{budget: s.Budget, changed: make(chan struct{})}
	for _, r := range s.History {
		for _, x := range r.Responses {
			p.spent = p.spent.plus(amountOf(x.Usage, x.Cost))
		}
	}
	for _, a := range s.AuxiliarySpending {
		p.spent = p.spent.plus(amountOf(a.Usage, a.Cost))
	}
	for _, n := range s.Notices {
		p.warned = p.warned || n.Code == noticeBudgetWarning && strings.Contains(n.Text, warningSuffix(p.budget)) // of this cap, not of a smaller one
	}
	return p
}

const noticeBudgetWarning = "budget_warning"

// warningSuffix is how the notice goes on after what is spent.
func warningSuffix(b debate.Budget) string { return fmt.Sprintf(" of %s spent.", b) }

// slack is what is added to the estimate of an input, in hundredths: an estimate
// may be a fifth too low.
const inputMargin = 125

// worstCase is what a call could take at most. Scale is how many tokens the model reads
// for one that is estimated.
func worstCase(who agents.Profile, tokens int, scale float64) amount {
	u := agents.Usage{Input: int(float64(tokens)*max(scale, 1))*inputMargin/100 + 1, Output: who.MaxTokens}
	return amountOf(u, who.Cost(u))
}

// withinCaps reports whether a sum stays within the caps.
func (l *limiter) withinCaps(m amount) bool {
	return (l.budget.USD <= 0 || m.usd <= l.budget.USD) && (l.budget.Tokens <= 0 || m.tokens <= l.budget.Tokens)
}

// reserve sets aside what a call could take. While other calls hold what it lacks it
// waits for them, unless it is impatient; queued is told before. The error is a
// *agents.Failure for a call that must not be sent, or the context's.
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

// extend adds to what a call holds, as a try of it has failed that took something.
// Without vital, a refusal leaves the debate to go on; so does one that is due to
// what other calls hold and may not take.
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

// commit takes what a call has taken for what it held. It returns what is spent
// when that has passed the point of warning for the first time.
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

func (l *limiter) isExhausted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.exhausted
}

// totalSpent is what has been spent.
func (l *limiter) totalSpent() amount {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}

// allows reports whether a call could be sent that needs so much, when nothing is
// under way.
func (l *limiter) allows(m amount) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.withinCaps(l.spent.plus(m))
}

// refusal says why a call is not sent. The caller holds the lock.
func (l *limiter) refusal(m amount) error {
	return &agents.Failure{
		Kind:   agents.KindBudget,
		Cause:  fmt.Sprintf("The budget of %s does not allow this call: %s is spent, and it could take %s.", l.budget, l.spent.format(l.budget), m.format(l.budget)),
		Remedy: "Raise the budget to go on.",
	}
}

// format shows money as a budget counts it.
func (m amount) format(b debate.Budget) string {
	return b.Format(debate.Budget{USD: m.usd, Tokens: m.tokens})
}
