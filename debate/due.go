package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Action is what a session does next.
type Action string

const (
	BeginRound    Action = "begin_round"
	RunTurns      Action = "run_turns"
	EndRound      Action = "end_round"
	WriteVerdict  Action = "write_verdict"
	AwaitDecision Action = "await_decision" // of the user, since fewer than two seats answered, see OpenRound
	Nothing       Action = "nothing"        // the verdict is written
)

// Due is what a session has to do next.
type Due struct {
	Action  Action
	Step    Step          // of the turns, if Action is RunTurns
	Turns   []agents.Turn // of the step that may begin, by seat
	Waiting []DueTurn     // of the step, of the chair or of the light model: they may begin later
	Running int           // turns of the step that run
}

// DueTurn is an attempt that a seat has to make.
type DueTurn struct {
	Turn agents.Turn
	At   time.Time // from when it may begin; zero means at once
}

// Due returns what the session has to do next. It depends on nothing but what is
// stored: a run asks it after every change, at its start and after a crash.
//
// A round is run step by step. A turn of a step is due if it has not begun, if it was
// cut off, or if it is stored as due. Stored as due are the attempts that the user asked
// for, those of seats that failed in a round that is continued (AskFailed), and the one
// that a seat makes by itself after its answer broke off. An attempt that was cut off
// while it waited for its provider is due at the end of that wait; so are the chair and
// the light model. Whoever else was cancelled, failed or answered is not asked again.
func (s Session) Due(now time.Time) Due {
	c := s.Current()
	switch {
	case s.Verdict != nil:
		return Due{Action: Nothing}
	case c == nil:
		return Due{Action: BeginRound}
	case !c.Ended.IsZero():
		if s.Next() == 0 {
			return Due{Action: WriteVerdict, Waiting: s.waitsOf(VerdictStep, now)}
		}
		return Due{Action: BeginRound}
	}
	for _, step := range s.StepsOf(*c) {
		if s.Mode.Phase(step.Phase).Asks == AsksConcerns && !s.hasDraft(*c) {
			continue // there is nothing to object to
		}
		if d := s.dueStep(*c, step, now); len(d.Turns)+len(d.Waiting)+d.Running > 0 {
			return d
		}
	}
	if s.TooFewAnswers(*c) != nil && !s.Stopped.Forced() {
		return Due{Action: AwaitDecision}
	}
	d := Due{Action: EndRound}
	if !s.Stopped.Forced() { // else no model is asked
		d.Waiting = s.waitsOf(CompareStep, now)
	}
	return d
}

func (s Session) waitsOf(step int, now time.Time) []DueTurn {
	return slices.DeleteFunc(slices.Clone(s.Waits), func(w DueTurn) bool { return w.Turn.Step != step || !w.At.After(now) })
}

// WaitsUntil returns when the last seat or chair can be asked whose provider asked to wait, if
// such are what comes next; else the zero time.
func (s Session) WaitsUntil(now time.Time) (until time.Time) {
	due := s.Due(now)
	if due.Action != RunTurns && due.Action != WriteVerdict {
		return until
	}
	for _, w := range due.Waiting {
		if w.At.After(until) {
			until = w.At
		}
	}
	return until
}

// WaitText says that a provider asked to wait, without a full stop.
func WaitText(now, until time.Time) string {
	return "a provider asked to wait until " + text.TimeOfDay(now, until)
}

// dueStep returns which turns of a step are due or running; in a debate that was cut short, only those asked for since.
func (s Session) dueStep(r Round, step Step, now time.Time) Due {
	d := Due{Action: RunTurns, Step: step}
	for _, seat := range step.Seats {
		x, begun := r.Newest(step.Index, seat)
		t, asked := r.dueTurn(step.Index, seat)
		next := agents.Turn{Session: s.ID, Round: r.Number, Step: step.Index, Agent: seat, Attempt: x.Turn.Attempt + 1}
		changed := func(c SeatChange) bool { return c.Agent == seat && c.Round == r.Number && c.At.After(x.Ended) }
		waits := !slices.ContainsFunc(s.SeatChanges, changed) // else it is another model that had to
		switch {
		case asked && waits && t.At.After(now):
			d.Waiting = append(d.Waiting, t)
		case asked:
			d.Turns = append(d.Turns, t.Turn)
		case x.State == TurnRunning:
			d.Running++
		case s.Stopped.Forced() || begun && x.State != TurnInterrupted: // not asked again
		case waits && x.WaitUntil.After(now):
			d.Waiting = append(d.Waiting, DueTurn{Turn: next, At: x.WaitUntil})
		default:
			d.Turns = append(d.Turns, next)
		}
	}
	return d
}

func (r Round) dueTurn(step int, seat agents.ID) (DueTurn, bool) {
	i := slices.IndexFunc(r.Due, func(d DueTurn) bool { return d.Turn.Step == step && d.Turn.Agent == seat })
	if i < 0 {
		return DueTurn{}, false
	}
	return r.Due[i], true
}

// WithDue returns the session with turns of its newest round that are due, each in
// place of an earlier time for the same turn. A verdict is superseded, and written
// again without another round. A turn of a chair or of the light model that waits for
// its provider is due alone, and changes nothing else.
func (s Session) WithDue(turns ...DueTurn) Session {
	if i := slices.IndexFunc(turns, func(d DueTurn) bool { return d.Turn.Step < 0 }); i >= 0 {
		s.Waits = slices.DeleteFunc(slices.Clone(s.Waits), func(w DueTurn) bool { return w.Turn == turns[i].Turn })
		s.Waits = append(s.Waits, turns[i])
		return s
	}
	if s.Verdict != nil {
		s.Verdict, s.Rounds = nil, len(s.History)
	}
	s.History = slices.Clone(s.History)
	r := &s.History[len(s.History)-1]
	r.Ended = time.Time{}
	r.Due = slices.Clone(r.Due)
	for _, d := range turns {
		r.Due = slices.DeleteFunc(r.Due, func(o DueTurn) bool { return o.Turn == d.Turn })
		r.Due = append(r.Due, d)
	}
	return s
}

// WithoutDue returns the session without the attempts that are stored as due.
func (s Session) WithoutDue() Session {
	if len(s.History) > 0 {
		s.History = slices.Clone(s.History)
		s.History[len(s.History)-1].Due = nil
	}
	return s
}

// AskAgain returns the turn that asks a seat again in the newest round. The error says why it cannot be asked.
func (s Session) AskAgain(seat agents.ID) (agents.Turn, error) {
	c := s.Current()
	if c == nil {
		return agents.Turn{}, refusal("No round has begun.")
	}
	name, spoke := s.NameOf(seat), false
	for _, step := range s.StepsOf(*c) {
		x, begun := c.Newest(step.Index, seat)
		_, due := c.dueTurn(step.Index, seat)
		switch {
		case !slices.Contains(step.Seats, seat):
		case due || !begun && c.Ended.IsZero() && !s.Stopped.Forced():
			return agents.Turn{}, refusal("%s is about to be asked.", name)
		case x.State == TurnRunning:
			return agents.Turn{}, refusal("%s is still at work.", name)
		case !x.HasStatement():
			return agents.Turn{Session: s.ID, Round: c.Number, Step: step.Index, Agent: seat, Attempt: x.Turn.Attempt + 1}, nil
		default:
			spoke = true
		}
	}
	if !spoke {
		return agents.Turn{}, refusal("%s does not speak in round %d.", name, c.Number)
	}
	return agents.Turn{}, refusal("%s has answered in round %d.", name, c.Number)
}

// AskFailed returns the attempts that continue a round which fewer than two seats
// answered: of the seats that failed, or if none did of those that the user cancelled.
func (s Session) AskFailed() []DueTurn {
	c := s.Current()
	if c == nil || !c.Ended.IsZero() || s.Stopped.Forced() || s.TooFewAnswers(*c) == nil {
		return nil
	}
	silent := slices.DeleteFunc(c.Latest(), func(x Response) bool {
		_, due := c.dueTurn(x.Turn.Step, x.Turn.Agent)
		return due || !x.Finished() || x.HasStatement()
	})
	again := slices.DeleteFunc(slices.Clone(silent), func(x Response) bool { return x.State == TurnCancelled })
	if len(again) == 0 && s.Due(time.Time{}).Action == AwaitDecision {
		again = silent
	}
	var out []DueTurn
	for _, x := range again {
		x.Turn.Attempt++
		out = append(out, DueTurn{Turn: x.Turn})
	}
	return out
}

// AskedAgain returns the names of whom AskFailed asks, made safe.
func (s Session) AskedAgain() []string {
	var names []string
	for _, d := range s.AskFailed() {
		if name := text.Line(s.NameOf(d.Turn.Agent)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// OpenTurn returns the turn of a seat in the newest round that is running or due, in the
// step of t or, if t is zero, in the first one. It is false if there is none.
func (s Session) OpenTurn(seat agents.ID, of agents.Turn) (agents.Turn, bool) {
	c := s.Current()
	if c == nil || !c.Ended.IsZero() {
		return agents.Turn{}, false
	}
	for _, step := range s.StepsOf(*c) {
		if of != (agents.Turn{}) && (of.Round != c.Number || of.Step != step.Index) {
			continue
		}
		if x, ok := c.Newest(step.Index, seat); ok && x.State == TurnRunning {
			return x.Turn, true
		}
		d := s.dueStep(*c, step, time.Time{})
		for _, w := range d.Waiting {
			d.Turns = append(d.Turns, w.Turn)
		}
		if i := slices.IndexFunc(d.Turns, func(t agents.Turn) bool { return t.Agent == seat }); i >= 0 {
			return d.Turns[i], true
		}
	}
	return agents.Turn{}, false
}

// PhaseOf returns the phase that a turn of a session belongs to.
func (s Session) PhaseOf(t agents.Turn) string {
	steps := s.StepsOf(s.History[t.Round-1])
	return steps[t.Step].Phase
}

// RefusedError says why a command cannot be carried out now. It is ErrNotReady.
type RefusedError struct{ Text string }

// Error returns the text, a sentence for the user.
func (e *RefusedError) Error() string { return e.Text }

// Is reports whether the target is ErrNotReady.
func (e *RefusedError) Is(target error) bool { return target == ErrNotReady }

func refusal(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

const minAnswers = 2

// Answered returns the seats that have a statement in the round, by step and seat.
func (r Round) Answered() []agents.ID {
	var out []agents.ID
	for _, x := range r.Said() {
		if !slices.Contains(out, x.Turn.Agent) {
			out = append(out, x.Turn.Agent)
		}
	}
	return out
}

// RoundFailedError is returned for a round that stays open since fewer than two seats
// answered. What was said is kept: seats can be asked again, see AskFailed, and if one
// answered, the debate can go on with it.
type RoundFailedError struct {
	Round    int
	Answered string            // name of the only seat that answered; "" if none did
	Causes   []MissingResponse // of the others
}

// OpenRound returns why the newest round stays open until the user decides; nil: it does not.
func (s Session) OpenRound() *RoundFailedError {
	if s.Due(time.Time{}).Action != AwaitDecision {
		return nil
	}
	return s.TooFewAnswers(*s.Current())
}

// TooFewAnswers returns which seats did not answer in a round that fewer than two
// answered, or not the only one that speaks in it. It returns nil for other rounds.
func (s Session) TooFewAnswers(r Round) *RoundFailedError {
	answered, silent := r.Answered(), s.speakers(r)
	if len(answered) >= min(minAnswers, len(silent)) {
		return nil
	}
	e := &RoundFailedError{Round: r.Number}
	for _, id := range answered {
		e.Answered = s.NameOf(id)
		silent = slices.DeleteFunc(silent, func(o agents.ID) bool { return o == id })
	}
	known := s.SilentSeats(r)
	for _, id := range silent {
		c := MissingResponse{Agent: id, Name: s.NameOf(id), Round: r.Number, Cause: "It was not asked."}
		if i := slices.IndexFunc(known, func(m MissingResponse) bool { return m.Agent == id }); i >= 0 {
			c.Cause = cmp.Or(known[i].Cause, "Its answer has no statement.")
		}
		e.Causes = append(e.Causes, c)
	}
	return e
}

func (s Session) speakers(r Round) []agents.ID {
	steps := s.StepsOf(r)
	return slices.DeleteFunc(s.SeatIDs(), func(id agents.ID) bool {
		inTurn := slices.ContainsFunc(steps, func(step Step) bool { return slices.Contains(step.Seats, id) })
		return !inTurn && len(r.AttemptsOf(id)) == 0
	})
}

// CanGoOn reports whether the debate can go on without the seats that did not answer.
func (e *RoundFailedError) CanGoOn() bool { return e != nil && e.Answered != "" }

// Summary says how many seats answered, as "only Ada of 3 seats answered in round 1".
func (e *RoundFailedError) Summary() string {
	if e.Answered == "" {
		return fmt.Sprintf("round %d failed: no model answered", e.Round)
	}
	return fmt.Sprintf("only %s of %d seats answered in round %d", e.Answered, len(e.Causes)+1, e.Round)
}

// Cause says what happened and why the first seat did not answer, as one sentence or two; "" of nil.
func (e *RoundFailedError) Cause() string {
	if e == nil {
		return ""
	}
	out := text.Capitalize(e.Summary()) + "."
	if len(e.Causes) > 0 {
		out += " " + e.Causes[0].Name + ": " + e.Causes[0].Cause
	}
	return out
}

// Missing lists the names of the seats that did not answer: "Brook and Cy".
func (e *RoundFailedError) Missing() string {
	return text.List(text.Each(e.Causes, func(c MissingResponse) string { return c.Name }))
}

// Error lists the causes, one per line.
func (e *RoundFailedError) Error() string {
	lines := []string{e.Summary()}
	for _, c := range e.Causes {
		lines = append(lines, fmt.Sprintf("- %s: %s", c.Name, c.Cause))
	}
	return strings.Join(lines, "\n")
}
