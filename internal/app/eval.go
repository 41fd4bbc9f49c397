package app

import (
	"cmp"
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

	service *Sessions
	items   []eval.Item
	results []eval.Result // by question; the zero value until it is played
}

// Evaluation builds the debates of items. It spends and stores nothing. The report has what is
// asked for; the budget of the plan is that of all debates together, and each has its share.
func (b Builder) Evaluation(plan debate.Plan, r *eval.Report, items []eval.Item) (*Evaluation, error) {
	e := &Evaluation{items: items, results: make([]eval.Result, len(items))}
	if plan.Tokens > 0 {
		plan.Tokens = max(1, plan.Tokens/len(items)) // 0 is no limit
	}
	plan.Topic, plan.USD = items[0].Question, plan.USD/float64(len(items))
	first, err := b.Build(plan)
	if err == nil {
		err = cmp.Or(eval.Check(first), checkShare(first, plan))
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
	return e, nil
}

// checkShare refuses a budget that leaves a debate less than it may need.
func checkShare(s debate.Session, share debate.Plan) error {
	need := budget.Estimate(s)
	dear := share.USD > 0 && need.USD != nil && need.USD.High > share.USD
	if !dear && (share.Tokens == 0 || float64(share.Tokens) >= need.Tokens.High) {
		return nil
	}
	return fmt.Errorf("the budget leaves %s for each debate, and one may need %s; raise it, or take fewer questions with --limit",
		debate.Budget{USD: share.USD, Tokens: share.Tokens}, need)
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
	slots, failed := make(chan struct{}, evalParallel), make([]error, len(e.items))
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
	e.Debates[i].ID = s.ID
	if r, ended := eval.Score(e.items[i], s); ended {
		e.results[i] = r
	}
}

func (e *Evaluation) play(ctx context.Context, i int) error {
	if e.results[i].Session != "" || ctx.Err() != nil {
		return nil
	}
	s, err := e.debate(ctx, e.Debates[i], e.items[i])
	if s.ID != "" {
		e.note(i, s)
		switch n := i + 1; {
		case s.Verdict == nil && ctx.Err() == nil:
			e.service.app.Warn(fmt.Sprintf("Question %d of %d: %s", n, len(e.items), headless.WhatNext(s, e.service.app.Now())))
		case n%max(len(e.items)/20, 1) == 0:
			e.service.app.Warn(fmt.Sprintf("Question %d of %d has been debated.", n, len(e.items)))
		}
	}
	if errors.Is(err, debate.ErrLocked) || ctx.Err() != nil { // another process plays it, or all end
		return nil
	}
	return err
}

func (e *Evaluation) debate(ctx context.Context, wanted debate.Session, it eval.Item) (debate.Session, error) {
	id := wanted.ID
	if id == "" {
		created, err := e.service.Create(ctx, wanted)
		if err != nil {
			return wanted, err
		}
		id = created.ID
	}
	s, err := e.service.Open(ctx, id)
	if err != nil || s.Verdict != nil { // another process plays it, or has played it
		return s, err
	}
	if s.Budget != wanted.Budget { // the last try had another
		s, err = e.service.SetBudget(ctx, id, wanted.Budget)
	}
	if err == nil {
		p := &headless.Player{
			Store: e.service.Store, Player: e.service.Player, Reporter: &headless.TextReporter{Out: io.Discard, Quiet: true}, Answers: it,
			Now: e.service.app.Now, Commands: e.service.app.Commands(),
		}
		end := p.Play(ctx, s)
		if s = end.Session; end.Kind == headless.Failed {
			err = end.Err
		}
	}
	return s, errors.Join(err, e.service.Close(id))
}
