package linear

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// command is a line that begins with a slash: an action of the session, or what only reads
// or leaves it.
type command struct {
	name, args, help string
	why              error // why it is not possible now; nil: it is
	writes           bool
	run              func(ctx context.Context, arg string) error
}

// otherNames are other names of commands: those of other front ends, and shorter ones.
func otherNames() map[string]string {
	names := map[string]string{"/question": "/topic", "/receipt": "/prompt", "/transcript": "/show", "/debates": "/back"}
	for name, id := range map[string]control.ID{
		"/start": control.Continue, "/stop": control.PauseNow, "/cancel": control.CancelSeat, "/retry": control.RetrySeat,
		"/now": control.RetryNow, "/end": control.EndNow, "/last": control.EndAfterRound, "/rounds": control.AddRounds,
		"/budget": control.SetBudget,
	} {
		names[name] = "/" + string(id)
	}
	return names
}

// commands lists the commands of the open debate, in the order of /help.
func (p *Program) commands() []command {
	var out []command
	for _, a := range p.open.Actions() {
		out = append(out, command{
			"/" + string(a.ID), a.Usage(), a.Verb(), a.WhyNot, true,
			func(ctx context.Context, arg string) error { return p.act(ctx, a, arg) },
		})
	}
	idle := func(c command) command {
		if p.open.Running() {
			c.why = &control.Reason{Text: "Not while a round is running.", Instead: control.PauseNow, Verb: "pause now"}
		}
		return c
	}
	later := command{"/later", "", "leave the questions; drafts are saved", nil, true, p.leaveRequests}
	if p.open.Next().Kind != control.AskUser {
		later.why = &control.Reason{Text: "No required question is open."}
	}
	read := command{"/verdict", "", "read the verdict again", nil, false, p.verdict}
	if p.open.Session().Verdict == nil {
		read.why = &control.Reason{Text: "There is no verdict yet."}
	}
	return append(
		out, later, read,
		command{"/requests", "", "list the open questions", nil, false, p.requests},
		command{"/approvals", "", "decide on commands that seats want to run", nil, true, p.approve},
		idle(command{
			"/fork", "[ROUND] [FLAGS]", "start a new debate from the end of a round; alone it says how", nil, true, p.fork,
		}),
		command{"/topic", "", "read the whole topic, with its evidence", nil, false, p.topic},
		command{"/prompt", "SEAT", "read the last prompt that was sent to a seat", nil, false, p.prompt},
		idle(command{"/rename", "NAME", "give the debate another name", nil, true, p.rename}),
		command{"/export", "[md|json|html]", "write the debate to a file", nil, false, p.export},
		command{"/show", "[ROUND]", "read the whole debate, or a round", nil, false, p.print("show")},
		idle(command{"/back", "", "go to the list of debates", nil, false, p.back}),
		command{"/help", "", "list the commands", nil, false, p.help},
		command{"/quit", "", "quit; everything is saved", nil, false, p.quit},
	)
}

// command carries out a line that was read.
func (p *Program) command(ctx context.Context, raw string) error {
	name, arg, _ := strings.Cut(strings.TrimSpace(raw), " ")
	switch {
	case name == "":
		return nil
	case name[0] != '/':
		send := "/tell TEXT sends a message to the seats"
		if p.open.Session().Verdict != nil {
			send = "/ask QUESTION asks the chair"
		}
		p.say("Commands begin with a slash. %s, /help lists the commands.", send)
		return nil
	}
	if other, ok := otherNames()[name]; ok {
		if name = other; other == "/"+string(control.CancelSeat) && p.open.Answering() != "" {
			name = "/" + string(control.CancelAnswer)
		}
	}
	all := p.commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		names := slices.Sorted(maps.Keys(otherNames()))
		for _, c := range all {
			names = append(names, c.name)
		}
		p.say("There is no command %s%s. /help lists the commands.", text.Label(name), text.DidYouMean(name, names))
		return nil
	}
	switch c := all[i]; {
	case p.open.ReadOnly != "" && c.writes:
		p.say("The database is read-only: you can read and export, but not change anything.")
		return nil
	case c.why != nil && name == "/"+string(control.Continue) && p.open.Next().Kind == control.AskUser && p.open.left:
		p.open.left = false
		return nil
	case c.why != nil:
		p.say("%s", why(c.why))
		return nil
	default:
		return c.run(ctx, strings.TrimSpace(arg))
	}
}

// help lists the commands that are possible now.
func (p *Program) help(context.Context, string) error {
	for _, c := range p.commands() {
		if c.why == nil {
			p.say("  %s: %s", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
	switch p.open.Next().Kind {
	case control.Watch, control.AskApproval, control.WaitUntil:
		p.say("A line without a slash is a message to all seats; you are asked before it is sent.")
	case control.AskUser:
		p.say("  /unavailable REASON: there is no answer, and why\n  /skip: go to the next question, this one is kept as a draft\n" +
			"  /editor: write the answer in your editor\n  /discard: drop the draft\n" +
			"A line that begins with a slash or is a single dot is written with one more: // or ..")
	default:
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
	if err == nil && v.Text != "" && slices.Contains(a.Args, control.TextArg) {
		if v.Text, err = p.attachHere(ctx, v.Text); err != nil {
			return err
		}
	}
	if err == nil {
		err = p.open.Check(a.ID, v)
	}
	if err != nil {
		p.say("! %s", why(err))
		return nil
	}
	question, preset := p.open.Question(a.ID, v), "no"
	switch {
	case a.Toggle:
		question = ""
	case a.ID == control.Interject:
		question = "Send this?"
		p.say("To %s: %s", p.addressee(v.Seat, "all seats"), text.Line(v.Text))
	case a.ID == control.AskFollowUp && v.Seat != "":
		question, preset = "Ask this?", "yes"
		p.say("To %s only: %s", text.Line(p.open.Session().NameOf(v.Seat)), text.Line(v.Text))
	}
	if slices.Contains(a.Args, control.TextArg) && a.ID != control.AskFollowUp {
		if note := p.open.LaterNote("yes adds one and sends this"); note != "" {
			p.say("%s", note)
			question = cmp.Or(question, "Save this?")
		}
	}
	if question != "" {
		yes, err := p.confirm(ctx, question, preset)
		if err != nil {
			return err
		}
		if !yes {
			p.say("%s", cmp.Or(map[control.ID]string{control.Interject: "Not sent.", control.AskFollowUp: "Not asked."}[a.ID], "Not done."))
			return nil
		}
	}
	p.open.left, p.open.hint = false, ""
	if err := p.do(ctx, a.ID, v); err != nil {
		return p.reported(err)
	}
	if who := p.open.Answering(); a.ID == control.AskFollowUp && who != "" {
		p.say("Asked %s. The answer is written here when it is complete; /cancel cancels it.", who)
	}
	return nil
}

// addressee names a seat, or all.
func (p *Program) addressee(seat agents.ID, all string) string {
	if seat == "" {
		return all
	}
	s := p.open.Session()
	_, n := s.Seat(seat)
	return fmt.Sprintf("%d %s only", n, text.Line(s.NameOf(seat)))
}

// reported writes why a wish of the user was not carried out.
func (p *Program) reported(err error) error {
	if err != nil {
		p.say("! %s", why(err))
	}
	return nil
}

// leaveRequests leaves the open requests until the user asks for them.
func (p *Program) leaveRequests(context.Context, string) error {
	p.open.left, p.open.hint = true, ""
	return nil
}

// verdict writes the verdict again.
func (p *Program) verdict(context.Context, string) error {
	s := p.open.Session()
	p.open.report.Event(debate.Concluded{Session: s, At: s.Updated})
	return nil
}

// topic writes the whole topic, with its options and the evidence.
func (p *Program) topic(context.Context, string) error {
	s := p.open.Session()
	p.block(s.Topic)
	if by := s.Author.Note(); by != "" {
		p.say("The topic is %s.", text.Line(by))
	}
	if answers := report.Answers(s); answers != "" {
		p.say("Answers: %s.", answers)
	}
	for _, e := range s.Evidence {
		p.say("Evidence %s", report.EvidenceLine(e))
	}
	return nil
}

// rename gives the debate another name.
func (p *Program) rename(ctx context.Context, arg string) error {
	if arg == "" {
		p.say("Give the new name: /rename NAME.")
		return nil
	}
	if err := p.Store.Rename(ctx, p.open.Session().ID, arg); err != nil {
		return p.reported(err)
	}
	p.open.SetTitle(arg)
	p.say("The debate is called %s now. /topic still reads the topic.", text.Line(arg))
	return nil
}

// run runs a command of the program beside this one, and returns whether it succeeded.
func (p *Program) run(ctx context.Context, args ...string) bool {
	return p.Command(ctx, p.out, args...) == 0
}

// words returns what was typed behind a command as arguments, with the debate before them.
func (p *Program) words(name, arg string) ([]string, error) {
	typed, err := text.ParseCommand(name + " " + arg)
	if err != nil {
		return nil, err
	}
	return slices.Insert(typed, 1, p.open.Session().ID), nil
}

// print returns what runs a command of the program for the open debate.
func (p *Program) print(name string) func(context.Context, string) error {
	return func(ctx context.Context, arg string) error {
		args, err := p.words(name, arg)
		if err != nil {
			return p.reported(err)
		}
		p.run(ctx, args...)
		return nil
	}
}

// prompt writes the last prompt that was sent to a seat.
func (p *Program) prompt(ctx context.Context, arg string) error {
	v, err := p.open.Parse(control.RetrySeat, arg)
	if err != nil {
		return p.reported(err)
	}
	p.run(ctx, "show", p.open.Session().ID, "--prompt", string(v.Seat))
	return nil
}

// export writes the debate to a file in the current folder.
func (p *Program) export(ctx context.Context, arg string) error {
	p.run(ctx, "export", p.open.Session().ID, "--format", strings.ToLower(cmp.Or(arg, "md")))
	return nil
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

func (p *Program) back(context.Context, string) error { return errBack }

// fork makes a new debate from an earlier round of the open one, and opens it.
func (p *Program) fork(ctx context.Context, arg string) error {
	parent := p.open.Session()
	if arg == "" {
		p.say("Give the last round to keep, 0 to %d, and what changes then: /fork 1 --answer \"C1=Two days.\" "+
			"`roundtable fork --help` lists the flags.", parent.Ended())
		return nil
	}
	args, err := p.words("fork", "--round "+arg)
	if err != nil {
		return p.reported(err)
	}
	if !p.run(ctx, args...) {
		return nil
	}
	all, err := p.Store.Sessions(ctx)
	i := slices.IndexFunc(all, func(s debate.SessionSummary) bool { return s.Origin.Session == parent.ID })
	if err != nil || i < 0 {
		return p.reported(cmp.Or(err, errors.New("the fork is not in the list")))
	}
	if err := p.leave(); err != nil {
		return err
	}
	opened, err := p.Store.Open(ctx, all[i].ID)
	if err != nil {
		return err
	}
	p.show(opened, false)
	p.open.Pause() // with open requests it asks before it starts
	return nil
}
