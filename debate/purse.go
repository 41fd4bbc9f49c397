package debate

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"roundtable/agents"
)

// purse keeps a session within its budget while several turns spend at once.
// What a call could take at most is held before it is sent and settled by what it
// took; a call that could pass a cap is not sent.
type purse struct {
	budget  Budget
	mu      sync.Mutex
	spent   money
	held    money
	holders int           // calls under way
	changed chan struct{} // closed when something is settled
	warned  bool
	refused bool // a call that the debate cannot do without was not sent
}

// money is what calls take, counted as budgets are. Calls whose price is unknown
// count as tokens only.
type money struct {
	usd    float64
	tokens int
}

func (m money) plus(n money) money  { return money{m.usd + n.usd, m.tokens + n.tokens} }
func (m money) minus(n money) money { return money{m.usd - n.usd, m.tokens - n.tokens} }

func moneyOf(u agents.Usage, cost *float64) money {
	m := money{tokens: u.Input + u.Output}
	if cost != nil {
		m.usd = *cost
	}
	return m
}

func newPurse(s Session) *purse {
	p := &purse{budget: s.Budget, changed: make(chan struct{})}
	for _, r := range s.History {
		for _, x := range r.Responses {
			p.spent = p.spent.plus(moneyOf(x.Usage, x.Cost))
		}
	}
	for _, a := range s.Aside {
		p.spent = p.spent.plus(moneyOf(a.Usage, a.Cost))
	}
	for _, n := range s.Notices {
		p.warned = p.warned || n.Code == noticeBudget && strings.Contains(n.Text, warning(p.budget)) // of this cap, not of a smaller one
	}
	return p
}

const noticeBudget = "budget_warning"

// warning is how the notice goes on after what is spent.
func warning(b Budget) string { return fmt.Sprintf(" of %s spent.", b) }

// slack is what is added to the estimate of an input, in hundredths: an estimate
// may be a fifth too low.
const slack = 125

// need is what a call could take at most. Scale is how many tokens the model reads
// for one that is estimated.
func need(who agents.Profile, tokens int, scale float64) money {
	u := agents.Usage{Input: int(float64(tokens)*max(scale, 1))*slack/100 + 1, Output: who.MaxTokens}
	return moneyOf(u, who.Cost(u))
}

// fits reports whether a sum stays within the caps.
func (p *purse) fits(m money) bool {
	return (p.budget.USD <= 0 || m.usd <= p.budget.USD) && (p.budget.Tokens <= 0 || m.tokens <= p.budget.Tokens)
}

// hold sets aside what a call could take. While other calls hold what it lacks it
// waits for them, unless it is impatient; queued is told before. The error is a
// *agents.Failure for a call that must not be sent, or the context's.
func (p *purse) hold(ctx context.Context, m money, patient bool, queued func()) error {
	for {
		p.mu.Lock()
		if p.fits(p.spent.plus(p.held).plus(m)) {
			p.held = p.held.plus(m)
			p.holders++
			p.mu.Unlock()
			return nil
		}
		if !patient || !p.fits(p.spent.plus(m)) || p.holders == 0 {
			defer p.mu.Unlock()
			p.refused = p.refused || patient
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

// more adds to what a call holds, as a try of it has failed that took something.
// Without vital, a refusal leaves the debate to go on; so does one that is due to
// what other calls hold and may not take.
func (p *purse) more(held, m money, vital bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.fits(p.spent.plus(p.held).plus(m)) {
		p.refused = p.refused || vital && !p.fits(p.spent.plus(held).plus(m))
		return p.refusal(m)
	}
	p.held = p.held.plus(m)
	return nil
}

// settle takes what a call has taken for what it held. It returns what is spent
// when that has passed the point of warning for the first time.
func (p *purse) settle(held, took money) (warn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.spent = p.held.minus(held), p.spent.plus(took)
	p.holders--
	close(p.changed)
	p.changed = make(chan struct{})
	if p.warned || p.budget.WarnAt <= 0 {
		return ""
	}
	b := p.budget
	if b.USD > 0 && p.spent.usd >= b.WarnAt*b.USD || b.Tokens > 0 && float64(p.spent.tokens) >= b.WarnAt*float64(b.Tokens) {
		p.warned = true
		return p.spent.in(b) + warning(b)
	}
	return ""
}

func (p *purse) stopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused
}

// total is what has been spent.
func (p *purse) total() money {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

// allows reports whether a call could be sent that needs so much, when nothing is
// under way.
func (p *purse) allows(m money) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fits(p.spent.plus(m))
}

// refusal says why a call is not sent. The caller holds the lock.
func (p *purse) refusal(m money) error {
	return &agents.Failure{
		Kind:   agents.KindBudget,
		Cause:  fmt.Sprintf("The budget of %s does not allow this call: %s is spent, and it could take %s.", p.budget, p.spent.in(p.budget), m.in(p.budget)),
		Remedy: "Raise the budget to go on.",
	}
}

// Brief is a failure's cause as it stands beside others in one line: a refusal by
// the budget without its figures, which are of one call alone.
func Brief(kind agents.Kind, cause string) string {
	if kind == agents.KindBudget {
		cause, _, _ = strings.Cut(cause, ": ")
	}
	return cause
}

// in shows money as a budget counts it.
func (m money) in(b Budget) string { return Budget{USD: m.usd, Tokens: m.tokens}.like(b) }

// Capped reports whether there is any cap.
func (b Budget) Capped() bool { return b.USD > 0 || b.Tokens > 0 }

// String shows the caps, such as "$0.10" or "$0.10 or 50000 tokens".
func (b Budget) String() string { return b.like(b) }

var (
	capOfUSD    = regexp.MustCompile(`^\$?\s*(\d+\.?\d*|\.\d+)$`)
	capOfTokens = regexp.MustCompile(`^(\d+\.?\d*)\s*(k?)\s*tok(?:ens?)?$`)
	capsApart   = regexp.MustCompile(`\s+or\s+|\s*,\s*`)
)

// ParseCaps reads caps as String writes them, such as "$0.10", "0.10", "50000
// tokens", "50k tok" or "$0.10 or 50000 tokens".
func ParseCaps(text string) (Budget, error) {
	var b Budget
	refused := fmt.Errorf("%q is no budget; write it as $0.50, 50000 tokens, or $0.50 or 50000 tokens", text)
	for _, part := range capsApart.Split(strings.TrimSpace(text), -1) {
		usd, tokens := capOfUSD.FindStringSubmatch(part), capOfTokens.FindStringSubmatch(part)
		switch {
		case usd != nil && b.USD == 0:
			b.USD = number(usd[1])
		case tokens != nil && b.Tokens == 0:
			n := number(tokens[1])
			if tokens[2] != "" {
				n *= 1000
			}
			b.Tokens = int(min(n, 1e12))
		default:
			return Budget{}, refused
		}
	}
	if !b.Capped() {
		return Budget{}, refused
	}
	return b, nil
}

// number reads digits with a point among them.
func number(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // there are more of them than any budget has
		return math.MaxFloat64
	}
	return f
}

// like shows what the caps of another budget are about.
func (b Budget) like(caps Budget) string {
	usd, tokens := dollars(b.USD), fmt.Sprintf("%d tokens", b.Tokens)
	switch {
	case caps.USD > 0 && caps.Tokens > 0:
		return usd + " or " + tokens
	case caps.Tokens > 0:
		return tokens
	default:
		return usd
	}
}

// USD writes what something has cost: in cents, a few of them more finely.
func USD(usd float64) string {
	switch {
	case usd > 0 && usd < 0.0005:
		return "<$0.001"
	case usd > 0 && usd < 0.00995:
		return fmt.Sprintf("$%.3f", usd)
	default:
		return fmt.Sprintf("$%.2f", usd)
	}
}

// dollars writes a sum that is compared with a cap; what is not whole cents finely
// enough to see the difference.
func dollars(usd float64) string {
	switch cents := usd * 100; {
	case usd >= 1 || math.Abs(cents-math.Round(cents)) < 1e-9:
		return USD(usd)
	case usd < 0.01:
		return fmt.Sprintf("$%.4f", usd)
	default:
		return fmt.Sprintf("$%.3f", usd)
	}
}

// output is how long one answer may be under a budget, where its speaker has no
// limit: without one nobody could say what a call may take.
func (b Budget) output() int {
	if b.MaxOutput > 0 {
		return b.MaxOutput
	}
	return defaultOutput
}

const defaultOutput = 4096

// Speaker returns a profile as it is asked in this session: under a budget every
// answer has a limit.
func (s Session) Speaker(p agents.Profile) agents.Profile {
	if p.MaxTokens == 0 && s.Budget.Capped() {
		p.MaxTokens = s.Budget.output()
	}
	return p
}

// UnpricedError refuses a budget in USD for speakers whose prices are unknown.
type UnpricedError struct{ Speakers []agents.Profile }

// Error names the speakers and what to do.
func (e *UnpricedError) Error() string {
	names := ""
	for i, p := range e.Speakers {
		if i > 0 {
			names += ", "
		}
		names += fmt.Sprintf("%s (%s, %s)", p.Name, p.Model, p.Provider)
	}
	return "a budget in USD needs prices, and these are unknown: " + names + ". Set price_in and price_out of them, or a budget in tokens as well."
}

// CheckBudget returns an *UnpricedError where the budget could not be held.
func (s Session) CheckBudget() error {
	if s.Budget.USD <= 0 || s.Budget.Tokens > 0 {
		return nil
	}
	e := &UnpricedError{}
	for _, p := range s.Speakers() {
		if p.PriceIn == nil || p.PriceOut == nil {
			e.Speakers = append(e.Speakers, p)
		}
	}
	if len(e.Speakers) == 0 {
		return nil
	}
	return e
}

// Speakers returns all who may be asked in the session.
func (s Session) Speakers() []agents.Profile {
	out := append([]agents.Profile(nil), s.Seats...)
	for _, p := range []*agents.Profile{s.Chair, s.Light} {
		if p != nil {
			out = append(out, *p)
		}
	}
	return out
}
