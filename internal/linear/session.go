package linear

import (
	"cmp"
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

type session struct {
	*control.Controller
	report *headless.TextReporter
	left   bool   // the open requests wait until the user asks for them
	hint   string // the last one that was written
}

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
	p.show(s)
	p.open.report.Begin(s, true)
	if p.open.Pause(); s.Verdict != nil {
		p.open.report.Event(debate.Concluded{Session: s, At: s.Updated})
	}
	return p.play(ctx)
}

func (p *Program) show(s debate.Session) {
	c := control.New(s, control.Options{
		Player: p.Player, Writer: p.Store, ReadOnly: p.Store.ReadOnly(), Author: p.Author,
	})
	p.open = &session{Controller: c, report: &headless.TextReporter{Out: p.out, Session: s, Commands: p.Commands}}
}

// play plays the open session until the user leaves it or quits. Its error is never nil.
func (p *Program) play(ctx context.Context) error {
	for {
		if err := p.step(ctx); err != nil && !errors.Is(err, errRunEnded) && !errors.Is(err, errCancelled) {
			p.out.release()
			if p.open.Running() {
				p.open.Run().Stop()
				for ev := range p.open.events() {
					p.handle(ev, true)
				}
				p.handle(nil, false)
			}
			return err
		}
	}
}

func (p *Program) step(ctx context.Context) error {
	s, prompt := p.open, "> "
	switch next := s.Next(); next.Kind {
	case control.Watch, control.AskApproval, control.WaitUntil:
		prompt = ""
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
	case control.Idle, control.Finished:
	}
	if hint := p.hint(); prompt != "" && hint != s.hint {
		s.hint = hint
		p.say("%s", hint)
	}
	raw, err := p.readLine(ctx, prompt)
	if err != nil {
		return err
	}
	return p.command(ctx, raw)
}

// do carries out an action, and says what has come of it, with the command that helps.
func (p *Program) do(ctx context.Context, id control.ID, v control.Values) error {
	told, err := p.open.Act(ctx, id, v)
	if err == nil && told.Text != "" {
		p.tell("%s", told.Text+commandFor(told.Fix, told.Verb))
	}
	return err
}

// reported writes why a wish of the user was not carried out, with the command that helps.
func (p *Program) reported(err error) error {
	if err != nil {
		p.say("! %s", sentence(err)+commandFor(control.FixOf(err), ""))
	}
	return nil
}

func commandFor(id control.ID, verb string) string {
	if id == "" {
		return ""
	}
	a := control.ActionOf(id)
	return fmt.Sprintf(" %s: %s.", strings.TrimSpace("/"+string(id)+" "+a.Usage()), cmp.Or(verb, a.Verb()))
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
		outcome := map[bool]string{true: "Allowed", false: "Denied"}[ev.Approval.Allows()]
		p.tell("%s: the command of %s.", outcome, text.Line(s.Session().NameOf(ev.Turn.Agent)))
	case debate.Refused:
		p.tell("! %s", text.Line(ev.Text))
	default: // it is reported
	}
}

// tell writes a line as events are written: after the dialog that holds the output.
func (p *Program) tell(format string, args ...any) {
	fmt.Fprint(p.out, text.Clean(fmt.Sprintf(format, args...))+"\n") //nolint:errcheck // output.err has it
}

func (p *Program) runEnded() {
	told := p.open.RunEnded()
	if p.open.left = false; told.Text != "" {
		p.tell("! %s", told.Text+commandFor(told.Fix, told.Verb))
	}
}

// hint says how to continue a session in which nothing runs, or why it cannot be changed.
func (p *Program) hint() string {
	c, words := p.open, p.state()
	s, state := c.Session(), c.Words().State(time.Now())
	switch next := c.Next().Kind; {
	case c.ReadOnly != "":
	case next == control.Finished:
		spent := budget.TotalSpending(s)
		words = fmt.Sprintf("Verdict ready: %s. /ask QUESTION asks the chair, /export writes a file, /add-rounds adds a round, "+
			"/fork starts from an earlier round with one thing changed, /back lists the debates.",
			report.Spent(spent.Usage, spent.Cost, s.Speakers()...))
		if at := report.ProgressOf(s, false); at.State == report.AskedAfter {
			words += fmt.Sprintf(" %s: /answer answers, /add-rounds plays a round with that.", at.Waits)
		}
	case next == control.AskUser:
		words += " /continue asks for them."
	case state.Next != "":
		words += strings.TrimSuffix(" /continue: "+state.Next+". "+state.Cost, " ")
		if state.Open.CanGoOn() {
			words += " /go-on: go on without " + text.Line(state.Open.Missing()) + "."
		}
	}
	return words + " /help lists the commands."
}

func (p *Program) state() string {
	return text.Line(strings.Join(p.open.Words().State(time.Now()).Lines, " "))
}
