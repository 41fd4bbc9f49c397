package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
)

// reporter is told what happens in a headless debate. Begin comes first and end
// last; what it cannot write is the error of failed.
type reporter interface {
	begin(s debate.Session, resumed bool)
	event(ev debate.Event)
	end(e ending)
	failed() error
}

// endKind is how a headless command left a session. It is the type of the last
// event.
type endKind string

const (
	endCompleted    endKind = "session.completed"
	endFailed       endKind = "session.failed"
	endNeedsContext endKind = "session.needs_context"
	endStopped      endKind = "session.stopped"
	endPaused       endKind = "session.paused"
)

// ending says how a headless command left a session, and why.
type ending struct {
	kind    endKind
	session debate.Session
	reason  string
	err     error // why it stopped before the verdict; nil if it did not
}

// answerer records the user's answers and returns the requests that they settled.
type answerer interface {
	Answer(ctx context.Context, session string, subs ...ledger.Submission) ([]ledger.Request, error)
}

// preparedAnswers are answers that were written down before the debate.
type preparedAnswers interface {
	// match returns the answer to a request, each at most once.
	match(r ledger.Request) (ledger.Submission, bool)
	// leftovers says which answers no request has asked for; "" if none is left.
	leftovers() string
}

// player plays a session without a screen until it needs somebody.
type player struct {
	store   answerer
	engine  *engine.Engine
	out     reporter
	answers preparedAnswers
	now     func() time.Time
	log     *slog.Logger
}

// play goes on until the planned rounds are done, context is needed, or nothing
// more can be done.
func (p *player) play(ctx context.Context, s debate.Session) ending {
	for {
		if s.Verdict != nil {
			return p.over(s)
		}
		next, err := p.follow(ctx, s, p.engine.Start(ctx, s))
		if err != nil {
			return p.broken(ctx, next, err)
		}
		s = next
	}
}

// over is the ending of a session that has its verdict.
func (p *player) over(s debate.Session) ending {
	p.unused()
	if s.Stopped.Forced() {
		return ending{kind: endStopped, session: s, reason: string(s.Stopped)}
	}
	return ending{kind: endCompleted, session: s}
}

// unused tells which given answers nobody has asked for.
func (p *player) unused() {
	if text := p.answers.leftovers(); text != "" {
		p.out.event(debate.Noticed{Notice: debate.Notice{Code: "answers_unused", Text: text, At: p.now()}})
	}
}

// broken sorts the reasons why a run ended before the verdict.
func (p *player) broken(ctx context.Context, s debate.Session, err error) ending {
	var blocked *debate.BlockedError
	var poor *debate.BudgetError
	var waits *waitError
	var sig *signalError
	switch {
	case errors.As(err, &poor):
		reason := fmt.Sprintf("%s: `roundtable continue %s` takes --budget and --tokens", plainReason(poor), s.ID)
		return ending{kind: endStopped, session: s, reason: reason, err: poor}
	case errors.As(err, &blocked):
		p.unused()
		return ending{kind: endNeedsContext, session: s, err: blocked}
	case errors.As(err, &waits):
		return ending{kind: endPaused, session: s, reason: waits.Error(), err: waits}
	case errors.As(context.Cause(ctx), &sig):
		return ending{kind: endPaused, session: s, reason: "Stopped by " + sig.Error() + ".", err: sig}
	default:
		return failure(s, err)
	}
}

func failure(s debate.Session, err error) ending {
	var failed *debate.RoundFailedError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w\nIt keeps its number, nothing is lost; `roundtable continue %s` runs it again", err, s.ID)
	}
	return ending{kind: endFailed, session: s, reason: plainReason(err), err: err}
}

// plainReason makes an error fit for one line of an event.
func plainReason(err error) string { return safetext.Line(err.Error()) }
