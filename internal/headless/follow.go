package headless

import (
	"context"
	"fmt"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
)

// waitError says that nobody can go on before a provider allows it.
type waitError struct {
	turn  agents.Turn
	who   string
	cause string
	until time.Time
}

// Error says who waits until when, in local time, and for what.
func (e *waitError) Error() string {
	return fmt.Sprintf("%s waits until %s: %s", e.who, e.until.Local().Format("15:04"), e.cause)
}

// follow reports a run to its end. It answers what the file of answers knows,
// and stops the run once everybody who is left waits for a provider.
func (p *Player) follow(ctx context.Context, s debate.Session, run *engine.Run) (debate.Session, error) {
	f := following{Player: p, session: s, run: run, active: map[agents.ID]*waitError{}, over: map[agents.Turn]bool{}}
	for ev := range run.Events() {
		f.take(ctx, ev)
	}
	switch {
	case f.broken != nil:
		return f.session, f.broken
	case f.stopped != nil && f.ended != nil:
		return f.session, f.stopped
	default:
		return f.session, f.ended
	}
}

// following is the state of one run as its reader sees it.
type following struct {
	*Player
	session debate.Session
	run     *engine.Run
	active  map[agents.ID]*waitError // who speaks; not nil: who waits
	over    map[agents.Turn]bool     // turns of the round that are over, whichever attempt it was
	settled []ledger.Request         // by the file of answers, maybe newer than the run's last word
	stopped *waitError
	broken  error // of what stands behind the run: the store, the output
	ended   error
}

func (f *following) take(ctx context.Context, ev debate.Event) {
	if f.broken == nil {
		f.Out.Event(ev)
		f.halt(f.Out.Failed())
	}
	switch ev := ev.(type) {
	case debate.RoundStarted:
		f.begins(ev.Session)
	case debate.TurnStarted:
		f.active[ev.Turn.Agent] = nil
	case debate.Concluding:
		f.active[ev.Turn.Agent] = nil
	case debate.TurnRetrying:
		f.waits(ev)
	case debate.TurnQueued:
		f.resumes(ev.Turn)
	case debate.Text:
		f.resumes(ev.Turn)
	case debate.TurnEnded:
		delete(f.active, ev.Response.Turn.Agent)
		f.over[anyAttempt(ev.Response.Turn)] = true
		f.pause()
		f.note(ev.Response)
	case debate.ContextRequested:
		f.answer(ctx, ev)
	case debate.RoundEnded:
		f.session, f.ended = ev.Session, ev.Err
		for _, r := range f.settled {
			f.session = f.session.WithRequest(r)
		}
	case debate.ToolStarted, debate.ToolEnded, debate.ContextChanged, debate.Assisting, debate.Assessed, debate.Concluded, debate.Noticed: // told, and that is all
	}
}

// halt ends the run for a reason of ours.
func (f *following) halt(err error) {
	if err != nil && f.broken == nil {
		f.broken = err
		f.run.Stop()
	}
}

// note logs a seat without a statement: who and of what kind, not what was said.
func (f *following) note(x debate.Response) {
	if x.Failure != nil {
		f.Log.Warn("no statement", "session", x.Turn.Session, "agent", string(x.Turn.Agent), "round", x.Turn.Round, "attempt", x.Turn.Attempt, "kind", string(x.Failure.Kind))
	}
}

func (f *following) resumes(t agents.Turn) {
	if f.active[t.Agent] != nil {
		f.active[t.Agent] = nil
	}
}

// waits notes who has to wait for long, which is when the retry names a time.
func (f *following) waits(ev debate.TurnRetrying) {
	if ev.Retry.Until.IsZero() {
		return
	}
	p, _ := f.session.Seat(ev.Turn.Agent)
	name := p.Name
	if name == "" {
		name = string(ev.Turn.Agent)
	}
	f.active[ev.Turn.Agent] = &waitError{turn: ev.Turn, who: safetext.Line(name), cause: safetext.Line(ev.Retry.Cause), until: ev.Retry.Until}
	f.pause()
}

// pause stops the run when nobody is left but those who wait.
func (f *following) pause() {
	var latest *waitError
	for _, w := range f.active {
		if w == nil {
			return
		}
		if latest == nil || w.until.After(latest.until) {
			latest = w
		}
	}
	if latest != nil && f.stopped == nil && f.everybodySpoke(latest.turn) {
		f.stopped = latest
		f.run.Stop()
	}
}

// begins notes who is done with the round already.
func (f *following) begins(s debate.Session) {
	f.session = s
	clear(f.over)
	if c := s.Current(); c != nil {
		for _, x := range c.Latest() {
			f.over[anyAttempt(x.Turn)] = x.Finished()
		}
	}
}

func anyAttempt(t agents.Turn) agents.Turn {
	t.Attempt = 0
	return t
}

// everybodySpoke reports whether all seats of a turn's step have begun at least:
// a server can ask one seat to wait before another has even started.
func (f *following) everybodySpoke(t agents.Turn) bool {
	c := f.session.Current()
	if c == nil || t.Step == debate.VerdictStep {
		return true
	}
	for _, step := range f.session.Mode.Steps(c.Manifest.Seats, c.Number, f.session.Rounds) {
		if step.Index != t.Step {
			continue
		}
		for _, id := range step.Seats {
			other := anyAttempt(t)
			other.Agent = id
			if _, active := f.active[id]; !active && !f.over[other] {
				return false
			}
		}
	}
	return true
}

// answer settles a request that the file of answers knows.
func (f *following) answer(ctx context.Context, ev debate.ContextRequested) {
	sub, ok := f.Answers.Match(ev.Request)
	if !ok || f.broken != nil {
		return
	}
	settled, err := f.Store.Answer(context.WithoutCancel(ctx), f.session.ID, sub)
	if err != nil {
		f.halt(fmt.Errorf("record the answer to %s: %w", ev.Request.ID, err))
		return
	}
	for _, r := range settled {
		f.settled = append(f.settled, r)
		f.Out.Event(debate.ContextChanged{Request: r, At: f.Now()})
	}
}
