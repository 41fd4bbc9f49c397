package headless

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
)

// SignalError is the cause of a context that a signal has ended.
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "signal " + e.Signal.String() }

// Reporter is told what happens in a headless debate. Begin comes first and end
// last; what it cannot write is the error of failed.
type Reporter interface {
	Begin(s debate.Session, resumed bool)
	Event(ev debate.Event)
	End(e Result)
	Err() error
}

// EndKind is how a headless command left a session. It is the type of the last
// event.
type ResultKind string

const (
	Completed    ResultKind = "session.completed"
	Failed       ResultKind = "session.failed"
	NeedsContext ResultKind = "session.needs_context"
	Stopped      ResultKind = "session.stopped"
	Paused       ResultKind = "session.paused"
)

// Ending says how a headless command left a session, and why.
type Result struct {
	Kind    ResultKind
	Session debate.Session
	Reason  string
	Err     error // why it stopped before the verdict; nil if it did not
}

// answerer records the user's answers and returns the requests that they settled.
type answerer interface {
	Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error)
}

// preparedAnswers are answers that were written down before the debate.
type preparedAnswers interface {
	// match returns the answer to a request, each at most once.
	Match(r ledger.Request) (ledger.Submission, bool)
	// leftovers says which answers no request has asked for; "" if none is left.
	Leftovers() string
}

// Player plays a session without a screen until it needs somebody.
type Player struct {
	Store    answerer
	Engine   *engine.Engine
	Reporter Reporter
	Answers  preparedAnswers
	Now      func() time.Time
	Log      *slog.Logger
}

// Play goes on until the planned rounds are done, context is needed, or nothing
// more can be done.
func (p *Player) Play(ctx context.Context, s debate.Session) Result {
	for {
		if s.Verdict != nil {
			return p.concluded(s)
		}
		next, err := p.follow(ctx, s, p.Engine.Start(ctx, s))
		if err != nil {
			return p.endedBy(ctx, next, err)
		}
		s = next
	}
}

// over is the ending of a session that has its verdict.
func (p *Player) concluded(s debate.Session) Result {
	p.reportUnused()
	if s.Stopped.Forced() {
		return Result{Kind: Stopped, Session: s, Reason: string(s.Stopped)}
	}
	return Result{Kind: Completed, Session: s}
}

// unused tells which given answers nobody has asked for.
func (p *Player) reportUnused() {
	if text := p.Answers.Leftovers(); text != "" {
		p.Reporter.Event(debate.Noticed{Notice: debate.Notice{Code: "answers_unused", Text: text, At: p.Now()}})
	}
}

// broken sorts the reasons why a run ended before the verdict.
func (p *Player) endedBy(ctx context.Context, s debate.Session, err error) Result {
	var blocked *debate.BlockedError
	var poor *debate.BudgetError
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
	default:
		return failedResult(s, err)
	}
}

func failedResult(s debate.Session, err error) Result {
	var failed *debate.RoundFailedError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w\nIt keeps its number, nothing is lost; `roundtable continue %s` runs it again", err, s.ID)
	}
	return Result{Kind: Failed, Session: s, Reason: oneLine(err), Err: err}
}

// plainReason makes an error fit for one line of an event.
func oneLine(err error) string { return safetext.Line(err.Error()) }
