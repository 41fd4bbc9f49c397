package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/eval"
	"roundtable/debate/prompt"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// evalParallel is how many questions are debated at once. Providers limit their calls themselves.
const evalParallel = 4

// Evaluation is an evaluation that can be played: questions, with the debates that answer them.
type Evaluation struct {
	Debates []debate.Session // wanted, and those that are stored with their ids

	app     *App
	service *Sessions
	items   []eval.Item
	total   debate.Budget   // of all debates together; zero: no limit
	spent   []debate.Budget // by question, as are
	results []eval.Result   // the zero value until it is played
}

// Evaluation builds the debates of items. It spends and stores nothing. The report has what is
// asked for; the budget of the plan is that of all debates together.
func (a *App) Evaluation(b Builder, plan debate.Plan, r *eval.Report, items []eval.Item) (*Evaluation, error) {
	e := &Evaluation{app: a, items: items, total: debate.Budget{USD: plan.USD, Tokens: plan.Tokens}}
	plan.Topic = items[0].Question
	first, err := b.Build(plan)
	if err == nil {
		err = eval.Check(first)
	}
	if err != nil {
		return nil, Usagef("%v", err)
	}
	for _, it := range items {
		plan.Topic, plan.Question, plan.Unit, plan.Options = it.Question, string(it.Kind), it.Unit, it.Options
		plan.NoQuestions, plan.Author = r.Facts == eval.FactsNone, eval.Author()
		s, err := b.Build(plan)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", it.Line, err)
		}
		if e.total.Capped() {
			s.Budget = debate.Budget{}
		}
		s.Workspace = debate.Workspace{}
		s.Eval = &debate.EvalItem{Name: r.Name, Key: it.Key(s, r.Facts, prompt.Version), Facts: r.Facts}
		e.Debates = append(e.Debates, s)
	}
	at := slices.IndexFunc(first.Seats, func(p agents.Profile) bool {
		return r.Baseline == "" || strings.EqualFold(string(p.ID), r.Baseline) || strings.EqualFold(p.Name, r.Baseline)
	})
	if at < 0 {
		return nil, Usagef("--baseline: there is no seat %q on the panel", text.Label(r.Baseline))
	}
	r.Questions, r.Mode, r.Baseline = len(items), first.Mode.Name, string(first.Seats[at].ID)
	e.results, e.spent = make([]eval.Result, len(items)), make([]debate.Budget, len(items))
	return e, nil
}

// Play debates all questions that have no answer yet, and returns those that have one. What
// another process plays is left to it. If ctx ends, it returns what there is.
func (e *Evaluation) Play(ctx context.Context, service *Sessions) ([]eval.Result, error) {
	e.service = service
	stored, err := service.EvalItems(ctx, e.Debates[0].Eval.Name)
	for i, wanted := range e.Debates {
		if id := stored[wanted.Eval.Key]; err == nil && id != "" {
			var s debate.Session
			s, err = service.Session(ctx, id)
			e.note(i, s)
		}
	}
	if err != nil {
		return nil, err
	}
	var wait sync.WaitGroup
	parallel := evalParallel
	if e.total.Capped() { // a debate may have all that is left
		parallel = 1
	}
	slots, failed := make(chan struct{}, parallel), make([]error, len(e.items))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for i := range e.items {
		slots <- struct{}{}
		wait.Go(func() {
			if failed[i] = e.play(ctx, i); failed[i] != nil {
				stop()
			}
			<-slots
		})
	}
	wait.Wait()
	return slices.DeleteFunc(e.results, func(r eval.Result) bool { return r.Session == "" }), errors.Join(failed...)
}

// note takes over a debate as it is stored.
func (e *Evaluation) note(i int, s debate.Session) {
	spent := budget.TotalSpending(s)
	e.Debates[i].ID, e.spent[i].Tokens = s.ID, spent.Usage.Total()
	if spent.Cost != nil {
		e.spent[i].USD = *spent.Cost
	}
	if r, ended := eval.Score(e.items[i], s); ended {
		e.results[i] = r
	}
}

func (e *Evaluation) play(ctx context.Context, i int) error {
	limit, ok := e.limit(i)
	if !ok || e.results[i].Session != "" || ctx.Err() != nil {
		return nil
	}
	s, err := e.debate(ctx, e.Debates[i], e.items[i], limit)
	if s.ID != "" {
		e.note(i, s)
		if n := i + 1; n%max(len(e.items)/20, 1) == 0 {
			e.app.Warn(fmt.Sprintf("Question %d of %d has been debated.", n, len(e.items)))
		}
	}
	if errors.Is(err, debate.ErrLocked) || ctx.Err() != nil { // another process plays it, or all end
		return nil
	}
	return err
}

// limit returns the budget of all of a debate: what others leave of that of the evaluation. It
// returns false if that is less than the debate may need.
func (e *Evaluation) limit(i int) (limit debate.Budget, ok bool) {
	limit, need := e.total, budget.Estimate(e.Debates[i])
	if !limit.Capped() {
		return limit, true
	}
	for k, spent := range e.spent {
		if k != i {
			limit.USD, limit.Tokens = max(0, limit.USD-spent.USD), max(0, limit.Tokens-spent.Tokens)
		}
	}
	return limit, (e.total.USD == 0 || need.USD == nil || limit.USD >= need.USD.High) &&
		(e.total.Tokens == 0 || limit.Tokens >= int(need.Tokens.High))
}

func (e *Evaluation) debate(ctx context.Context, s debate.Session, it eval.Item, limit debate.Budget) (debate.Session, error) {
	id := s.ID
	if id == "" {
		created, err := e.service.Create(ctx, s)
		if err != nil {
			return s, err
		}
		id = created.ID
	}
	s, err := e.service.Open(ctx, id)
	if err != nil || s.Verdict != nil { // another process plays it, or has played it
		return s, err
	}
	if limit.Capped() {
		s, err = e.service.SetBudget(ctx, id, limit)
	}
	if err == nil {
		p := &headless.Player{
			Store: e.service.Store, Player: e.service.Player, Reporter: headless.NewTextReporter(io.Discard, true), Answers: it,
			Now: e.app.Now, Log: e.app.Log, Commands: e.app.Commands(),
		}
		end := p.Play(ctx, s)
		if s = end.Session; end.Kind == headless.Failed && s.Verdict == nil {
			err = end.Err
		}
	}
	return s, errors.Join(err, e.service.Close(id))
}
