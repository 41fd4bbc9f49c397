package linear

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Change is what a fork changes by a name that the configuration explains. At most one of
// its members is set, but for the seat of a model.
type Change struct {
	Seat               agents.ID // that speaks with Model
	Model, Mode, Panel string
}

// change is one thing that a fork can change, as the user types it.
type change struct {
	word, example string
	plan          func(f *forking, arg string) bool // false: the argument is not complete
}

// changes lists what a fork can change, in the order in which it is told.
func changes() []change {
	return []change{
		{"answer", "answer C1 Two days.", (*forking).answer},
		{"unavailable", "unavailable C1 Nobody knows.", (*forking).unavailable},
		{"without", "without C1", (*forking).without},
		{"model", "model 1 NAME", (*forking).model},
		{"mode", "mode NAME", (*forking).mode},
		{"panel", "panel NAME", (*forking).panel},
	}
}

// forking is a fork as far as its line has been read.
type forking struct {
	*Program
	debate.ForkPlan
	change Change
}

// fork makes a new debate from an earlier round of the open one, with at most one thing
// changed, and goes on there.
func fork(ctx context.Context, p *Program, arg string) error {
	first, rest, _ := strings.Cut(arg, " ")
	round, err := strconv.Atoi(first)
	if err != nil {
		forkHelp(p)
		return nil
	}
	f := &forking{Program: p, ForkPlan: debate.ForkPlan{Round: round}}
	if !f.read(strings.TrimSpace(rest)) {
		return nil
	}
	forked, err := p.Fork(ctx, p.open.Session(), f.ForkPlan, f.change)
	if err != nil {
		return p.reported(err)
	}
	if err := p.leave(); err != nil {
		return err
	}
	opened, err := p.Store.Open(ctx, forked.ID)
	if err != nil {
		return err
	}
	p.show(opened, false)
	p.open.Pause() // with open requests it asks before it starts
	return nil
}

// forkHelp says what /fork takes.
func forkHelp(p *Program) {
	last := p.open.Session().Ended()
	round := strconv.Itoa(max(last-1, 0))
	p.say("Give the last round to keep, 0 to %d; 0 starts over. /fork %s asks again for the answers that were sent with later rounds, "+
		"unless you name them: /fork %s C1.", last, round, round)
	p.say("Or change one thing and keep all other answers:")
	for _, c := range changes() {
		if c.word == "mode" || c.word == "panel" {
			round = "0"
		}
		p.say("  /fork %s %s", round, c.example)
	}
}

// read reads what follows the round: requests whose answers are copied, and a change. It
// says what it cannot read.
func (f *forking) read(rest string) bool {
	for rest != "" {
		word, more, _ := strings.Cut(rest, " ")
		more = strings.TrimSpace(more)
		i := slices.IndexFunc(changes(), func(c change) bool { return c.word == strings.ToLower(word) })
		if i >= 0 {
			c := changes()[i]
			if !c.plan(f, more) {
				f.say("Not forked: write it as in /fork %d %s.", f.Round, c.example)
				return false
			}
			return f.possible()
		}
		for id := range strings.SplitSeq(strings.ToUpper(word), ",") {
			if id == "" || id == "WITH" || id == "AND" {
				continue
			}
			if _, ok := f.open.Session().Request(id); !ok {
				f.say("Not forked: %s is neither a request nor a change. /fork alone says what can change.", text.Label(word))
				return false
			}
			f.Facts = append(f.Facts, id)
		}
		rest = more
	}
	return true
}

// possible says why a change cannot be made after the round, if that is known before.
func (f *forking) possible() bool {
	if f.Round > 0 && (f.change.Mode != "" || f.change.Panel != "") {
		f.say("Not forked: mode and panel can change only in a debate that starts over, with /fork 0.")
		return false
	}
	return true
}

// keep adds all other answers of the round to those that are copied.
func (f *forking) keep(without string) {
	for _, id := range f.open.Session().PlanFork(f.Round, without).Facts {
		if !slices.Contains(f.Facts, id) {
			f.Facts = append(f.Facts, id)
		}
	}
}

func (f *forking) answer(arg string) bool      { return f.submit(arg, ledger.Answered) }
func (f *forking) unavailable(arg string) bool { return f.submit(arg, ledger.Unavailable) }

// submit gives a request another answer. A request that is asked later is asked at once.
func (f *forking) submit(arg string, outcome ledger.Outcome) bool {
	id, content, _ := strings.Cut(arg, " ")
	id, content = strings.ToUpper(strings.Trim(id, ":,")), strings.TrimSpace(content)
	if id == "" || content == "" {
		return false
	}
	f.keep(id)
	if r, ok := f.open.Session().Request(id); ok && r.Round > f.Round && len(r.Delivered) > 0 && !slices.Contains(f.Facts, id) {
		f.Facts = append(f.Facts, id)
	}
	f.Answers = []ledger.Submission{{Request: id, Outcome: outcome, Content: content}}
	return true
}

func (f *forking) without(arg string) bool {
	id := strings.ToUpper(arg)
	f.keep(id)
	f.Omitted = []string{id}
	return id != ""
}

func (f *forking) model(arg string) bool {
	seat, model, _ := strings.Cut(arg, " ")
	x, ok := f.open.Seat(seat)
	f.keep("")
	f.change = Change{Seat: x.ID, Model: strings.TrimSpace(model)}
	return ok && f.change.Model != ""
}

func (f *forking) mode(arg string) bool {
	f.keep("")
	f.change = Change{Mode: arg}
	return arg != ""
}

func (f *forking) panel(arg string) bool {
	f.keep("")
	f.change = Change{Panel: arg}
	return arg != ""
}
