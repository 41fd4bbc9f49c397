package linear

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// home lists the debates, and opens those that the user chooses.
func (p *Program) home(ctx context.Context) error {
	for list := true; ; {
		if list {
			p.run(ctx, "sessions")
		}
		p.say("Open a debate by its number, the newest being 1, or its id. Or type new, quit, or a command; help lists commands.")
		said, err := p.readLine(ctx, "> ")
		if err == nil {
			list, err = p.choose(ctx, strings.TrimPrefix(strings.TrimSpace(said), "/"))
		}
		if leaving := p.leave(); leaving != nil || errors.Is(err, errQuit) {
			return errors.Join(leaving, err)
		}
		if err != nil && !errors.Is(err, errBack) && !errors.Is(err, errCancelled) {
			p.say("! %s", sentence(err))
		}
	}
}

// choose does what was typed at the list, and reports whether the list is to be read again.
func (p *Program) choose(ctx context.Context, said string) (list bool, err error) {
	switch said {
	case "":
		return false, nil
	case "back":
		return true, nil
	case "quit":
		return false, errQuit
	case "new":
		return true, p.newDebate(ctx, NewDebate{}, false)
	}
	if n, err := strconv.Atoi(said); err == nil {
		all, err := p.Store.Sessions(ctx)
		if err != nil || n < 1 || n > len(all) {
			return false, p.reported(err)
		}
		return true, p.enter(ctx, all[n-1].ID)
	}
	if id, err := p.Store.Resolve(ctx, said); err == nil {
		return true, p.enter(ctx, id)
	}
	args, err := text.ParseCommand(said)
	if err == nil {
		p.run(ctx, args...)
	}
	return false, err
}

// newDebate asks what a new debate is about, and starts it. What is set is not asked for.
func (p *Program) newDebate(ctx context.Context, n NewDebate, begin bool) error {
	if n.Topic == "" {
		begin = false
		if err := p.askTopic(ctx, &n); err != nil {
			return err
		}
	}
	for {
		s, notices, err := p.Setup.Build(ctx, n.Plan)
		p.warn(notices)
		if err != nil && begin {
			return err
		}
		s.Evidence = n.Files
		if !begin {
			if begin, err = p.settle(ctx, &n, s, err); err != nil {
				return err
			}
			continue
		}
		if s, err = p.Store.Create(ctx, s); err != nil {
			return err
		}
		p.show(s, false)
		return p.play(ctx)
	}
}

// askTopic asks for the topic. An empty line takes that of the demo, where nothing else can
// debate.
func (p *Program) askTopic(ctx context.Context, n *NewDebate) error {
	p.say("A new debate. /back goes to the list of debates.")
	demo, notices, err := p.Setup.Build(ctx, n.Plan)
	if err != nil { // it is said once there is a topic
		demo.Topic = ""
	}
	p.warn(notices)
	for {
		said, err := p.ask(ctx, "Topic: what should they debate?", demo.Topic)
		if said != demo.Topic {
			n.Topic = said
		}
		if err != nil || said != "" {
			return err
		}
	}
}

// settle writes what a debate would be, or why it cannot be, and asks whether to start it. What
// is named instead is changed; then start is false.
func (p *Program) settle(ctx context.Context, n *NewDebate, s debate.Session, problem error) (start bool, err error) {
	question, preset := "Start this debate? yes or no, or a change such as rounds 3 or file notes.md; help lists them:", "yes"
	if problem != nil {
		p.say("! %s", text.Sanitize(problem.Error()))
		question, preset = "A change, such as panel demo; help lists them:", ""
	} else {
		headless.NewTextReporter(p.out, false).Begin(s, false)
		p.say("Forecast: %s. Goes to: %s.", budget.Estimate(s), p.Recipients(s))
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
			return false, p.addFile(ctx, n, value)
		case known:
			return false, p.reported(p.Setup.Set(&n.Plan, name, strings.TrimSpace(value)))
		case name == "modes" || name == "agents":
			p.run(ctx, name)
		default:
			for _, f := range n.Fields() {
				p.say("  %s: %s", strings.TrimSpace(f.Name+" "+f.Takes), f.Help)
			}
			p.say("  file PATH: a file or folder that the debate is about\nmodes and agents list what there is.")
		}
	}
}

// addFile adds a file or a folder to the evidence of a new debate.
func (p *Program) addFile(ctx context.Context, n *NewDebate, path string) error {
	found, err := p.read(ctx, path)
	if err != nil {
		return err
	}
	all, err := debate.AddEvidence(n.Files, found)
	if err == nil {
		n.Files = all
	}
	return p.reported(err)
}

// warn writes what to know of a new debate, unless it was written last.
func (p *Program) warn(notices []string) {
	if slices.Equal(notices, p.warned) {
		return
	}
	p.warned = notices
	for _, notice := range notices {
		p.say("! %s", text.Line(notice))
	}
}
