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
func (p *limiter) withinCaps(m amount) bool {
	return (p.budget.USD <= 0 || m.usd <= p.budget.USD) && (p.budget.Tokens <= 0 || m.tokens <= p.budget.Tokens)
}

// reserve sets aside what a call could take. While other calls hold what it lacks it
// waits for them, unless it is impatient; queued is told before. The error is a
// *agents.Failure for a call that must not be sent, or the context's.
func (p *limiter) reserve(ctx context.Context, m amount, patient bool, queued func()) error {
	for {
		p.mu.Lock()
		if p.withinCaps(p.spent.plus(p.reserved).plus(m)) {
			p.reserved = p.reserved.plus(m)
			p.pending++
			p.mu.Unlock()
			return nil
		}
		if !patient || !p.withinCaps(p.spent.plus(m)) || p.pending == 0 {
			defer p.mu.Unlock()
			p.exhausted = p.exhausted || patient
			return p.refusal(m)
		}
		changed := p.changed
		p.mu.Unlock()
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
func (p *limiter) extend(held, m amount, vital bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.withinCaps(p.spent.plus(p.reserved).plus(m)) {
		p.exhausted = p.exhausted || vital && !p.withinCaps(p.spent.plus(held).plus(m))
		return p.refusal(m)
	}
	p.reserved = p.reserved.plus(m)
	return nil
}

// commit takes what a call has taken for what it held. It returns what is spent
// when that has passed the point of warning for the first time.
func (p *limiter) commit(held, took amount) (warn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reserved, p.spent = p.reserved.minus(held), p.spent.plus(took)
	p.pending--
	close(p.changed)
	p.changed = make(chan struct{})
	if p.warned || p.budget.WarnAt <= 0 {
		return ""
	}
	b := p.budget
	if b.USD > 0 && p.spent.usd >= b.WarnAt*b.USD || b.Tokens > 0 && float64(p.spent.tokens) >= b.WarnAt*float64(b.Tokens) {
		p.warned = true
		return p.spent.format(b) + warningSuffix(b)
	}
	return ""
}

func (p *limiter) isExhausted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exhausted
}

// totalSpent is what has been spent.
func (p *limiter) totalSpent() amount {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// allows reports whether a call could be sent that needs so much, when nothing is
// under way.
func (p *limiter) allows(m amount) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.withinCaps(p.spent.plus(m))
}

// refusal says why a call is not sent. The caller holds the lock.
func (p *limiter) refusal(m amount) error {
	return &agents.Failure{
		Kind:   agents.KindBudget,
		Cause:  fmt.Sprintf("The budget of %s does not allow this call: %s is spent, and it could take %s.", p.budget, p.spent.format(p.budget), m.format(p.budget)),
		Remedy: "Raise the budget to go on.",
	}
}

// format shows money as a budget counts it.
func (m amount) format(b debate.Budget) string {
	return b.Format(debate.Budget{USD: m.usd, Tokens: m.tokens})
}
