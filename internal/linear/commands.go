package linear

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
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
			"/fork", "[ROUND] [CHANGE]", "start a new debate from the end of a round, perhaps with one thing changed; " +
				"alone it says how", nil, true, p.fork,
		}),
		command{"/topic", "", "read the whole topic, with its evidence", nil, false, p.topic},
		command{"/prompt", "SEAT", "read the last prompt that was sent to a seat", nil, false, p.prompt},
		idle(command{"/rename", "NAME", "give the debate another name", nil, true, p.rename}),
		command{"/export", "[md|json|html]", "write the debate to a file", nil, false, p.export},
		command{"/show", "", "read the whole debate", nil, false, p.transcript},
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

// prompt writes the last prompt that was sent to a seat.
func (p *Program) prompt(ctx context.Context, arg string) error {
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
func (p *Program) export(ctx context.Context, arg string) error {
	path, err := p.Export(ctx, p.open.Session(), p.open.Running(), strings.ToLower(cmp.Or(arg, "md")))
	if err != nil {
		return p.reported(err)
	}
	p.say("Wrote %s.", text.Line(path))
	return nil
}

// transcript writes the whole debate as it is stored.
func (p *Program) transcript(ctx context.Context, _ string) error {
	stored, err := p.Store.Session(ctx, p.open.Session().ID)
	if err != nil {
		return p.reported(err)
	}
	out := headless.NewTextReporter(p.out, false)
	out.Commands = p.Commands
	out.Transcript(stored)
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

// forking is a fork whose line is being read.
type forking struct {
	*Program
	debate.ForkPlan
	change Change
}

// fork makes a new debate from an earlier round of the open one, with at most one thing
// changed, and opens it.
func (p *Program) fork(ctx context.Context, arg string) error {
	first, rest, _ := strings.Cut(arg, " ")
	round, err := strconv.Atoi(first)
	if err != nil {
		p.forkHelp()
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
func (p *Program) forkHelp() {
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
				f.say("Not forked: %s is neither a question nor a change. /fork alone says what can change.", text.Label(word))
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
	f.Answers = []ledger.Submission{{Request: id, Outcome: outcome, Content: content, By: f.Author}}
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
