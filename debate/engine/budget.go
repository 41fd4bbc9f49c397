package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/prompt"
	"roundtable/internal/text"
)

// reserve reserves what the next request may cost. It waits until other requests release
// what is missing; a summary or a JSON block is not worth waiting.
func (tr *turnRecorder) reserve(ctx context.Context) error {
	who := tr.speaker
	who.MaxTokens = max(who.MaxTokens, tr.outputLimit, tr.limiter.longest(who))
	m := worstCase(who, tr.inputEstimate, budget.TokenScale(tr.current(), who, tr.response.Turn.Round))
	worthWaiting := tr.response.Turn.Step != debate.SummaryStep && tr.block == nil
	waited := false
	err := tr.limiter.reserve(ctx, m, worthWaiting, func() {
		waited = true
		tr.emit(debate.TurnQueued{Turn: tr.response.Turn, Budget: true})
	})
	if _, refused := errors.AsType[*agents.Failure](err); refused && tr.purpose == debate.ForMember && tr.block == nil {
		tr.limiter.exhausted.Store(true)
	}
	if err != nil {
		return err
	}
	tr.reserved = &m
	if waited {
		tr.emit(debate.TurnQueued{Turn: tr.response.Turn})
	}
	return nil
}

// beginRetry commits what a failed try cost, records the wait before the next one,
// announces that, and reserves what it may cost.
func (tr *turnRecorder) beginRetry(ctx context.Context, r agents.Retry) error {
	save, lost := context.WithoutCancel(ctx), agents.Usage{}
	if r.Failed != nil && tr.reserved != nil {
		lost = r.Failed.Took(tr.inputEstimate)
	}
	took := lost != agents.Usage{}
	if took {
		tr.commitReservation(save, lost)
		tr.lost = tr.lost.Add(lost)
	}
	if r.Failed == nil && !tr.waits { // it waits for another request's provider before it is sent
		tr.tries--
	}
	tr.waits = true
	retry := debate.CallRetry{Tries: tr.tries, Lost: tr.lost, Cost: tr.speaker.Cost(tr.lost)}
	if r.In > 0 {
		retry.Until = tr.Now().Add(r.In)
		tr.response.WaitUntil = retry.Until
	}
	err := tr.Recorder.RetryCall(save, tr.response.Turn, tr.completions, retry)
	if err := tr.checkStore("record a failed try", err); err != nil {
		return err
	}
	tr.emit(debate.TurnRetrying{Turn: tr.response.Turn, Retry: r, At: tr.Now()})
	if !took {
		return nil
	}
	return tr.reserve(ctx)
}

// closeCall counts a call that is over, of whose tries the last one used so much. It returns
// what all of them used.
func (tr *turnRecorder) closeCall(ctx context.Context, last agents.Usage) agents.Usage {
	tr.commitReservation(ctx, last)
	all := tr.lost.Add(last)
	tr.response.Usage = tr.response.Usage.Add(all)
	tr.response.Calls += max(1, tr.tries) - 1
	tr.tries, tr.waits, tr.lost = 0, false, agents.Usage{}
	return all
}

// commitReservation commits what a request used, if one is under way.
func (tr *turnRecorder) commitReservation(ctx context.Context, u agents.Usage) {
	if tr.reserved == nil {
		return
	}
	cause := "a call took more than was reserved for it"
	if limit := tr.outputLimit; isLonger(u.Output, limit) {
		cause = fmt.Sprintf("the server of %s ignores max_tokens, and an answer has %d tokens where %d were allowed",
			text.Line(tr.speaker.Name), u.Output, limit)
		tr.limiter.exceeded(tr.speaker, u.Output)
	}
	warning, passed := tr.limiter.commit(*tr.reserved, amountOf(u, tr.speaker.Cost(u)), cause)
	tr.reserved = nil
	if passed != "" {
		tr.note(ctx, debate.Notice{Code: "budget_passed", Text: passed, Round: tr.response.Turn.Round})
	}
	if warning != "" {
		tr.note(ctx, debate.Notice{Code: noticeBudgetWarning, Text: warning, Round: tr.response.Turn.Round})
	}
}

// affords returns a *BudgetError, with what the smallest call could take, if the budget allows no
// call of the next round. The prompts are those of now; what is said in the round only makes
// them longer.
func (r *runner) affords(s debate.Session) error {
	if !s.Budget.Capped() {
		return nil
	}
	snap, err := prompt.NextSnapshot(s)
	if err != nil {
		return nil // beginning the round says why
	}
	var in tools.Workspaces
	if s.Workspace.Dir != "" {
		in = unopened{}
	}
	kit, err := r.toolkit(in, snap, debate.Step{})
	if err != nil {
		return nil
	}
	s = s.Upcoming()
	specs := agents.ToolTokens(kit.Specs())
	needed := amount{USD: math.Inf(1), Tokens: math.MaxInt}
	for _, step := range s.Mode.Steps(s.SeatIDs(), snap.Round, snap.Rounds) {
		for _, id := range step.Seats {
			who, _ := s.Seat(id)
			who = s.WithOutputLimit(who)
			fit, _ := prompt.MemberFitter(s, snap, step, who, specs).Fit(s, nil)
			call := worstCase(who, fit.Tokens, budget.TokenScale(s, who, snap.Round))
			if r.limiter.allows(call) {
				return nil
			}
			needed = amount{USD: min(needed.USD, call.USD), Tokens: min(needed.Tokens, call.Tokens)}
		}
	}
	return &debate.BudgetError{Budget: s.Budget, Spent: debate.Budget(r.limiter.totalSpent()), Needed: debate.Budget(needed)}
}

func (r *runner) stopByBudget(ctx context.Context) error {
	s := r.current()
	next, err := r.Recorder.Stop(ctx, s.ID, debate.StoppedByBudget)
	if err != nil {
		return fmt.Errorf("stop the debate: %w", err)
	}
	r.update(func(debate.Session) debate.Session { return next })
	r.note(ctx, debate.Notice{Code: "budget", Round: s.Current().Number, Text: fmt.Sprintf("Stopped by the budget at %s of %s.",
		r.limiter.totalSpent().format(s.Budget), s.Budget)})
	return nil
}

// limiter keeps a session within its budget while several turns spend at once. Before a
// request is sent the most that it could cost is reserved; when it ends, what it did
// cost is committed instead. A request is sent only if what was committed, what is
// reserved and what it could cost itself are within the budget together.
type limiter struct {
	budget    debate.Budget
	mu        sync.Mutex
	spent     amount
	reserved  amount
	pending   int       // requests under way
	waiting   []*waiter // for what others hold, in the order in which they are let in
	warned    bool
	exhausted atomic.Bool // a request that the debate needs was refused

	answers map[string]int // tokens of the longest one of models whose servers ignore max_tokens
}

// longest returns how many tokens an answer of a model had that was longer than max_tokens
// allows, 0 if there was none.
func (l *limiter) longest(p agents.Profile) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.answers[p.Provider+"/"+p.Model]
}

func (l *limiter) exceeded(p agents.Profile, tokens int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := p.Provider + "/" + p.Model
	l.answers[k] = max(l.answers[k], tokens)
}

type waiter struct {
	amount  amount
	decided chan error // receives nil once the amount is reserved, or why it cannot be
}

// amount is a cost in the units of budgets. Calls with an unknown price count as tokens
// only.
type amount debate.Budget

func (m amount) plus(n amount) amount { return amount{USD: m.USD + n.USD, Tokens: m.Tokens + n.Tokens} }

func (m amount) exceeds(n amount) bool { return m.USD > n.USD || m.Tokens > n.Tokens }

func amountOf(u agents.Usage, cost *float64) amount {
	m := amount{Tokens: u.Input + u.Output}
	if cost != nil {
		m.USD = *cost
	}
	return m
}

func newLimiter(s debate.Session) *limiter {
	l := &limiter{budget: s.Budget, answers: map[string]int{}}
	for _, r := range s.History {
		asked := s.AsOf(r.Number)
		for _, x := range r.Responses {
			if !x.Inherited {
				l.spent = l.spent.plus(amountOf(x.Usage, x.Cost))
			}
			who, n := asked.Seat(x.Turn.Agent)
			if limit := s.WithOutputLimit(who).MaxTokens; n > 0 && x.Calls > 0 && isLonger(x.Usage.Output/x.Calls, limit) {
				l.exceeded(who, x.Usage.Output/x.Calls)
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

// isLonger reports whether an answer has so many more tokens than its limit, if there is one, that
// its server ignores that. What was not counted is estimated, hence the margin.
func isLonger(tokens, limit int) bool { return limit > 0 && tokens > limit+limit/4 }

// worstCase returns the most that a call could cost. Scale is the number of tokens that
// the model reads for each estimated one.
func worstCase(who agents.Profile, tokens int, scale float64) amount {
	u := agents.Usage{Input: int(float64(tokens)*max(scale, 1))*inputMargin/100 + 1, Output: who.MaxTokens}
	return amountOf(u, who.Cost(u))
}

func (l *limiter) withinCaps(m amount) bool {
	return (l.budget.USD <= 0 || m.USD <= l.budget.USD) && (l.budget.Tokens <= 0 || m.Tokens <= l.budget.Tokens)
}

// reserve reserves the amount m. If others hold what is missing and wait is set, it
// calls queued and waits for them. The error is an *agents.Failure if the request must
// not be sent, or the context's.
func (l *limiter) reserve(ctx context.Context, m amount, wait bool, queued func()) error {
	l.mu.Lock()
	decided, err := l.decide(m, wait)
	if decided {
		l.mu.Unlock()
		return err
	}
	w := &waiter{m, make(chan error, 1)}
	l.waiting = append(l.waiting, w)
	l.mu.Unlock()
	queued()
	select {
	case err := <-w.decided:
		return err
	case <-ctx.Done():
		l.leave(w)
		return ctx.Err()
	}
}

// decide reserves an amount or returns why it cannot be; decided is false if others hold
// what is missing. The caller holds the lock.
func (l *limiter) decide(m amount, wait bool) (decided bool, err error) {
	switch {
	case l.withinCaps(l.spent.plus(l.reserved).plus(m)):
		l.reserved = l.reserved.plus(m)
		l.pending++
		return true, nil
	case !wait || !l.withinCaps(l.spent.plus(m)) || l.pending == 0:
		return true, l.refusal(m)
	}
	return false, nil
}

// release ends a reservation and lets those in that wait. The caller holds the lock.
func (l *limiter) release(reserved amount) {
	l.reserved = amount{USD: l.reserved.USD - reserved.USD, Tokens: l.reserved.Tokens - reserved.Tokens}
	l.pending--
	l.waiting = slices.DeleteFunc(l.waiting, func(w *waiter) bool {
		decided, err := l.decide(w.amount, true)
		if decided {
			w.decided <- err
		}
		return decided
	})
}

// leave takes back a request that waits. What was reserved for it meanwhile is released.
func (l *limiter) leave(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting, w); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	} else if <-w.decided == nil {
		l.release(w.amount)
	}
}

// commit replaces a reservation by what was used. It returns what to tell the user: that
// the warning threshold is reached, once, and that the budget is passed for a cause, once and
// whenever another request takes more than was reserved for it.
func (l *limiter) commit(reserved, used amount, cause string) (warning, passed string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before, b := l.spent, l.budget
	l.spent = l.spent.plus(used)
	l.release(reserved)
	if !l.withinCaps(l.spent) && (l.withinCaps(before) || used.exceeds(reserved)) {
		passed = fmt.Sprintf("The budget of %s is passed, since %s: %s spent.", b, cause, l.spent.format(b))
	}
	if l.warned || b.WarnAt <= 0 {
		return "", passed
	}
	if b.USD > 0 && l.spent.USD >= b.WarnAt*b.USD || b.Tokens > 0 && float64(l.spent.Tokens) >= b.WarnAt*float64(b.Tokens) {
		l.warned = true
		return l.spent.format(b) + warningSuffix(b), passed
	}
	return "", passed
}

func (l *limiter) totalSpent() amount {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}

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

func (m amount) format(b debate.Budget) string {
	return b.Format(debate.Budget(m))
}
