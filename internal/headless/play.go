package headless

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
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

	Required *Requirement // nil if any verdict will do, or there is none
}

// Requirement is the side that a verdict has to have.
type Requirement struct {
	Side string `json:"side"` // as the user named it
	Met  bool   `json:"met"`
}

// sessionStore is what a Player needs of a store.
type sessionStore interface {
	control.Writer
	// Check returns an error if what was saved cannot be found again.
	Check() error
}

// preparedAnswers are answers that the user wrote before the debate.
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
			return fmt.Errorf("--%s: %w", one.ID, err)
		}
	}
	return nil
}

func (p *Player) conduct(s debate.Session) *control.Controller {
	return control.New(s, control.Options{Player: p.Player, Writer: p.Store})
}

// Player plays sessions without a screen.
type Player struct {
	Store    sessionStore
	Player   control.Player
	Reporter Reporter
	Answers  preparedAnswers
	First    []Chosen // what is done before the session is played
	GoOn     bool     // a round that only one seat answered ends without the others
	Now      func() time.Time
	Log      *slog.Logger

	AllowCommands [][]string // beginnings of commands that agents may run; all others are denied
}

// Play plays a session until it has its verdict, needs an answer of the user, or cannot
// continue. The result is Failed if what was saved is lost meanwhile.
func (p *Player) Play(ctx context.Context, s debate.Session) Result {
	e := p.play(ctx, p.conduct(s))
	if err := p.Store.Check(); err != nil {
		return Result{Kind: Failed, Session: e.Session, Reason: oneLine(err), Err: err}
	}
	return e
}

func (p *Player) play(ctx context.Context, c *control.Controller) Result {
	for _, one := range p.First {
		v, err := c.Parse(one.ID, one.Args)
		if err == nil {
			_, err = c.Act(ctx, one.ID, v)
		}
		if err == nil && c.Running() {
			err = p.follow(ctx, c)
		}
		if err != nil {
			return p.endedBy(ctx, c.Session(), err)
		}
	}
	for {
		next := c.Next()
		switch {
		case next.Kind == control.Finished:
			return p.concluded(c.Session())
		case p.GoOn && c.WhyNot(control.GoOn) == nil:
			next = control.Step{Kind: control.Play, Action: control.GoOn}
		case next.Kind != control.Play: // only what a person decides is left
			return p.endedBy(ctx, c.Session(), c.WhyNot(control.Continue))
		}
		if _, err := c.Act(ctx, next.Action, control.Values{}); err != nil {
			return p.endedBy(ctx, c.Session(), err)
		}
		if err := p.follow(ctx, c); err != nil && !(p.GoOn && c.WhyNot(control.GoOn) == nil) {
			return p.endedBy(ctx, c.Session(), err)
		}
	}
}

// concluded returns the result of a session that has its verdict.
func (p *Player) concluded(s debate.Session) Result {
	p.reportUnused()
	if s.Stopped.Forced() {
		return Result{Kind: Stopped, Session: s, Reason: string(s.Stopped)}
	}
	return Result{Kind: Completed, Session: s}
}

// reportUnused reports prepared answers that no request asked for.
func (p *Player) reportUnused() {
	if text := p.Answers.Leftovers(); text != "" {
		p.Reporter.Event(debate.Noticed{Notice: debate.Notice{Code: "answers_unused", Text: text, At: p.Now()}})
	}
}

// endedBy returns the result of a run that err ended before the verdict.
func (p *Player) endedBy(ctx context.Context, s debate.Session, err error) Result {
	var blocked *debate.BlockedError
	var poor *debate.BudgetError
	var open *debate.RoundFailedError
	var waits *waitError
	var sig *SignalError
	switch {
	case errors.As(err, &poor):
		reason := fmt.Sprintf("%s: `roundtable continue %s` takes --budget and --tokens", oneLine(poor), s.ID)
		return Result{Kind: Stopped, Session: s, Reason: reason, Err: poor}
	case errors.As(err, &blocked):
		p.reportUnused()
		return Result{Kind: NeedsContext, Session: s, Err: blocked}
	case errors.As(err, &waits):
		return Result{Kind: Paused, Session: s, Reason: waits.Error(), Err: waits}
	case errors.As(context.Cause(ctx), &sig):
		return Result{Kind: Paused, Session: s, Reason: "Stopped by " + sig.Error() + ".", Err: sig}
	case errors.As(err, &open):
		p.reportUnused()
		return Result{Kind: Paused, Session: s, Reason: strings.Join(openRoundLines(s, open), " "), Err: open}
	default:
		return Result{Kind: Failed, Session: s, Reason: oneLine(err), Err: err}
	}
}

// openRoundLines says in sentences why a round stays open, and what the user can do.
func openRoundLines(s debate.Session, open *debate.RoundFailedError) []string {
	lines := []string{text.Capitalize(text.Line(open.Summary())) + "."}
	for _, c := range open.Causes {
		lines = append(lines, fmt.Sprintf("%s: %s.", text.Line(c.Name), strings.TrimSuffix(text.Line(c.Cause), ".")))
	}
	var again []string
	for _, d := range debate.AskFailed(s) {
		if name := text.Line(s.NameOf(d.Turn.Agent)); !slices.Contains(again, name) {
			again = append(again, name)
		}
	}
	next := fmt.Sprintf("`roundtable continue %s` asks %s again", s.ID, text.List(again))
	if len(again) == 0 {
		next = fmt.Sprintf("`roundtable continue %s` tries again", s.ID)
	}
	if open.CanGoOn() {
		next += "; with --go-on, the debate goes on without " + text.Inflect(len(open.Causes), "it", "them")
	}
	return append(lines, next+".")
}

// oneLine returns the message of an error as one safe line.
func oneLine(err error) string { return text.Line(err.Error()) }
