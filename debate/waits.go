package debate

import (
	"time"

	"roundtable/agents"
)

// Wait is how long the provider of a turn asks to be left alone.
type Wait struct {
	Turn  agents.Turn
	Cause string
	From  time.Time
	Until time.Time
}

// Waits follows the events of a run and finds out when only waits for providers are left
// of it. The zero value is ready; each run needs its own.
type Waits struct {
	session  Session
	speaking map[agents.ID]*Wait  // nil for an agent that does not wait
	ended    map[agents.Turn]bool // turns of the round that ended, without their attempts
}

// Apply takes an event into account. Ok is true once every agent that still has to answer
// waits for its provider; the wait that ends last is returned. Waits of up to a minute do
// not count.
func (w *Waits) Apply(ev Event) (last Wait, ok bool) {
	if w.speaking == nil {
		w.speaking, w.ended = map[agents.ID]*Wait{}, map[agents.Turn]bool{}
	}
	switch ev := ev.(type) {
	case RoundStarted:
		w.roundStarted(ev.Session)
	case TurnStarted:
		w.speaking[ev.Turn.Agent] = nil
	case Concluding:
		w.speaking[ev.Turn.Agent] = nil
	case TurnRetrying:
		if ev.Retry.Until.IsZero() {
			return last, false
		}
		w.speaking[ev.Turn.Agent] = &Wait{
			Turn: ev.Turn, Cause: ev.Retry.Cause, From: ev.Retry.Until.Add(-ev.Retry.In), Until: ev.Retry.Until,
		}
		return w.last()
	case TurnQueued:
		w.resumed(ev.Turn)
	case Text:
		w.resumed(ev.Turn)
	case TurnEnded:
		delete(w.speaking, ev.Response.Turn.Agent)
		w.ended[WithoutAttempt(ev.Response.Turn)] = true
		return w.last()
	default: // says nothing about waits
	}
	return last, false
}

// roundStarted records the turns of a resumed round that have ended already.
func (w *Waits) roundStarted(s Session) {
	w.session = s
	clear(w.ended)
	if c := s.Current(); c != nil {
		for _, x := range c.Latest() {
			w.ended[WithoutAttempt(x.Turn)] = x.Finished()
		}
	}
}

func (w *Waits) resumed(t agents.Turn) {
	if w.speaking[t.Agent] != nil {
		w.speaking[t.Agent] = nil
	}
}

// last returns the wait that ends last if every agent that still speaks waits.
func (w *Waits) last() (last Wait, ok bool) {
	for _, wait := range w.speaking {
		if wait == nil {
			return Wait{}, false
		}
		if wait.Until.After(last.Until) {
			last = *wait
		}
	}
	return last, len(w.speaking) > 0 && w.allStarted(last.Turn)
}

// allStarted reports whether every seat of the step has started: a server can make one wait before another begins.
func (w *Waits) allStarted(t agents.Turn) bool {
	c := w.session.Current()
	if c == nil || t.Step == VerdictStep {
		return true
	}
	for _, step := range w.session.StepsOf(*c) {
		if step.Index != t.Step {
			continue
		}
		for _, id := range step.Seats {
			other := WithoutAttempt(t)
			other.Agent = id
			if _, active := w.speaking[id]; !active && !w.ended[other] {
				return false
			}
		}
	}
	return true
}

// SpeakerWait follows the events of a run and knows what the chair, or who answers a
// follow-up question, waits for. The zero value is ready.
type SpeakerWait struct{ retry *TurnRetrying }

// Apply takes an event into account.
func (w *SpeakerWait) Apply(ev Event) {
	switch ev := ev.(type) {
	case TurnRetrying:
		if ev.Turn.Step < 0 {
			w.retry = &ev
		}
	case TurnStarted, FollowUpStarted, FollowUpEnded, RunEnded:
		w.retry = nil
	default:
		if t, ok := TurnOf(ev); ok && t.Step < 0 {
			w.retry = nil
		}
	}
}

// Retry returns when the provider is asked again, and why not before; ok is false if nobody
// waits.
func (w *SpeakerWait) Retry() (ev TurnRetrying, ok bool) {
	if w.retry == nil {
		return ev, false
	}
	return *w.retry, true
}
