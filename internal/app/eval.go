package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/eval"
	"roundtable/debate/prompt"
	"roundtable/internal/config"
	"roundtable/internal/headless"
	"roundtable/internal/text"
	"roundtable/store"
)

// evalParallel is how many questions of an evaluation are debated at once. Providers limit
// their calls themselves.
const evalParallel = 4

// EvalOptions is what an evaluation is asked for.
type EvalOptions struct {
	Name     string
	Set      eval.Set
	Limit    int         // questions at most; 0: all
	Seed     uint64      // chooses them; 0: the first ones
	Plan     debate.Plan // of each debate; its budget is that of all together
	Modes    []string    // nil: as configured
	Facts    []string    // eval.FactsAsked, eval.FactsNone or both; nil: asked if there are any
	Baseline string      // id or name of a seat; "": the first

	Consistency bool // ask the baseline again for what the debate cost
}

// Evaluation is an evaluation that can be played.
type Evaluation struct {
	app      *App
	name     string
	panel    string
	set      eval.Set
	baseline eval.Seat
	again    bool // ask it again after each debate
	groups   []*evalGroup
	budget   *evalBudget

	mu        sync.Mutex
	debates   map[string]string // those that are stored, by the keys of their items
	left      int               // questions that are not at their end
	elsewhere []debate.Holder   // who plays questions that this process leaves to them
}

// evalGroup is all questions in one mode, with or without facts.
type evalGroup struct {
	mode, facts string
	seats       []eval.Seat
	questions   []evalQuestion
}

// evalQuestion is a question with the debate that answers it.
type evalQuestion struct {
	item   eval.Item
	wanted debate.Session
	result eval.Result
	ended  bool
}

// Evaluation checks all that is asked for and builds the debates. It spends and stores nothing.
func (a *App) Evaluation(b Builder, o EvalOptions) (*Evaluation, error) {
	e := &Evaluation{app: a, name: o.Name, set: choose(o), again: o.Consistency}
	e.panel = cmp.Or(o.Plan.Panel, strings.Join(o.Plan.Agents, ","), b.panel(o.Plan))
	e.budget = newEvalBudget(debate.Budget{USD: o.Plan.USD, Tokens: o.Plan.Tokens})
	if len(o.Modes) == 0 {
		o.Modes = []string{o.Plan.Mode}
	}
	if len(o.Facts) == 0 {
		o.Facts = []string{eval.FactsNone}
		if slices.ContainsFunc(e.set.Items, func(it eval.Item) bool { return len(it.Facts) > 0 }) {
			o.Facts[0] = eval.FactsAsked
		}
	}
	for _, mode := range o.Modes {
		for _, facts := range o.Facts {
			g, err := e.group(b, o.Plan, mode, facts)
			if err != nil {
				return nil, err
			}
			e.groups = append(e.groups, g)
		}
	}
	e.left = e.total()
	seats := e.groups[0].seats
	if err := eval.CheckSeats(seats); err != nil {
		return nil, Usagef("%v", err)
	}
	at := slices.IndexFunc(seats, func(s eval.Seat) bool {
		return o.Baseline == "" || strings.EqualFold(s.ID, o.Baseline) || strings.EqualFold(s.Name, o.Baseline)
	})
	if at < 0 {
		return nil, Usagef("--baseline: there is no seat %q on the panel", text.Label(o.Baseline))
	}
	e.baseline = seats[at]
	return e, nil
}

// choose returns as many questions of the data set as are asked for.
func choose(o EvalOptions) eval.Set {
	items := slices.Clone(o.Set.Items)
	if o.Seed != 0 {
		rand.New(rand.NewPCG(o.Seed, 0)).Shuffle(len(items), func(i, k int) { items[i], items[k] = items[k], items[i] })
	}
	if o.Limit > 0 {
		items = items[:min(o.Limit, len(items))]
	}
	o.Set.Items = items
	return o.Set
}

func (e *Evaluation) group(b Builder, plan debate.Plan, mode, facts string) (*evalGroup, error) {
	g := &evalGroup{facts: facts}
	for _, it := range e.set.Items {
		plan.Topic, plan.Mode, plan.Question, plan.Options = it.Question, mode, string(it.Kind), it.Options
		plan.NoQuestions, plan.Author = facts == eval.FactsNone, eval.Author()
		s, err := b.Build(plan)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", it.Line, err)
		}
		if s.Mode.Reviews() || s.Mode.Votes == debate.VotesNone {
			return nil, Usagef("mode %s has no answer that could be right or wrong", s.Mode.Name)
		}
		s.Workspace = debate.Workspace{}
		if e.budget.total != (debate.Budget{}) {
			s.Budget = debate.Budget{}
		}
		s.Eval = &debate.EvalItem{Name: e.name, Key: it.Key(s, facts, prompt.Version), Facts: facts}
		g.questions = append(g.questions, evalQuestion{item: it, wanted: s})
	}
	if len(g.questions) == 0 {
		return nil, Usagef("no question of the data set can be read")
	}
	first := g.questions[0].wanted
	g.mode = first.Mode.Name
	for _, p := range first.Seats {
		g.seats = append(g.seats, eval.Seat{ID: string(p.ID), Name: p.Name})
	}
	return g, nil
}

// Speakers returns all that an evaluation asks.
func (e *Evaluation) Speakers() []agents.Profile { return e.groups[0].questions[0].wanted.Speakers() }

// Preview says what the number of questions can show, and what all debates are likely to need.
func (e *Evaluation) Preview(ctx context.Context) string {
	var calls, tokens, usd budget.Range
	priced, n, past := true, 0, e.app.past(ctx)
	for _, g := range e.groups {
		for _, q := range g.questions {
			f := budget.EstimateAfter(q.wanted, past)
			n++
			calls.Low, calls.High = calls.Low+f.Calls.Low, calls.High+f.Calls.High
			tokens.Low, tokens.High = tokens.Low+f.Tokens.Low, tokens.High+f.Tokens.High
			if priced = priced && f.USD != nil; priced {
				usd.Low, usd.High = usd.Low+f.USD.Low, usd.High+f.USD.High
			}
		}
	}
	f := budget.Forecast{Calls: calls, Tokens: tokens}
	if priced {
		f.USD = &usd
	}
	return fmt.Sprintf("%s\n%s, estimate: %s.", eval.CanShow(len(e.set.Items)), text.Capitalize(text.Count(n, "debate")), f)
}

// CheckLocal refuses an evaluation of which something would leave this machine, if nothing may.
func (e *Evaluation) CheckLocal(cfg config.Config) error {
	return e.app.CheckLocal(cfg, e.groups[0].questions[0].wanted)
}

// Play debates all questions that have no answer yet, and reports on those that have one. What
// was played before is not played again, and what another process plays is left to it. If ctx
// ends, the report is about what there is.
func (e *Evaluation) Play(ctx context.Context, st *store.Store, debates *Sessions, told func(string)) (eval.Report, error) {
	var err error
	if e.debates, err = st.EvalItems(ctx, e.name); err != nil {
		return eval.Report{}, err
	}
	all, stored := e.byDebate(), 0
	for _, same := range all {
		if e.debates[same[0].wanted.Eval.Key] != "" {
			stored++
		}
	}
	if stored > 0 {
		told(fmt.Sprintf("Of these, %s stored already. What is played of them is not paid for again.",
			text.Count(stored, "debate")+text.Inflect(stored, " is", " are")))
	}
	var wait sync.WaitGroup
	queue := make(chan []*evalQuestion)
	errs := make(chan error, evalParallel)
	for range evalParallel {
		wait.Go(func() {
			for same := range queue {
				if err := e.playAll(ctx, st, debates, same, told); err != nil {
					errs <- err
					break
				}
			}
			for range queue { // the rest is for another run
			}
		})
	}
	for _, same := range all {
		queue <- same
	}
	close(queue)
	wait.Wait()
	close(errs)
	for one := range errs {
		err = errors.Join(err, one)
	}
	return e.report(), err
}

// Elsewhere reports whether questions were left to another process.
func (e *Evaluation) Elsewhere() bool { return len(e.elsewhere) > 0 }

// Rest says what was not played to its end and what to do about it.
func (e *Evaluation) Rest() string {
	if n := len(e.elsewhere); e.Elsewhere() {
		return fmt.Sprintf("%s open in another Roundtable%s. Run the same command again when it has ended.",
			text.Capitalize(text.Count(n, "question")+text.Inflect(n, " is", " are")), e.elsewhere[0].Aside())
	}
	return fmt.Sprintf("%s not played to %s. The same command plays on; what was played is not paid for again.",
		text.Count(e.left, "question")+text.Inflect(e.left, " was", " were"), text.Inflect(e.left, "its end", "their ends"))
}

// byDebate returns the questions of each debate: rows that differ only in their facts share
// one where nobody can ask.
func (e *Evaluation) byDebate() [][]*evalQuestion {
	var out [][]*evalQuestion
	at := map[string]int{}
	for _, g := range e.groups {
		for i := range g.questions {
			q := &g.questions[i]
			key := q.wanted.Eval.Key
			n, known := at[key]
			if !known {
				n, at[key] = len(out), len(out)
				out = append(out, nil)
			}
			out[n] = append(out[n], q)
		}
	}
	return out
}

func (e *Evaluation) playAll(
	ctx context.Context, st *store.Store, debates *Sessions, same []*evalQuestion, told func(string),
) error {
	for _, q := range same {
		locked := (*store.LockedError)(nil)
		err := e.play(ctx, st, debates, q, told)
		if errors.As(err, &locked) {
			e.mu.Lock()
			e.elsewhere = append(e.elsewhere, locked.Holder)
			e.mu.Unlock()
		} else if err != nil {
			return err
		}
	}
	return nil
}

// play plays a question to its end, or as far as budget and providers let it. The error is a
// *store.LockedError if another process plays it.
func (e *Evaluation) play(ctx context.Context, st *store.Store, debates *Sessions, q *evalQuestion, told func(string)) error {
	s := q.wanted
	e.mu.Lock()
	id := e.debates[s.Eval.Key]
	e.mu.Unlock()
	var err error
	if id != "" {
		if s, err = st.Session(context.WithoutCancel(ctx), id); err != nil {
			return err
		}
		e.budget.count(s)
	}
	seat := agents.ID(e.baseline.ID)
	if ctx.Err() == nil && (s.Verdict == nil || e.again && eval.AsksAgain(s, seat)) {
		if s, err = e.debate(ctx, st, debates, q.item, s); err != nil && ctx.Err() == nil {
			return err
		}
	}
	q.result, q.ended = eval.Score(q.item, s, seat)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.debates[q.wanted.Eval.Key] = s.ID
	if q.ended {
		e.left--
	}
	if done := e.total() - e.left; q.ended && (done == e.total() || done%max(e.total()/20, 1) == 0) {
		told(e.progress(done))
	}
	return nil
}

func (e *Evaluation) total() int { return len(e.groups) * len(e.set.Items) }

func (e *Evaluation) progress(done int) string {
	total := e.total()
	spent, priced := e.budget.soFar()
	line := fmt.Sprintf("%d of %s, %s", done, text.Count(total, "debate"), text.Tokens(spent.Tokens))
	if priced && spent.USD > 0 {
		line += ", " + text.Money(spent.USD)
		if done > 0 && e.left > 0 {
			line += fmt.Sprintf(" so far, about %s in all", text.Money(spent.USD*float64(total)/float64(done)))
		}
	}
	return line
}

// debate plays a debate that is stored, or stores it first. It returns the debate as it was
// left, without an error if the budget does not allow it.
func (e *Evaluation) debate(
	ctx context.Context, st *store.Store, debates *Sessions, it eval.Item, s debate.Session,
) (debate.Session, error) {
	shares := 1.0
	if e.again {
		shares = 2 // as much again for the baseline
	}
	limit, ok := e.budget.reserve(s, shares)
	if !ok {
		return s, nil
	}
	defer func() { e.budget.release(limit, s) }()
	s, err := e.open(ctx, st, debates, s, limit)
	if err != nil {
		return s, err
	}
	p := &headless.Player{
		Store: st, Player: debates.Player, Reporter: &silentReporter{}, Answers: it, Now: e.app.Now, Log: e.app.Log,
		Commands: e.app.Commands(),
	}
	end := headless.Result{Session: s}
	if s.Verdict == nil {
		end = p.Play(ctx, s)
	}
	seat := agents.ID(e.baseline.ID)
	for e.again && ctx.Err() == nil && end.Kind != headless.Failed && eval.AsksAgain(end.Session, seat) {
		end = headless.Ask(ctx, end.Session, debates.Player.Ask(ctx, end.Session, seat, debate.AgainQuestion), func(debate.Event) {})
		if end.Kind == headless.Failed && end.Session.Verdict != nil { // the seat did not answer, and is not asked again
			break
		}
	}
	s = end.Session
	err = debates.Close(s.ID)
	if end.Kind == headless.Failed && s.Verdict == nil {
		err = errors.Join(end.Err, err)
	}
	return s, err
}

// open locks the debate of an item as it is stored now: another process may have stored it, or
// played it, since this one looked.
func (e *Evaluation) open(
	ctx context.Context, st *store.Store, debates *Sessions, s debate.Session, limit debate.Budget,
) (debate.Session, error) {
	id := s.ID
	if id == "" {
		s.Budget = cmp.Or(limit, s.Budget)
		created, err := debates.Create(ctx, s)
		if err != nil {
			return s, err
		}
		id = created.ID
	}
	stored, err := debates.Open(ctx, id)
	if err != nil {
		return s, err
	}
	most := withSpent(limit, stored)
	if stored.Verdict != nil || limit == (debate.Budget{}) || stored.Budget == most {
		return stored, nil
	}
	return st.SetBudget(ctx, id, most)
}

func (e *Evaluation) report() eval.Report {
	var groups []eval.Group
	for _, g := range e.groups {
		results := []eval.Result{}
		for _, q := range g.questions {
			if q.ended {
				results = append(results, q.result)
			}
		}
		groups = append(groups, eval.NewGroup(g.mode, g.facts, g.seats, e.baseline.ID, results, len(g.questions)-len(results)))
	}
	return eval.NewReport(e.name, e.panel, e.baseline, e.set, groups)
}

// silentReporter reports nothing: an evaluation reports when it has ended.
type silentReporter struct{}

// Begin implements headless.Reporter.
func (*silentReporter) Begin(debate.Session, bool) {}

// Event implements headless.Reporter.
func (*silentReporter) Event(debate.Event) {}

// End implements headless.Reporter.
func (*silentReporter) End(headless.Result) {}

// Err implements headless.Reporter.
func (*silentReporter) Err() error { return nil }

// evalBudget is the budget of all debates of an evaluation together. A debate reserves what it
// may spend before it begins, so that several at once stay within it.
type evalBudget struct {
	total debate.Budget // zero: no limit

	mu       sync.Mutex
	released *sync.Cond
	spent    map[string]debate.Budget // by debate
	reserved debate.Budget
	running  int
	unpriced bool // the cost of a debate is unknown
}

func newEvalBudget(total debate.Budget) *evalBudget {
	b := &evalBudget{total: total, spent: map[string]debate.Budget{}}
	b.released = sync.NewCond(&b.mu)
	return b
}

// usedBy returns what was spent, as a budget counts it.
func usedBy(s debate.Spending) debate.Budget {
	used := debate.Budget{Tokens: s.Usage.Total()}
	if s.Cost != nil {
		used.USD = *s.Cost
	}
	return used
}

func plus(a, b debate.Budget) debate.Budget {
	return debate.Budget{USD: a.USD + b.USD, Tokens: a.Tokens + b.Tokens}
}

// withSpent returns a limit for what is left of a debate as the limit of all of it.
func withSpent(limit debate.Budget, s debate.Session) debate.Budget {
	used := usedBy(budget.TotalSpending(s))
	if limit.USD > 0 {
		limit.USD += used.USD
	}
	if limit.Tokens > 0 {
		limit.Tokens += used.Tokens
	}
	return limit
}

// count counts what a stored debate has spent.
func (b *evalBudget) count(s debate.Session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.countLocked(s)
}

// countLocked is count for a caller that holds b.mu.
func (b *evalBudget) countLocked(s debate.Session) {
	spent := budget.TotalSpending(s)
	b.spent[s.ID] = usedBy(spent)
	b.unpriced = b.unpriced || spent.Cost == nil
}

func (b *evalBudget) totalSpent() debate.Budget {
	var all debate.Budget
	for _, one := range b.spent {
		all = plus(all, one)
	}
	return all
}

// reserve returns the budget of a debate, zero for no limit. It waits for others to end while
// the rest is too small, and returns false if it stays so.
func (b *evalBudget) reserve(s debate.Session, shares float64) (debate.Budget, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	need := budget.Estimate(s)
	needed := debate.Budget{Tokens: int(shares * need.Tokens.High)}
	if need.USD != nil {
		needed.USD = shares * need.USD.High
	}
	for {
		used := plus(b.totalSpent(), b.reserved)
		limit, enough := debate.Budget{}, true
		if b.total.USD > 0 {
			free := b.total.USD - used.USD
			limit.USD, enough = min(free, 2*needed.USD), free > 0 && free >= needed.USD
		}
		if b.total.Tokens > 0 {
			free := b.total.Tokens - used.Tokens
			limit.Tokens = min(free, 2*needed.Tokens)
			enough = enough && free > 0 && free >= needed.Tokens
		}
		if enough {
			b.running++
			b.reserved = plus(b.reserved, limit)
			return limit, true
		}
		if b.running == 0 {
			return limit, false
		}
		b.released.Wait()
	}
}

// release gives back what a debate has reserved, and counts what it has spent.
func (b *evalBudget) release(limit debate.Budget, s debate.Session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	b.reserved = plus(b.reserved, debate.Budget{USD: -limit.USD, Tokens: -limit.Tokens})
	if s.ID != "" {
		b.countLocked(s)
	}
	b.released.Broadcast()
}

// soFar returns what was spent, and whether its cost is known.
func (b *evalBudget) soFar() (spent debate.Budget, priced bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.totalSpent(), !b.unpriced
}
