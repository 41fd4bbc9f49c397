package headless

import (
	"context"
	"fmt"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// waitError reports that no agent can continue until a provider allows it.
type waitError struct {
	turn  agents.Turn
	who   string
	cause string
	at    time.Time // when it began to wait
	until time.Time
}

// Error names the agent, the local time it waits for, the flag that ends the wait, and
// the cause.
func (e *waitError) Error() string {
	return fmt.Sprintf("%s is waiting until %s (--now asks before that): %s", e.who, localTime(e.at, e.until), e.cause)
}

// localTime returns the local time of the end of a wait that began at a given time.
func localTime(at, until time.Time) string { return text.TimeOfDay(at.Local(), until) }

// follow reports a run until it ends. It answers requests with the prepared answers, and
// stops the run once every remaining agent waits for a provider.
func (p *Player) follow(ctx context.Context, s debate.Session, run *engine.Run) (debate.Session, error) {
	f := runFollower{Player: p, session: s, run: run, speaking: map[agents.ID]*waitError{}, ended: map[agents.Turn]bool{}}
	for ev := range run.Events() {
		f.handle(ctx, ev)
	}
	switch {
	case f.abortErr != nil:
		return f.session, f.abortErr
	case f.pausedBy != nil && f.runErr != nil:
		return f.session, f.pausedBy
	default:
		return f.session, f.runErr
	}
}

// runFollower is the state of one run, derived from its events.
type runFollower struct {
	*Player
	session  debate.Session
	run      *engine.Run
	speaking map[agents.ID]*waitError // nil for an agent that does not wait
	ended    map[agents.Turn]bool     // turns of the round that ended, without their attempts
	answered []ledger.Request         // with prepared answers; may be newer than RoundEnded.Session
	pausedBy *waitError
	abortErr error // the store or the output failed
	runErr   error
}

func (f *runFollower) handle(ctx context.Context, ev debate.Event) {
	if f.abortErr == nil {
		f.Reporter.Event(ev)
		f.abort(f.Reporter.Err())
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		f.roundStarted(ev.Session)
	case debate.TurnStarted:
		f.speaking[ev.Turn.Agent] = nil
	case debate.Concluding:
		f.speaking[ev.Turn.Agent] = nil
	case debate.TurnRetrying:
		f.waiting(ev)
	case debate.TurnQueued:
		f.resumed(ev.Turn)
	case debate.Text:
		f.resumed(ev.Turn)
	case debate.TurnEnded:
		delete(f.speaking, ev.Response.Turn.Agent)
		f.ended[withoutAttempt(ev.Response.Turn)] = true
		f.stopIfAllWait()
		f.logFailure(ev.Response)
	case debate.ContextRequested:
		f.answer(ctx, ev)
	case debate.ApprovalAsked:
		f.run.Decide(ev.CallID, f.decision(ev))
	case debate.RoundEnded:
		f.session, f.runErr = ev.Session, ev.Err
		for _, r := range f.answered {
			f.session = f.session.WithRequest(r)
		}
	case debate.ToolsCalled, debate.ToolStarted, debate.ToolEnded, debate.ApprovalDecided, debate.ContextChanged,
		debate.Assisting, debate.Assessed, debate.Concluded,
		debate.FollowUpStarted, debate.FollowUpEnded, debate.Refused, debate.Noticed, debate.TurnAlive: // only reported
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

// resumed records that an agent no longer waits.
func (f *runFollower) resumed(t agents.Turn) {
	if f.speaking[t.Agent] != nil {
		f.speaking[t.Agent] = nil
	}
}

// waiting records an agent that has to wait until a given time. Short back-offs have none.
func (f *runFollower) waiting(ev debate.TurnRetrying) {
	if ev.Retry.Until.IsZero() {
		return
	}
	p, _ := f.session.Seat(ev.Turn.Agent)
	name := p.Name
	if name == "" {
		name = string(ev.Turn.Agent)
	}
	f.speaking[ev.Turn.Agent] = &waitError{
		turn: ev.Turn, who: text.Line(name), cause: text.Line(ev.Retry.Cause),
		at: ev.Retry.Until.Add(-ev.Retry.In), until: ev.Retry.Until,
	}
	f.stopIfAllWait()
}

// stopIfAllWait stops the run if every agent that still speaks waits for a provider.
func (f *runFollower) stopIfAllWait() {
	var latest *waitError
	for _, w := range f.speaking {
		if w == nil {
			return
		}
		if latest == nil || w.until.After(latest.until) {
			latest = w
		}
	}
	if latest != nil && f.pausedBy == nil && f.allStarted(latest.turn) {
		f.pausedBy = latest
		f.run.Stop()
	}
}

// roundStarted records the turns of a resumed round that have ended already.
func (f *runFollower) roundStarted(s debate.Session) {
	f.session = s
	clear(f.ended)
	if c := s.Current(); c != nil {
		for _, x := range c.Latest() {
			f.ended[withoutAttempt(x.Turn)] = x.Finished()
		}
	}
}

func withoutAttempt(t agents.Turn) agents.Turn {
	t.Attempt = 0
	return t
}

// allStarted reports whether every seat of the turn's step has at least started: a
// server can make one wait before another begins.
func (f *runFollower) allStarted(t agents.Turn) bool {
	c := f.session.Current()
	if c == nil || t.Step == debate.VerdictStep {
		return true
	}
	for _, step := range f.session.Mode.Steps(c.Manifest.Seats, c.Number, f.session.Rounds) {
		if step.Index != t.Step {
			continue
		}
		for _, id := range step.Seats {
			other := withoutAttempt(t)
			other.Agent = id
			if _, active := f.speaking[id]; !active && !f.ended[other] {
				return false
			}
		}
	}
	return true
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
	settled, err := f.Store.Answer(context.WithoutCancel(ctx), f.session.ID, sub)
	if err != nil {
		f.abort(fmt.Errorf("record the answer to %s: %w", ev.Request.ID, err))
		return
	}
	for _, r := range settled {
		f.answered = append(f.answered, r)
		f.Reporter.Event(debate.ContextChanged{Request: r, At: f.Now()})
	}
}
