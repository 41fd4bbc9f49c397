package headless

import (
	"context"
	"fmt"
	"slices"
	"time"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// waitError reports that no agent can continue until a provider allows it.
type waitError struct {
	debate.Wait
	who string
}

// Error names the agent, the local time it waits for, the flag that ends the wait, and
// the cause.
func (e *waitError) Error() string {
	return fmt.Sprintf("%s is waiting until %s (--now asks before that): %s", e.who, localTime(e.From, e.Until), text.Line(e.Cause))
}

// localTime returns the local time of the end of a wait that began at a given time.
func localTime(at, until time.Time) string { return text.TimeOfDay(at.Local(), until) }

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
	case debate.TurnEnded:
		f.logFailure(ev.Response)
	case debate.ContextRequested:
		f.answer(ctx, ev)
	case debate.ApprovalAsked:
		f.run.Decide(ev.CallID, f.decision(ev))
	case debate.RoundEnded:
		f.runErr = ev.Err
	default: // only reported
	}
}

// abort stops the run because of err, if there is one.
func (f *runFollower) abort(err error) {
	if err != nil && f.abortErr == nil {
		f.abortErr = err
		f.run.Stop()
	}
}

// logFailure logs a failed turn: the agent and the kind of failure, and no text.
func (f *runFollower) logFailure(x debate.Response) {
	if x.Failure != nil {
		f.Log.Warn("no statement", "session", x.Turn.Session, "agent", string(x.Turn.Agent), "round", x.Turn.Round, "attempt",
			x.Turn.Attempt, "kind", string(x.Failure.Kind))
	}
}

// decision allows a command that begins with one of the allowed ones. Nobody is here to
// be asked about others.
func (f *runFollower) decision(ev debate.ApprovalAsked) debate.Approval {
	for _, allowed := range f.AllowCommands {
		if len(allowed) > 0 && len(allowed) <= len(ev.Argv) && slices.Equal(allowed, ev.Argv[:len(allowed)]) {
			return debate.Approval{Choice: debate.ApprovalOnce, Hash: ev.Hash}
		}
	}
	return debate.Approval{Choice: debate.ApprovalDenied, Reason: "nobody is here to approve it, and --allow-command does not name it"}
}

// answer records the prepared answer to a request, if there is one.
func (f *runFollower) answer(ctx context.Context, ev debate.ContextRequested) {
	sub, ok := f.Answers.Match(ev.Request)
	if !ok || f.abortErr != nil {
		return
	}
	if _, err := f.control.Act(ctx, control.Answer, control.Values{Answers: []ledger.Submission{sub}}); err != nil {
		f.abort(fmt.Errorf("record the answer to %s: %w", ev.Request.ID, err))
		return
	}
	if answered, ok := f.control.Session().Request(sub.Request); ok {
		f.Reporter.Event(debate.ContextChanged{Request: answered, At: f.Now()})
	}
}
