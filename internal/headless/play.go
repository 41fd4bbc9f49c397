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
	End(e Ending)
	Failed() error
}

// EndKind is how a headless command left a session. It is the type of the last
// event.
type EndKind string

const (
	EndCompleted    EndKind = "session.completed"
	EndFailed       EndKind = "session.failed"
	EndNeedsContext EndKind = "session.needs_context"
	EndStopped      EndKind = "session.stopped"
	EndPaused       EndKind = "session.paused"
)

// Ending says how a headless command left a session, and why.
type Ending struct {
	Kind    EndKind
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
	Store   answerer
	Engine  *engine.Engine
	Out     Reporter
	Answers preparedAnswers
	Now     func() time.Time
	Log     *slog.Logger
}

// Play goes on until the planned rounds are done, context is needed, or nothing
// more can be done.
func (p *Player) Play(ctx context.Context, s debate.Session) Ending {
	for {
		if s.Verdict != nil {
			return p.over(s)
		}
		next, err := p.follow(ctx, s, p.Engine.Start(ctx, s))
		if err != nil {
			return p.broken(ctx, next, err)
		}
		s = next
	}
}

// over is the ending of a session that has its verdict.
func (p *Player) over(s debate.Session) Ending {
	p.unused()
	if s.Stopped.Forced() {
		return Ending{Kind: EndStopped, Session: s, Reason: string(s.Stopped)}
	}
	return Ending{Kind: EndCompleted, Session: s}
}

// unused tells which given answers nobody has asked for.
func (p *Player) unused() {
	if text := p.Answers.Leftovers(); text != "" {
		p.Out.Event(debate.Noticed{Notice: debate.Notice{Code: "answers_unused", Text: text, At: p.Now()}})
	}
}

// broken sorts the reasons why a run ended before the verdict.
func (p *Player) broken(ctx context.Context, s debate.Session, err error) Ending {
	var blocked *debate.BlockedError
	var poor *debate.BudgetError
	var waits *waitError
	var sig *SignalError
	switch {
	case errors.As(err, &poor):
		reason := fmt.Sprintf("%s: `roundtable continue %s` takes --budget and --tokens", plainReason(poor), s.ID)
		return Ending{Kind: EndStopped, Session: s, Reason: reason, Err: poor}
	case errors.As(err, &blocked):
		p.unused()
		return Ending{Kind: EndNeedsContext, Session: s, Err: blocked}
	case errors.As(err, &waits):
		return Ending{Kind: EndPaused, Session: s, Reason: waits.Error(), Err: waits}
	case errors.As(context.Cause(ctx), &sig):
		return Ending{Kind: EndPaused, Session: s, Reason: "Stopped by " + sig.Error() + ".", Err: sig}
	default:
		return failure(s, err)
	}
}

func failure(s debate.Session, err error) Ending {
	var failed *debate.RoundFailedError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w\nIt keeps its number, nothing is lost; `roundtable continue %s` runs it again", err, s.ID)
	}
	return Ending{Kind: EndFailed, Session: s, Reason: plainReason(err), Err: err}
}

// plainReason makes an error fit for one line of an event.
func plainReason(err error) string { return safetext.Line(err.Error()) }
