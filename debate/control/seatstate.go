package control

import (
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// SeatKind is a kind of [SeatState].
type SeatKind uint8

// The kinds of states. A question of an agent holds up the next round only, a command that it
// asks to run its own turn.
const (
	SeatIdle     SeatKind = iota // no round has begun yet
	SeatQueued                   // the seat's turn has not begun
	SeatWaiting                  // the model has not begun to answer
	SeatWriting                  // text is streaming
	SeatTool                     // a tool is running
	SeatDeciding                 // a command waits until the user decides on it
	SeatRetrying
	SeatPaused // the provider asked for a longer wait
	SeatDone
	SeatFailed
	SeatCancelled
	SeatInterrupted // the program or the round was stopped
)

// SeatState is what a seat is doing.
type SeatState struct {
	Kind       SeatKind
	Requests   []string // ids of the required requests it waits for, if Kind is SeatDone
	Cause      string   // why the provider is asked again, made safe
	Retry      int      // number of the next retry, from 1
	MaxRetries int
	Loads      bool      // the server loads the model until then
	Until      time.Time // when the retry is due or the pause ends
	Since      time.Time // when the model was asked; zero if unknown
	Heard      time.Time // when the server last gave a sign of life; zero if unknown
	Limit      time.Duration
	Whole      bool   // the answer comes all at once: silence means nothing
	Budget     bool   // the model is not asked until other calls release budget
	Starting   string // the model is not asked until the program of this name is ready
}

// Silence says how long a model may be silent before that is shown as a warning.
type Silence struct {
	First   time.Duration // before the first token
	Between time.Duration // between two pieces of the answer
}

// SetSilence sets how long the seat's model may be silent.
func (s *Seat) SetSilence(v Silence) { s.silence = v }

// State returns what the seat is doing.
func (s *Seat) State() SeatState {
	a := s.Latest()
	if a == nil || a.Turn.Round < s.round() {
		if s.round() == 0 {
			return SeatState{Kind: SeatIdle}
		}
		return SeatState{Kind: SeatQueued}
	}
	switch a.Response.State {
	case debate.TurnDone:
		return SeatState{Kind: SeatDone, Requests: ledger.IDs(s.Awaits())}
	case debate.TurnFailed:
		return SeatState{Kind: SeatFailed}
	case debate.TurnCancelled:
		return SeatState{Kind: SeatCancelled}
	case debate.TurnInterrupted:
		return SeatState{Kind: SeatInterrupted}
	case debate.TurnRunning:
	}
	l := s.live
	switch {
	case l == nil && s.plan.Elsewhere:
		return SeatState{Kind: SeatWriting}
	case l == nil:
		return SeatState{Kind: SeatInterrupted}
	case l.retry != nil:
		return RetryState(*l.retry)
	case l.tools > 0 && len(l.waits) > 0:
		return SeatState{Kind: SeatDeciding}
	case l.tools > 0:
		return SeatState{Kind: SeatTool}
	case l.answering:
		return SeatState{Kind: SeatWriting, Heard: l.heard, Limit: s.silence.Between}
	}
	heard := l.asked
	if l.heard.After(heard) {
		heard = l.heard
	}
	return SeatState{
		Kind: SeatWaiting, Since: l.asked, Heard: heard, Limit: s.silence.First,
		Whole: l.whole, Budget: l.budget, Starting: l.starting,
	}
}

// RetryState returns the state of a speaker whose provider is asked again later.
func RetryState(ev debate.TurnRetrying) SeatState {
	s := SeatState{
		Kind: SeatRetrying, Cause: text.Line(ev.Retry.Cause), Retry: ev.Retry.Try, MaxRetries: ev.Retry.Of, Loads: ev.Retry.Loads,
		Until: ev.At.Add(ev.Retry.In),
	}
	if !ev.Retry.Until.IsZero() {
		s.Kind, s.Until = SeatPaused, ev.Retry.Until
	}
	return s
}

// Silence returns for how long the model has been silent, if that is longer than it may be, or
// 0.
func (s SeatState) Silence(now time.Time) time.Duration {
	if s.Heard.IsZero() || s.Limit <= 0 || s.Whole || s.Budget || s.Starting != "" {
		return 0
	}
	if d := now.Sub(s.Heard); d >= s.Limit {
		return d
	}
	return 0
}

// Busy reports whether the seat is at work and its spinner turns.
func (s SeatState) Busy() bool {
	return s.Kind == SeatWaiting || s.Kind == SeatWriting || s.Kind == SeatTool
}

// Waited returns how long the model has not answered: since it was asked or, if that is longer
// than it may be, since its last piece. It is 0 while there is nothing to say.
func (s SeatState) Waited(now time.Time) time.Duration {
	switch d := now.Sub(s.Since); {
	case s.Kind == SeatWriting:
		return s.Silence(now)
	case s.Kind == SeatWaiting && !s.Since.IsZero() && d >= waitThreshold:
		return d
	}
	return 0
}

const waitThreshold = 3 * time.Second
