package linear

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// command is a line that begins with a slash: an action of the session, or what only reads
// or leaves it.
type command struct {
	name, args, help string
	why              error // why it is not possible now; nil: it is
	writes           bool
	run              func(ctx context.Context, p *Program, arg string) error
}

// shorter are other names of the commands of actions.
func shorter() map[string]control.ID {
	return map[string]control.ID{
		"/start": control.Continue, "/stop": control.PauseNow, "/cancel": control.CancelSeat, "/retry": control.RetrySeat,
		"/now": control.RetryNow, "/end": control.EndNow, "/last": control.EndAfterRound, "/rounds": control.AddRounds,
		"/budget": control.SetBudget,
	}
}

// commands lists the commands of the open debate, in the order of /help.
func (p *Program) commands() []command {
	var out []command
	for _, a := range p.open.Actions() {
		out = append(out, command{"/" + string(a.ID), a.Usage(), text.Uncapitalize(a.Title), a.WhyNot, true,
			func(ctx context.Context, p *Program, arg string) error { return p.act(ctx, a, arg) }})
	}
	idle := func(c command) command {
		if p.open.Running() {
			c.why = &control.Reason{Text: "Not while a round is running.", Instead: control.PauseNow, Verb: "pause now"}
		}
		return c
	}
	later := command{"/later", "", "leave the requests; drafts are saved", nil, true, leaveRequests}
	if p.open.Next().Kind != control.AskUser {
		later.why = &control.Reason{Text: "No required request is open."}
	}
	read := command{"/verdict", "", "read the verdict again", nil, false, verdict}
	if p.open.Session().Verdict == nil {
		read.why = &control.Reason{Text: "There is no verdict yet."}
	}
	return append(
		out, later, read,
		command{"/requests", "", "list the open requests", nil, false, requests},
		command{"/approvals", "", "decide on commands that agents want to run", nil, true, approve},
		idle(command{
			"/fork", "[ROUND] [CHANGE]", "start a new debate from the end of a round, perhaps with one thing changed; " +
				"alone it says how", nil, true, fork,
		}),
		command{"/compare", "[ID]", "compare with another debate, or a fork with its origin", nil, false, compare},
		command{"/question", "", "read the whole question, with its evidence", nil, false, question},
		command{"/prompt", "SEAT", "read the last prompt that was sent to a seat", nil, false, prompt},
		idle(command{"/rename", "NAME", "give the debate another name", nil, true, rename}),
		command{"/export", "[md|json|html|adr]", "write the debate to a file", nil, false, export},
		command{"/show", "", "read the whole debate", nil, false, transcript},
		idle(command{"/back", "", "go to the list of debates", nil, false, back}),
		command{"/help", "", "list the commands", nil, false, help},
		command{"/quit", "", "quit; everything is saved", nil, false, quit},
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
	if id, ok := shorter()[name]; ok {
		name = "/" + string(id)
		if id == control.CancelSeat && p.open.Answering() != "" {
			name = "/" + string(control.CancelAnswer)
		}
	}
	all := p.commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if i < 0 {
		names := slices.Sorted(maps.Keys(shorter()))
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
		return c.run(ctx, p, strings.TrimSpace(arg))
	}
}

// help lists the commands that are possible now.
func help(_ context.Context, p *Program, _ string) error {
	for _, c := range p.commands() {
		if c.why == nil {
			p.say("  %s: %s", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
	switch p.open.Next().Kind {
	case control.Watch, control.AskApproval, control.WaitUntil:
		p.say("A line without a slash is a message to all seats; you are asked before it is sent.")
	case control.AskUser:
		p.say("  /unavailable REASON: there is no answer, and why\n  /skip: go to the next request, this one is kept as a draft\n" +
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
		return answer(ctx, p, arg)
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
	case a.Again:
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
func leaveRequests(_ context.Context, p *Program, _ string) error {
	p.open.left, p.open.hint = true, ""
	return nil
}

// compare writes what differs between the debate and another one, or the one that it was
// forked from.
func compare(ctx context.Context, p *Program, arg string) error {
	s := p.open.Session()
	other := cmp.Or(arg, s.ForkedFrom)
	if other == "" {
		p.say("Give the id of another debate: /compare ID. A fork is compared with its origin.")
		return nil
	}
	return p.compareBoth(ctx, other, s.ID)
}

func (p *Program) compareBoth(ctx context.Context, first, second string) error {
	compared, err := p.Compare(ctx, first, second)
	if err != nil {
		return p.reported(err)
	}
	p.say("%s", strings.TrimRight(compared, "\n"))
	return nil
}

// verdict writes the verdict again.
func verdict(_ context.Context, p *Program, _ string) error {
	s := p.open.Session()
	p.open.report.Event(debate.Concluded{Verdict: *s.Verdict, At: s.Updated})
	return nil
}

// question writes the whole question, with its options and the evidence.
func question(_ context.Context, p *Program, _ string) error {
	s := p.open.Session()
	p.block(s.Topic)
	if answers := report.Answers(s); answers != "" {
		p.say("Answers: %s.", answers)
	}
	for _, e := range s.Evidence {
		p.say("Evidence %s", report.EvidenceLine(e))
	}
	return nil
}

// rename gives the debate another name.
func rename(ctx context.Context, p *Program, arg string) error {
	if arg == "" {
		p.say("Give the new name: /rename NAME.")
		return nil
	}
	if err := p.Store.Rename(ctx, p.open.Session().ID, arg); err != nil {
		return p.reported(err)
	}
	p.open.SetTitle(arg)
	p.say("The debate is called %s now. /question still reads the question.", text.Line(arg))
	return nil
}

// prompt writes the last prompt that was sent to a seat.
func prompt(ctx context.Context, p *Program, arg string) error {
	v, err := p.open.Parse(control.RetrySeat, arg)
	if err != nil {
		return p.reported(err)
	}
	sent, err := p.Prompt(ctx, p.open.Session().ID, v.Seat)
	if err != nil {
		return p.reported(err)
	}
	p.say("%s", strings.TrimRight(sent, "\n"))
	return nil
}

// export writes the debate to a file in the current folder.
func export(ctx context.Context, p *Program, arg string) error {
	path, err := p.Export(ctx, p.open.Session(), p.open.Running(), strings.ToLower(cmp.Or(arg, "md")))
	if err != nil {
		return p.reported(err)
	}
	p.say("Wrote %s.", text.Line(path))
	return nil
}

// transcript writes the whole debate as it is stored.
func transcript(ctx context.Context, p *Program, _ string) error {
	stored, err := p.Store.Session(ctx, p.open.Session().ID)
	if err != nil {
		return p.reported(err)
	}
	headless.NewTextReporter(p.out, false).Transcript(stored)
	return nil
}

func quit(ctx context.Context, p *Program, _ string) error {
	if p.open.Running() {
		yes, err := p.confirm(ctx, p.open.Unfinished()+" Quit?", "no")
		if err != nil || !yes {
			return err
		}
	}
	return errQuit
}

func back(context.Context, *Program, string) error { return errBack }
