package linear

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// session is the session that is open.
type session struct {
	*control.Controller
	report *headless.TextReporter
	left   bool   // the open requests wait until the user asks for them
	hint   string // the last one that was written
}

// events returns the events of the run; nil if there is none.
func (s *session) events() <-chan debate.Event {
	if s == nil || s.Run() == nil {
		return nil
	}
	return s.Run().Events()
}

// enter opens a saved session, which starts paused.
func (p *Program) enter(ctx context.Context, id string) error {
	s, err := p.Store.Open(ctx, id)
	if err != nil {
		return err
	}
	p.show(s, true)
	if p.open.Pause(); s.Verdict != nil {
		p.open.report.Event(debate.Concluded{Session: s, At: s.Updated})
	}
	return p.play(ctx)
}

// show makes a session the open one and writes what it is made of.
func (p *Program) show(s debate.Session, resumed bool) {
	c := control.New(s, control.Options{
		Player: p.Player, Writer: p.Store, ReadOnly: p.Store.ReadOnly(), Attended: true, Author: p.Author,
	})
	p.open = &session{Controller: c, report: headless.NewTextReporter(p.out, false)}
	p.open.report.Commands, p.open.report.Holder = p.Commands, &debate.Holder{} // no other command answers
	p.open.report.Begin(s, resumed)
}

// play plays the open session until the user leaves it or quits. Its error is never nil.
func (p *Program) play(ctx context.Context) error {
	for {
		if err := p.step(ctx); err != nil && !errors.Is(err, errRunEnded) && !errors.Is(err, errCancelled) {
			p.out.release()
			p.stopRun()
			return err
		}
	}
}

// step does what comes next: it starts a run, or reads a line of the user.
func (p *Program) step(ctx context.Context) error {
	s := p.open
	switch next := s.Next(); next.Kind {
	case control.Watch, control.AskApproval, control.WaitUntil:
		return p.steer(ctx)
	case control.AskUser:
		if !s.left {
			return p.gate(ctx)
		}
	case control.Play:
		if s.PauseForCut().Text != "" { // the hint says so
			return nil
		}
		err := p.do(ctx, next.Action, control.Values{})
		if err != nil {
			s.Pause()
		}
		return p.reported(err)
	case control.Idle, control.Decide, control.Finished:
	}
	if hint := p.hint(); hint != s.hint {
		s.hint = hint
		p.say("%s", hint)
	}
	raw, err := p.readLine(ctx, "> ")
	if err != nil {
		return err
	}
	return p.command(ctx, raw)
}

// steer reads a line while a round runs.
func (p *Program) steer(ctx context.Context) error {
	raw, err := p.readLine(ctx, "")
	switch {
	case err != nil, strings.TrimSpace(raw) == "":
		return err
	case !strings.HasPrefix(raw, "/") && p.open.Session().Verdict == nil:
		raw = "/" + string(control.Interject) + " " + raw
	}
	return p.command(ctx, raw)
}

// do carries out an action, if it is possible, and says what has come of it.
func (p *Program) do(ctx context.Context, id control.ID, v control.Values) error {
	told, err := p.open.Act(ctx, id, v)
	if err == nil {
		p.tellOf(told)
	}
	return err
}

// tellOf says what has come of an action or a run, with the command that helps.
func (p *Program) tellOf(told control.Told) {
	if told.Text != "" {
		p.tell("%s", told.Text+commandFor(told.Fix, told.Verb))
	}
}

// reported writes why a wish of the user was not carried out, with the command that helps.
func (p *Program) reported(err error) error {
	var reason *control.Reason
	var blocked *debate.BlockedError
	switch {
	case err == nil:
	case errors.As(err, &reason):
		p.say("! %s", reason.Text+commandFor(reason.Instead, reason.Verb))
	case errors.As(err, &blocked):
		p.say("! Not started. %s", control.NeedsAnswer(control.IDs(blocked.Requests), "/unavailable"))
	default:
		p.say("! %s", sentence(err)+commandFor(control.FixOf(err), ""))
	}
	return nil
}

// commandFor names the command of an action, with what it does then.
func commandFor(id control.ID, verb string) string {
	for _, a := range control.All() {
		if a.ID != id {
			continue
		}
		if verb == "" {
			verb = a.Verb()
		}
		return fmt.Sprintf(" %s: %s.", strings.TrimSpace("/"+string(id)+" "+a.Usage()), verb)
	}
	return ""
}

// stopRun stops a run that is under way, and writes its last events.
func (p *Program) stopRun() {
	if p.open == nil || !p.open.Running() {
		return
	}
	p.open.Run().Stop()
	for p.open.Running() {
		ev, ok := <-p.open.events()
		p.handle(ev, ok)
	}
}

// handle writes an event of the run. The run is over when there are no more.
func (p *Program) handle(ev debate.Event, ok bool) {
	s := p.open
	if !ok {
		p.runEnded()
		return
	}
	s.report.Event(ev)
	s.Apply(ev)
	switch ev := ev.(type) {
	case debate.ApprovalAsked:
		p.tell("It waits for you: /approvals shows it and asks.")
	case debate.ApprovalDecided:
		outcome := "denied"
		if ev.Approval.Allows() {
			outcome = "allowed"
		}
		p.tell("The command is %s: %s", outcome, text.Line(s.Session().NameOf(ev.Turn.Agent)))
	case debate.Refused:
		p.tell("! %s", text.Line(ev.Text))
	case debate.FollowUpEnded: // the hint was written before the question
		s.hint = p.hint()
	default: // it is reported
	}
}

// tell writes a line as events are written: after the dialog that holds the output.
func (p *Program) tell(format string, args ...any) {
	fmt.Fprint(p.out, text.Sanitize(fmt.Sprintf(format, args...))+"\n") //nolint:errcheck // output.err has it
}

// runEnded says why a run goes no further.
func (p *Program) runEnded() {
	s := p.open
	told := s.RunEnded()
	if s.left = false; told.Text == "" {
		return
	}
	if s.OpenRound() != nil { // the hint says what to do
		told.Fix = ""
	}
	told.Text = "! " + told.Text
	p.tellOf(told)
}

// hint says how to continue a session in which nothing runs, or why it cannot be changed.
func (p *Program) hint() string {
	c := p.open
	s, state := c.Session(), c.State(time.Now())
	words := text.Line(strings.Join(state.Lines, " "))
	switch {
	case c.ReadOnly != "":
	case s.Verdict != nil:
		spent := budget.TotalSpending(s)
		words = fmt.Sprintf("Verdict ready: %s. /ask QUESTION asks the chair, /export writes a file, /add-rounds adds a round, "+
			"/fork starts from an earlier round with one thing changed, /back lists the debates.",
			report.Spent(spent.Usage, spent.Cost, s.Speakers()...))
	case c.Next().Kind == control.AskUser:
		words += " /continue asks for them."
	case state.Next != "":
		words += strings.TrimSuffix(" /continue: "+state.Next+". "+state.Cost, " ")
		if state.Open.CanGoOn() {
			words += " /go-on: go on without " + text.Line(state.Open.Missing()) + "."
		}
	}
	return words + " /help lists the commands."
}
