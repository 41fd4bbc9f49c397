package linear

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

type command struct {
	name, args, help string
	why              error // why it is not possible now; nil: it is
	run              func(ctx context.Context, arg string) error
}

// commands lists the commands of the open debate, in the order of /help.
func (p *Program) commands() []command {
	var out []command
	for _, a := range control.All() {
		c := command{string(a.ID), a.Usage(), a.Verb(), p.open.WhyNot(a.ID), nil}
		c.run = func(ctx context.Context, arg string) error { return p.act(ctx, a, arg) }
		if a.ID == control.Continue && p.open.left && c.why != nil {
			c.help, c.why = "ask the open questions", nil
			c.run = func(context.Context, string) error {
				p.open.left = false
				return nil
			}
		}
		out = append(out, c)
	}
	var running error
	if p.open.Running() {
		running = &control.Reason{Text: "Not while a round is running.", Instead: control.PauseNow, Verb: "pause now"}
	}
	return append(
		out,
		command{"approvals", "", "decide on commands that seats want to run", nil, p.approve},
		command{"topic", "", "read the whole topic, with its evidence", nil, p.topic},
		command{"attach", "PATH", "show the seats a file or a folder", nil, p.attachHere},
		command{"requests", "", "read the questions and their answers", nil, p.beside("requests", nil)},
		command{"show", "[--prompt SEAT]", "read the debate to its verdict, or a prompt", nil, p.beside("show", nil)},
		command{"export", "[--format html]", "write the debate to a file", nil, p.beside("export", nil)},
		command{"fork", "--round N [--help]", "start another debate from a round, first in the list", running, p.beside("fork", errBack)},
		command{"back", "", "go to the list of debates", running, func(context.Context, string) error { return errBack }},
		command{"help", "", "list the commands", nil, p.help},
		command{"quit", "", "quit; everything is saved", nil, func(context.Context, string) error { return errQuit }},
	)
}

// command carries out a line that was read.
func (p *Program) command(ctx context.Context, raw string) error {
	name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
	var names []string
	for _, c := range p.commands() {
		switch {
		case name != "/"+c.name:
			names = append(names, "/"+c.name)
		case c.why != nil:
			return p.reported(c.why)
		default:
			return c.run(ctx, strings.TrimSpace(arg))
		}
	}
	switch {
	case strings.HasPrefix(name, "/"):
		p.say("There is no command %s%s. /help lists the commands.", text.Label(name), text.DidYouMean(name, names))
	case name != "":
		p.say("Commands begin with a slash. /tell TEXT sends a message to the seats, /help lists the commands.")
	}
	return nil
}

func (p *Program) knows(name string) bool {
	return slices.ContainsFunc(p.commands(), func(c command) bool { return name == "/"+c.name })
}

func (p *Program) help(context.Context, string) error {
	for _, c := range p.commands() {
		if c.why == nil {
			p.say("  %s: %s", strings.TrimSpace("/"+c.name+" "+c.args), c.help)
		}
	}
	return nil
}

// act carries out an action with what was typed behind it, once the user has agreed.
func (p *Program) act(ctx context.Context, a control.Action, arg string) error {
	if a.ID == control.Answer {
		return p.answer(ctx, arg)
	}
	v, err := p.open.Parse(a.ID, arg)
	if err == nil {
		err = p.open.Check(a.ID, v)
	}
	if err != nil {
		return p.reported(err)
	}
	question := p.open.Question(a.ID, v)
	if question != "" && !a.Toggle {
		if yes, err := p.confirm(ctx, question); err != nil || !yes {
			return err
		}
	}
	p.open.left, p.open.hint = false, ""
	if err := p.do(ctx, a.ID, v); err != nil {
		return p.reported(err)
	}
	if who := p.open.Answering(); a.ID == control.AskFollowUp && who != "" {
		p.say("Asked %s. The answer is written here when it is complete; /cancel-answer cancels it.", who)
	}
	return nil
}

func (p *Program) topic(context.Context, string) error {
	s := p.open.Session()
	p.open.report.Begin(s, false)
	p.say("%s", text.Indent(text.Clean(s.Topic)))
	return nil
}

// beside runs a command of the program for the open debate; the result is err if it succeeded.
func (p *Program) beside(name string, err error) func(context.Context, string) error {
	return func(ctx context.Context, arg string) error {
		args, wrong := text.ParseCommand(name + " " + p.open.Session().ID + " " + arg)
		if wrong != nil || !p.run(ctx, args...) || slices.Contains(args, "--help") {
			return p.reported(wrong)
		}
		return err
	}
}

// attach adds a file or a folder to the evidence, if the user wants the seats to see it.
func (p *Program) attach(ctx context.Context, path string, add func([]debate.Evidence) ([]debate.Evidence, error)) error {
	found, notices, err := p.Setup.Read(ctx, path)
	if err != nil || len(found) == 0 {
		return p.reported(err)
	}
	for _, notice := range notices {
		p.say("! %s", text.Line(notice))
	}
	size := 0
	for _, e := range found {
		size += e.Size
	}
	what := fmt.Sprintf("Attach %s, %s? Every seat reads it.", text.Count(len(found), "file"), text.Bytes(int64(size)))
	if yes, err := p.confirm(ctx, what); err != nil || !yes {
		return err
	}
	all, err := add(found)
	if err != nil {
		return p.reported(err)
	}
	for _, e := range all[max(len(all)-len(found), 0):] {
		p.say("Evidence %s. Texts cite it as [%s].", text.Line(e.Name), e.ID)
	}
	return nil
}

func (p *Program) attachHere(ctx context.Context, path string) error {
	return p.attach(ctx, path, func(found []debate.Evidence) ([]debate.Evidence, error) {
		s, err := p.Store.AddEvidence(context.WithoutCancel(ctx), p.open.Session().ID, found...)
		if err == nil {
			p.open.SetEvidence(s.Evidence)
		}
		return s.Evidence, err
	})
}
