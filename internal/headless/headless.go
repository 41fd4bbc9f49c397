// Package headless plays debates without a screen and reports them, as text for
// people or as JSON lines for programs.
//
// It imports the engine that plays, the report that words figures and verdicts, and
// the values of package debate. It must not know commands, flags, exit codes, the
// configuration or where sessions are stored.
package headless

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// SignalError is the cause of a context that was cancelled by a signal.
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "signal " + e.Signal.String() }

// Reporter writes the output of a headless debate. Begin is called first and End last;
// Err returns the first error of writing.
type Reporter interface {
	Begin(s debate.Session, resumed bool)
	Event(ev debate.Event)
	End(e Result)
	Err() error
}

// ResultKind says how a headless command left a session. It is the type of the last
// JSON line.
type ResultKind string

// The kinds of results.
const (
	Completed    ResultKind = "session.completed"
	Failed       ResultKind = "session.failed"
	NeedsContext ResultKind = "session.needs_context"
	Stopped      ResultKind = "session.stopped"
	Paused       ResultKind = "session.paused"
)

// Result is how a headless command left a session, and why.
type Result struct {
	Kind    ResultKind
	Session debate.Session
	Reason  string
	Err     error // nil if there is a verdict

	// What the verdict was required to be; nil if it was not.
	Required *Requirement
	Person   *PersonRequirement
}

// PersonRequirement is that a person has given all required answers.
type PersonRequirement struct {
	Met    bool         `json:"met"`
	Others []AnsweredBy `json:"others,omitempty"`
}

// AnsweredBy is a request with who answered it.
type AnsweredBy struct {
	Request string        `json:"request"`
	By      ledger.Author `json:"by"` // empty: it was not stored, or nobody answered
	Open    bool          `json:"open,omitempty"`
}

// Requirement is what a verdict has to be, such as a side, and whether it is.
type Requirement struct {
	Label string `json:"label"` // as the user named it
	verdict.Finding
}

type sessionStore interface {
	control.Writer
	// Check returns an error if what was saved cannot be found again.
	Check() error
}

type preparedAnswers interface {
	// Match returns the answer to a request; it returns each answer once.
	Match(r ledger.Request) (ledger.Submission, bool)
	// Leftovers says in a sentence which answers were not used; "" if all were.
	Leftovers() string
}

// Chosen is an action that was chosen on the command line, with its arguments.
type Chosen struct {
	ID   control.ID
	Args string
	Flag string // that chose it; "": one of its name
}

// Check returns why an action that was chosen is not possible in a session; nil if all are.
func (p *Player) Check(s debate.Session) error {
	c := p.conduct(s)
	for _, one := range p.First {
		v, err := c.Parse(one.ID, one.Args)
		if err == nil {
			err = c.Check(one.ID, v)
		}
		if err != nil {
			return fmt.Errorf("--%s: %w", cmp.Or(one.Flag, string(one.ID)), err)
		}
	}
	return nil
}

func (p *Player) conduct(s debate.Session) *control.Controller {
	return control.New(s, control.Options{
		Player: p.Player, Writer: p.Store, Planned: true, Author: p.Author,
	})
}

// Player plays sessions without a screen.
type Player struct {
	Store    sessionStore
	Player   control.Player
	Reporter Reporter
	Answers  preparedAnswers
	AskUser  func(ctx context.Context, r ledger.Request) (string, error) // "" leaves it open; nil asks nobody
	First    []Chosen                                                    // what is done before the session is played
	Author   ledger.Author                                               // of what is chosen
	GoOn     bool                                                        // a round that only one seat answered ends without the others
	Now      func() time.Time

	Commands text.Program // words command lines
}

// Play plays a session until it has its verdict, needs an answer of the user, or cannot
// continue. The result is Failed if what was saved is lost meanwhile.
func (p *Player) Play(ctx context.Context, s debate.Session) Result {
	e := p.play(ctx, p.conduct(s))
	if words := p.Answers.Leftovers(); words != "" {
		p.Reporter.Event(debate.Noticed{Notice: debate.Notice{Code: "answers_unused", Text: words, At: p.Now()}})
	}
	if err := p.Store.Check(); err != nil {
		return Result{Kind: Failed, Session: e.Session, Reason: oneLine(err), Err: err}
	}
	return e
}

func (p *Player) play(ctx context.Context, c *control.Controller) Result {
	for _, one := range p.First {
		v, err := c.Parse(one.ID, one.Args)
		if err == nil {
			err = p.act(ctx, c, one.ID, v)
		}
		if err != nil {
			return p.endedBy(ctx, c.Session(), err)
		}
	}
	for {
		var err error
		switch next := c.Next(); {
		case next.Kind == control.Finished:
			return concluded(c.Session())
		case next.Kind == control.AskUser && p.AskUser != nil:
			err = p.ask(ctx, c)
		case p.GoOn && c.WhyNot(control.GoOn) == nil:
			err = p.act(ctx, c, control.GoOn, control.Values{})
		case next.Kind == control.Play:
			err = p.act(ctx, c, next.Action, control.Values{})
		default: // only what a person decides is left
			return p.endedBy(ctx, c.Session(), c.WhyNot(control.Continue))
		}
		if err != nil && !(p.GoOn && c.WhyNot(control.GoOn) == nil) {
			return p.endedBy(ctx, c.Session(), err)
		}
	}
}

// act carries out an action, and reports the run that it begins.
func (p *Player) act(ctx context.Context, c *control.Controller, id control.ID, v control.Values) error {
	_, err := c.Act(ctx, id, v)
	if err == nil && c.Running() {
		err = p.follow(ctx, c)
	}
	return err
}

// ask asks for the answers to the open requests. Its error says why the next round cannot start.
func (p *Player) ask(ctx context.Context, c *control.Controller) error {
	for _, r := range c.Session().OpenRequests() {
		for {
			said, err := p.AskUser(ctx, r)
			switch {
			case err != nil:
				return err
			case said == "" && r.Priority == ledger.Required:
				return c.WhyNot(control.Continue)
			case said != "":
				err = p.answerOf(ctx, c, ledger.Submission{Request: r.ID, Outcome: ledger.Answered, Content: said})
			}
			if !control.Rejected(err) {
				if err != nil {
					return err
				}
				break
			}
			p.Reporter.Event(debate.Noticed{Notice: debate.Notice{Text: text.Sentence(oneLine(err)), At: p.Now()}})
		}
	}
	return nil
}

func (p *Player) answerOf(ctx context.Context, c *control.Controller, sub ledger.Submission) error {
	if _, err := c.Act(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}}); err != nil {
		return err
	}
	if answered, ok := c.Session().Request(sub.Request); ok {
		p.Reporter.Event(debate.ContextChanged{Request: answered, At: p.Now()})
	}
	return nil
}

func concluded(s debate.Session) Result {
	switch {
	case s.Stopped == debate.StoppedByBudget, s.OwesReport():
		return Result{Kind: Stopped, Session: s, Reason: string(debate.StoppedByBudget)}
	case s.Stopped.Forced():
		return Result{Kind: Stopped, Session: s, Reason: string(s.Stopped)}
	}
	return Result{Kind: Completed, Session: s}
}

func (p *Player) endedBy(ctx context.Context, s debate.Session, err error) Result {
	var blocked *debate.BlockedError
	var poor *debate.BudgetError
	var open *debate.RoundFailedError
	var waits *waitError
	var sig *SignalError
	switch {
	case errors.As(err, &poor):
		reason := fmt.Sprintf(p.Commands.Format("%s: `roundtable continue %s` takes --budget and --tokens"), oneLine(poor), s.ID)
		return Result{Kind: Stopped, Session: s, Reason: reason, Err: poor}
	case errors.As(err, &blocked):
		return Result{Kind: NeedsContext, Session: s, Err: blocked}
	case errors.As(err, &waits):
		return Result{Kind: Paused, Session: s, Reason: text.Sentence(waits.Error()) + " --now asks before that.", Err: waits}
	case errors.As(context.Cause(ctx), &sig):
		return Result{Kind: Paused, Session: s, Reason: "Stopped by " + sig.Error() + ".", Err: sig}
	case errors.As(err, &open):
		return Result{Kind: Paused, Session: s, Reason: strings.Join(openRoundLines(s, open, p.Commands), " "), Err: open}
	default:
		return Result{Kind: Failed, Session: s, Reason: oneLine(err), Err: err}
	}
}

// openRoundLines says in sentences why a round stays open, and what the user can do.
func openRoundLines(s debate.Session, open *debate.RoundFailedError, commands text.Program) []string {
	lines := []string{text.Capitalize(text.Line(open.Summary())) + "."}
	for _, c := range open.Causes {
		lines = append(lines, fmt.Sprintf("%s: %s.", text.Line(c.Name), strings.TrimSuffix(text.Line(c.Cause), ".")))
	}
	next := fmt.Sprintf("`roundtable continue %s` %s again", s.ID, text.Join(" ", "asks", text.List(s.AskedAgain())))
	if open.CanGoOn() {
		next += "; with --go-on, the debate goes on without " + text.Inflect(len(open.Causes), "it", "them")
	}
	return append(lines, commands.Hints(next+"."))
}

func oneLine(err error) string { return text.Line(err.Error()) }

// waitError reports that no agent can continue until a provider allows it.
type waitError struct {
	debate.TurnRetrying
	who string
}

// Error names the agent, the local time it waits for, and the cause.
func (e *waitError) Error() string {
	return fmt.Sprintf("%s is waiting until %s: %s", e.who, text.TimeOfDay(e.At.Local(), e.Retry.Until), text.Line(e.Retry.Cause))
}

// follow reports the run under way until it ends. It answers requests with the prepared
// answers, and stops the run once every remaining agent waits for a provider.
func (p *Player) follow(ctx context.Context, c *control.Controller) error {
	f := runFollower{Player: p, control: c, run: c.Run()}
	for ev := range f.run.Events() {
		f.handle(ctx, ev)
	}
	c.RunEnded()
	switch {
	case f.abortErr != nil:
		return f.abortErr
	case f.pausedBy != nil && f.runErr != nil:
		return f.pausedBy
	default:
		return f.runErr
	}
}

// runFollower is the state of one run, derived from its events.
type runFollower struct {
	*Player
	control  *control.Controller
	run      control.Run
	pausedBy *waitError
	abortErr error // the store or the output failed
	runErr   error
}

func (f *runFollower) handle(ctx context.Context, ev debate.Event) {
	if f.abortErr == nil {
		f.Reporter.Event(ev)
		f.abort(f.Reporter.Err())
	}
	f.control.Apply(ev)
	if next := f.control.Next(); next.Kind == control.WaitUntil && f.pausedBy == nil {
		f.pausedBy = &waitError{*next.Wait, text.Line(f.control.Session().NameOf(next.Wait.Turn.Agent))}
		f.run.Stop()
	}
	switch ev := ev.(type) {
	case debate.ContextRequested:
		f.answer(ctx, ev)
	case debate.ApprovalAsked:
		f.run.Decide(ev.CallID, denial(ev))
	case debate.RunEnded:
		f.runErr = ev.Err
	default: // only reported
	}
}

func (f *runFollower) abort(err error) {
	if err != nil && f.abortErr == nil {
		f.abortErr = err
		f.run.Stop()
	}
}

func denial(ev debate.ApprovalAsked) debate.Approval {
	if ev.EachTime != "" {
		return debate.Approval{Choice: debate.ApprovalDenied, Reason: "nobody is here to approve it; it is " + ev.EachTimeLine()}
	}
	return debate.Approval{Choice: debate.ApprovalDenied, Reason: "nobody is here to approve it, and --allow-command does not name it"}
}

func (f *runFollower) answer(ctx context.Context, ev debate.ContextRequested) {
	sub, ok := f.Answers.Match(ev.Request)
	if !ok || f.abortErr != nil {
		return
	}
	if err := f.answerOf(ctx, f.control, sub); err != nil {
		f.abort(fmt.Errorf("record the answer to %s: %w", ev.Request.ID, err))
	}
}

// Ask asks a follow-up question, and reports until there is an answer. The result is Completed
// then, and Paused if the provider asks to wait for longer.
func (p *Player) Ask(ctx context.Context, s debate.Session, v control.Values) Result {
	c := p.conduct(s)
	err := p.act(ctx, c, control.AskFollowUp, v)
	if err = cmp.Or(p.Store.Check(), err); err != nil {
		return p.endedBy(ctx, c.Session(), err)
	}
	e := Result{Kind: Completed, Session: c.Session()}
	answer := e.Session.FollowUps[len(e.Session.FollowUps)-1]
	if x := answer.Response; x.Failure != nil && x.Failure.Kind == agents.KindBudget {
		e.Kind, e.Err = Stopped, errors.New(strings.TrimSuffix(x.Failure.Cause, "."))
	} else if !answer.Answered() {
		e.Kind, e.Err = Failed, fmt.Errorf("%s did not answer: %s", s.FollowUpName(answer), answer.Problem())
	}
	return e
}

func (l *TextReporter) followUp(f debate.FollowUp) {
	l.line("You asked %s: %s", l.seat(f.Response.Turn.Agent), text.Line(f.Question))
	if problem := f.Problem(); problem != "" {
		l.line("! %s", text.Line(problem))
	}
	if f.Answered() {
		l.block(f.Text())
	}
}
