package linear

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

// command is a line that begins with a slash: an action of the session, or what reads or
// leaves it.
type command struct {
	name, args, help string
	why              error // why it is not possible now; nil: it is
	run              func(ctx context.Context, arg string) error
}

// commands lists the commands of the open debate, in the order of /help.
func (p *Program) commands() []command {
	var out []command
	for _, a := range p.open.Actions() {
		run := func(ctx context.Context, arg string) error { return p.act(ctx, a, arg) }
		out = append(out, command{string(a.ID), a.Usage(), a.Verb(), a.WhyNot, run})
	}
	var running, unread error
	if p.open.Running() {
		running = &control.Reason{Text: "Not while a round is running.", Instead: control.PauseNow, Verb: "pause now"}
	}
	if p.open.Session().Verdict == nil {
		unread = &control.Reason{Text: "There is no verdict yet."}
	}
	return append(
		out,
		command{"approvals", "", "decide on commands that seats want to run", nil, p.approve},
		command{"verdict", "", "read the verdict", unread, p.verdict},
		command{"topic", "", "read the whole topic, with its evidence", nil, p.topic},
		command{"attach", "PATH", "show the seats a file or a folder", nil, p.attach},
		command{"requests", "", "read the questions and their answers", nil, p.beside("requests")},
		command{"show", "[ROUND] [--prompt SEAT]", "read the debate, a round, or a prompt", nil, p.beside("show")},
		command{"export", "[--format html]", "write the debate to a file", nil, p.beside("export")},
		command{"fork", "--round N [--help]", "start another debate from the end of a round", running, p.fork},
		command{"back", "", "go to the list of debates", running, func(context.Context, string) error { return errBack }},
		command{"help", "", "list the commands", nil, p.help},
		command{"quit", "", "quit; everything is saved", nil, p.quit},
	)
}

// command carries out a line that was read.
func (p *Program) command(ctx context.Context, raw string) error {
	name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
	if name == "" {
		return nil
	}
	name, ok := strings.CutPrefix(name, "/")
	if !ok {
		p.say("Commands begin with a slash. /tell TEXT sends a message to the seats, /help lists the commands.")
		return nil
	}
	c, found := p.find(name)
	switch {
	case !found:
	case c.why != nil && c.name == string(control.Continue) && p.open.left:
		p.open.left = false // it asks for them
	case c.why != nil:
		return p.reported(c.why)
	default:
		return c.run(ctx, strings.TrimSpace(arg))
	}
	return nil
}

// find returns the command of a name, or the one with a word that begins so: /budget is
// /set-budget. Of several those that are possible now count.
func (p *Program) find(name string) (c command, ok bool) {
	if name == "start" {
		name = string(control.Continue)
	}
	all := p.commands()
	meant := slices.DeleteFunc(slices.Clone(all), func(one command) bool {
		return one.name != name && !strings.HasPrefix(one.name, name) && !strings.Contains(one.name, "-"+name)
	})
	if i := slices.IndexFunc(meant, func(one command) bool { return one.name == name }); i >= 0 {
		return meant[i], true
	}
	possible := slices.DeleteFunc(slices.Clone(meant), func(one command) bool { return one.why != nil })
	switch {
	case len(possible) == 1:
		return possible[0], true
	case len(possible) > 1:
		p.say("/%s can be %s.", text.Label(name), text.List(namesOf(possible)))
	case len(meant) > 0:
		return meant[0], true
	default:
		p.say("There is no command /%s%s. /help lists the commands.", text.Label(name), text.DidYouMean("/"+name, namesOf(all)))
	}
	return c, false
}

func namesOf(all []command) (names []string) {
	for _, c := range all {
		names = append(names, "/"+c.name)
	}
	return names
}

// help lists the commands that are possible now.
func (p *Program) help(context.Context, string) error {
	for _, c := range p.commands() {
		if c.why == nil {
			p.say("  %s: %s", strings.TrimSpace("/"+c.name+" "+c.args), c.help)
		}
	}
	p.say("The beginning of a word will do: /budget is /set-budget.")
	if p.open.Running() {
		p.say("A line without a slash is a message to all seats; you are asked before it is sent.")
	}
	return nil
}

// act carries out an action with what was typed behind it, once the user has agreed to what
// it does.
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
	if note := p.open.LaterNote("yes adds one and sends this"); slices.Contains(a.Args, control.TextArg) && a.ID != control.AskFollowUp && note != "" {
		question = cmp.Or(question, note+" Save this?")
	}
	if slices.Contains(a.Args, control.MaybeSeatArg) && (v.Seat != "" || a.ID == control.Interject) {
		to := "all seats"
		if v.Seat != "" {
			to = text.Line(p.open.Session().NameOf(v.Seat)) + " only"
		}
		p.say("To %s: %s", to, text.Line(v.Text))
		question = cmp.Or(question, "Send this?")
	}
	if question != "" && !a.Toggle {
		yes, err := p.confirm(ctx, question, "no")
		if err != nil {
			return err
		}
		if !yes {
			p.say("Not done.")
			return nil
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

// verdict writes the verdict again.
func (p *Program) verdict(context.Context, string) error {
	s := p.open.Session()
	p.open.report.Event(debate.Concluded{Session: s, At: s.Updated})
	return nil
}

// topic writes what the debate is made of, with the whole topic.
func (p *Program) topic(context.Context, string) error {
	s := p.open.Session()
	p.open.report.Begin(s, false)
	p.say("%s", text.Indent(text.Sanitize(s.Topic)))
	return nil
}

// beside returns what runs a command of the program for the open debate.
func (p *Program) beside(name string) func(context.Context, string) error {
	return func(ctx context.Context, arg string) error {
		args, err := text.ParseCommand(name + " " + p.open.Session().ID + " " + arg)
		if err == nil {
			p.run(ctx, args...)
		}
		return p.reported(err)
	}
}

// fork makes a new debate from an earlier round of the open one, and opens it.
func (p *Program) fork(ctx context.Context, arg string) error {
	parent := p.open.Session()
	args, err := text.ParseCommand("fork " + parent.ID + " " + arg)
	if err != nil || !p.run(ctx, args...) || arg == "--help" {
		return p.reported(err)
	}
	all, err := p.Store.Sessions(ctx)
	i := slices.IndexFunc(all, func(s debate.SessionSummary) bool { return s.Origin.Session == parent.ID })
	if err != nil || i < 0 {
		return p.reported(err)
	}
	if err := p.leave(); err != nil {
		return err
	}
	opened, err := p.Store.Open(ctx, all[i].ID)
	if err == nil {
		p.show(opened, false)
		p.open.Pause() // with open requests it asks before it starts
	}
	return err
}

func (p *Program) quit(ctx context.Context, _ string) error {
	if p.open.Running() {
		yes, err := p.confirm(ctx, p.open.Unfinished()+" Quit?", "no")
		if err != nil || !yes {
			return err
		}
	}
	return errQuit
}

// read reads a file or a folder and asks whether the seats are to see it; it returns nothing if
// not. Yes is not the preset answer if there is something to know before.
func (p *Program) read(ctx context.Context, path string) ([]debate.Evidence, error) {
	found, notices, err := p.Setup.Read(ctx, path)
	if err != nil || len(found) == 0 {
		return nil, p.reported(err)
	}
	preset, size := "yes", 0
	for _, notice := range notices {
		p.say("! %s", text.Line(notice))
		preset = "no"
	}
	for _, e := range found {
		size += e.Size
	}
	what := fmt.Sprintf("Attach %s, %s? Every seat reads it.", text.Count(len(found), "file"), text.Bytes(int64(size)))
	if yes, err := p.confirm(ctx, what, preset); !yes {
		return nil, err
	}
	return found, nil
}

// attach adds a file or a folder to the evidence of the open debate.
func (p *Program) attach(ctx context.Context, path string) error {
	found, err := p.read(ctx, path)
	if err != nil || found == nil {
		return err
	}
	s, err := p.AddEvidence(context.WithoutCancel(ctx), p.open.Session().ID, found...)
	if err != nil {
		return p.reported(err)
	}
	p.open.SetEvidence(s.Evidence)
	for _, e := range s.Evidence[max(len(s.Evidence)-len(found), 0):] {
		p.say("Evidence %s. Texts cite it as [%s].", text.Line(e.Name), e.ID)
	}
	return nil
}
