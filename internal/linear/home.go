package linear

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

func (p *Program) home(ctx context.Context) error {
	for err := errBack; ; {
		if errors.Is(err, errBack) || errors.Is(err, errCancelled) {
			p.run(ctx, "sessions")
		} else if err != nil {
			p.say("! %s", sentence(err))
		}
		p.say("Open a debate by its number, the newest being 1, or its id. Or type new, quit, or a command such as " +
			"`roundtable sessions --search WORDS`; help lists commands.")
		var said string
		if said, err = p.readLine(ctx, "> "); err == nil {
			err = p.choose(ctx, strings.TrimPrefix(strings.TrimSpace(said), "/"))
		}
		if leaving := p.leave(); leaving != nil || errors.Is(err, errQuit) {
			return errors.Join(leaving, err)
		}
	}
}

func (p *Program) choose(ctx context.Context, said string) error {
	switch said {
	case "":
		return nil
	case "quit":
		return errQuit
	case "new":
		return p.newDebate(ctx, NewDebate{}, false)
	}
	if n, err := strconv.Atoi(said); err == nil {
		all, err := p.Store.Sessions(ctx)
		if err != nil || n < 1 || n > len(all) {
			return cmp.Or(err, errors.New("there is no such number"))
		}
		return p.enter(ctx, all[n-1].ID)
	}
	if id, err := p.Store.Resolve(ctx, said); err == nil {
		return p.enter(ctx, id)
	}
	args, err := text.ParseCommand(strings.TrimPrefix(said, "roundtable "))
	if err == nil {
		p.run(ctx, args...)
	}
	return err
}

// newDebate asks what a new debate is about, and starts it. What is set is not asked for. Where
// nothing else can debate, the demo's topic is offered.
func (p *Program) newDebate(ctx context.Context, n NewDebate, begin bool) error {
	var told []string
	for asked := n.Topic != ""; ; {
		s, notices, problem := p.Setup.Build(ctx, n.Plan)
		for _, notice := range notices {
			if !slices.Contains(told, notice) {
				p.say("! %s", text.Line(notice))
			}
		}
		told, s.Evidence = notices, n.Files
		var err error
		switch {
		case !asked: // a problem is told once there is a topic
			var said string
			said, err = p.ask(ctx, "A new debate; /back leaves it. Topic: what should they debate?", s.Topic)
			if asked, begin = said != "", false; said != s.Topic {
				n.Topic = said
			}
		case !begin:
			begin, err = p.settle(ctx, &n, s, problem)
		case problem != nil:
			err = problem
		default:
			if s, err = p.Store.Create(ctx, s); err == nil {
				p.show(s)
				p.open.report.Begin(s, false)
				return p.play(ctx)
			}
		}
		if err != nil {
			return err
		}
	}
}

// settle writes what a debate would be or why it cannot, and asks to start or change it.
func (p *Program) settle(ctx context.Context, n *NewDebate, s debate.Session, problem error) (start bool, err error) {
	question, preset := "Start this debate? yes or no, or a change such as rounds 3 or file notes.md; help lists them:", "yes"
	if problem != nil {
		p.say("! %s", text.Sanitize(problem.Error()))
		question, preset = "A change, such as panel demo; help lists them:", ""
	} else {
		(&headless.TextReporter{Out: p.out}).Begin(s, false)
		p.say("Forecast: %s. Goes to: %s.", p.Estimate(s), p.Recipients(s))
	}
	for {
		said, err := p.ask(ctx, question, preset)
		name, value, _ := strings.Cut(strings.TrimLeft(said, "-"), " ")
		known := slices.ContainsFunc(n.Fields(), func(f debate.PlanField) bool { return f.Name == name })
		switch {
		case err != nil:
			return false, err
		case said == "yes":
			return problem == nil, nil
		case said == "no":
			return false, errBack
		case name == "file":
			return false, p.attach(ctx, value, func(found []debate.Evidence) (all []debate.Evidence, err error) {
				if all, err = debate.AddEvidence(n.Files, found); err == nil {
					n.Files = all
				}
				return all, err
			})
		case known:
			return false, p.reported(p.Setup.Set(&n.Plan, name, strings.TrimSpace(value)))
		case name == "modes" || name == "agents":
			p.run(ctx, name)
		default:
			for _, f := range n.Fields() {
				p.say("  %s: %s", strings.TrimSpace(f.Name+" "+f.Takes), f.Help)
			}
			p.say("  file PATH: a file or folder that the debate is about\n%s list what there is.", text.List([]string{"modes", "agents"}))
		}
	}
}
