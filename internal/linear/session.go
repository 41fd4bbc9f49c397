package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// session is the session that is open, and its run.
type session struct {
	debate.Session
	report    *headless.TextReporter
	run       *engine.Run
	ended     debate.RoundEnded // the end of the run, once it was announced
	paused    bool              // nothing starts before the user says so
	cutTold   bool              // the debate paused for a prompt that was cut
	atGate    bool              // answers are taken before the next round
	pausing   bool              // the run pauses when its round ends
	approvals []debate.ApprovalAsked
	endsAfter bool             // the debate ends after the round under way
	asked     string           // who answers a follow-up question; "": no such run
	answering agents.Turn      // of that answer, once it has begun
	answered  []ledger.Request // during the run; may be newer than what it reads back
	hint      string           // what was said last of how the debate goes on
}

// running reports whether a run is under way.
func (s *session) running() bool { return s != nil && s.run != nil }

// events returns the events of the run; nil if there is none.
func (s *session) events() <-chan debate.Event {
	if !s.running() {
		return nil
	}
	return s.run.Events()
}

// enter opens a saved session, paused, and plays it.
func (p *Program) enter(ctx context.Context, id string) error {
	full, err := p.Store.Resolve(ctx, id)
	if err != nil {
		return err
	}
	s, err := p.Store.Open(ctx, full)
	if err != nil {
		return err
	}
	p.show(s, true)
	p.open.paused = s.Status() != debate.NeedsContext
	if s.Verdict != nil {
		p.open.report.Event(debate.Concluded{Verdict: *s.Verdict, At: s.Updated})
	}
	return p.play(ctx)
}

// show makes a session the open one and writes what it is made of.
func (p *Program) show(s debate.Session, resumed bool) {
	p.open = &session{Session: s, report: headless.NewTextReporter(p.out, false)}
	p.open.report.Begin(s, resumed)
}

// play plays the open session until the user leaves it or quits.
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
	switch {
	case s.running():
		return p.steer(ctx)
	case s.endsAfter && s.Verdict == nil:
		return endHere(ctx, p)
	case s.Verdict == nil && s.Status() == debate.NeedsContext && p.Store.ReadOnly() == "" && !s.paused:
		return p.gate(ctx)
	case s.Verdict != nil || s.paused || p.Store.ReadOnly() != "":
		return p.wait(ctx)
	}
	if _, cut := debate.FirstCut(s.Session); cut && !s.cutTold {
		s.paused, s.cutTold = true, true
		return nil
	}
	p.start(ctx, p.Engine.Start)
	return nil
}

// start starts a run.
func (p *Program) start(ctx context.Context, begin func(context.Context, debate.Session) *engine.Run) {
	s := p.open
	s.paused, s.pausing, s.hint, s.asked, s.answering = false, false, "", "", agents.Turn{}
	p.Prepare(s.Speakers())
	s.run = begin(ctx, s.Session)
}

// stopRun stops a run that is under way, and writes its last events.
func (p *Program) stopRun() {
	if !p.open.running() {
		return
	}
	p.open.run.Stop()
	for p.open.running() {
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
	switch ev := ev.(type) {
	case debate.RoundStarted:
		s.Session = ev.Session
	case debate.ContextRequested:
		s.Session = s.WithRequest(ev.Request)
	case debate.ContextChanged:
		s.Session = s.WithRequest(ev.Request)
	case debate.TurnEnded:
		s.Session = s.WithResponse(ev.Response)
	case debate.ApprovalAsked:
		s.approvals = append(s.approvals, ev)
		p.tell("It waits for you: /approvals shows it and asks.")
	case debate.ApprovalDecided:
		p.decided(ev)
	case debate.Refused:
		p.tell("! %s", text.Line(ev.Text))
	case debate.FollowUpStarted:
		s.answering = ev.Turn
	case debate.RoundEnded:
		s.ended = ev
	case debate.TurnStarted, debate.TurnQueued, debate.TurnAlive, debate.TurnRetrying, debate.Text, debate.ToolsCalled,
		debate.ToolStarted, debate.ToolEnded, debate.Assisting, debate.Assessed, debate.Concluding, debate.Concluded,
		debate.FollowUpEnded, debate.Noticed: // only reported
	}
}

// tell writes a line as events are written: after the dialog that holds the output.
func (p *Program) tell(format string, args ...any) {
	fmt.Fprint(p.out, text.Sanitize(fmt.Sprintf(format, args...))+"\n") //nolint:errcheck // output.err has it
}

// runEnded takes over what a run has come to, and says why it goes no further.
func (p *Program) runEnded() {
	s := p.open
	end := s.ended
	attached := s.Evidence
	s.run, s.approvals, s.Session = nil, nil, end.Session
	if len(attached) > len(s.Evidence) { // while the run read the session back
		s.Evidence = attached
	}
	for _, r := range s.answered {
		s.Session = s.WithRequest(r)
	}
	s.answered = nil
	if s.asked != "" { // how the debate goes on was said before the question
		s.asked, s.hint = "", hintFor(s.Session, p.Store.ReadOnly())
	}
	s.paused = s.pausing && s.Verdict == nil
	s.pausing = false
	var blocked *debate.BlockedError
	var failed *debate.RoundFailedError
	var poor *debate.BudgetError
	switch {
	case end.Err == nil, errors.As(end.Err, &blocked):
		return
	case errors.Is(end.Err, context.Canceled), errors.Is(end.Err, debate.ErrStopped):
	case errors.As(end.Err, &failed):
		p.tell("! %s.", text.Capitalize(text.Line(failed.Summary())))
		for _, c := range failed.Causes {
			p.tell("  %s: %s", text.Line(c.Name), text.Line(c.Cause))
		}
	case errors.As(end.Err, &poor):
		p.tell("! %s /budget DOLLARS raises it.", sentence(poor))
	default:
		p.tell("! %s", sentence(end.Err))
	}
	s.paused, s.endsAfter = true, false
}

// wait says how the debate can go on, once, and carries out a command.
func (p *Program) wait(ctx context.Context) error {
	s := p.open
	if hint := hintFor(s.Session, p.Store.ReadOnly()); hint != s.hint {
		s.hint = hint
		p.say("%s", hint)
	}
	p.out.write("> ")
	raw, err := p.readLine(ctx)
	if err != nil {
		return err
	}
	return p.command(ctx, s.state(), raw)
}

// hintFor says how a session that does not run can go on, or why it cannot be changed.
func hintFor(s debate.Session, readOnly string) string {
	const help = " /help lists the commands."
	open := debate.OpenRound(s)
	first, cut := debate.FirstCut(s)
	switch {
	case readOnly != "":
		return text.Line(readOnly) + " You can read and export, but not continue." + help
	case s.Verdict != nil:
		spent := budget.TotalSpending(s)
		compare := ""
		if s.ForkedFrom != "" {
			compare = " /compare says what the fork changed."
		}
		return fmt.Sprintf("Verdict ready: %s. /ask QUESTION asks the chair, /export writes a file, /rounds 1 adds a round, "+
			"/fork starts from an earlier round with one thing changed, /back lists the debates.",
			report.Spent(spent.Usage, spent.Cost, s.Speakers()...)) + compare + help
	case s.Status() == debate.NeedsContext:
		return fmt.Sprintf("Paused. %d required left; /continue asks for them.", len(s.Unanswered())) + help
	case open.CanGoOn():
		return "Round " + fmt.Sprint(open.Round) + " stays open. /continue asks " + text.Line(open.Missing()) +
			" again, /go-on goes on without." + help
	case open != nil:
		return fmt.Sprintf("Round %d stays open; nothing is lost. /continue asks again.", open.Round) + help
	case s.Status() == debate.Drafted:
		return "Paused before round 1. /continue starts it." + help
	case s.Status() == debate.Interrupted:
		return fmt.Sprintf("Paused in round %d of %d. /continue asks those that have not answered.", len(s.History), s.Rounds) + help
	case s.Next() == 0:
		return fmt.Sprintf("Paused after round %d, the last. /continue has the verdict written.", len(s.History)) + help
	case cut:
		return fmt.Sprintf("Paused after round %d of %d. %s %s /continue starts round %d all the same.", first.Round, s.Rounds,
			text.Line(first.Text()), text.Line(first.Cut.Remedy), s.Next()) + help
	default:
		return fmt.Sprintf("Paused after round %d of %d. /continue starts the next.", len(s.History), s.Rounds) + help
	}
}

// steer reads a line while a round runs.
func (p *Program) steer(ctx context.Context) error {
	raw, err := p.readLine(ctx)
	if err != nil || strings.TrimSpace(raw) == "" {
		return err
	}
	if strings.HasPrefix(raw, "/") {
		return p.command(ctx, p.open.state(), raw)
	}
	if p.open.asked != "" {
		p.say("%s is still answering; ask again when the answer is here. /cancel cancels it.", p.open.asked)
		return nil
	}
	return p.interject(ctx, "", raw)
}

// recipients says who reads an answer.
func (p *Program) recipients(s debate.Session) string {
	var names []string
	for _, a := range s.Speakers() {
		name, ok := p.Recipient(a.Provider)
		if name = text.Line(name); ok && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "models on this machine"
	}
	return text.List(names)
}
