package debate

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// State is what a session is doing, or how it ended. It is finer than a [Status], and
// its word is the one that every list, screen and command shows.
type State string

// The states. Their values are used in JSON.
const (
	StateDraft       State = "draft"
	StateRunning     State = "running" // a process plays it
	StateInterrupted State = "interrupted"
	StateFailed      State = "failed"     // nobody answered the newest round, see OpenRound
	StateRoundOpen   State = "round_open" // one seat answered it, and the user decides
	StateWaiting     State = "needs_context"
	StateReady       State = "ready"
	StateComplete    State = "complete"
	StateNoReport    State = "no_report" // complete, and no chair wrote a report
	StateEndedByUser State = "ended_by_user"
	StateOutOfBudget State = "out_of_budget"
	StateGone        State = "gone" // unfinished, and it can only be read
)

// StateNames lists the states, and the status that groups some of them.
func StateNames() []string {
	return append(text.Strings([]State{
		StateDraft, StateRunning, StateInterrupted, StateFailed, StateRoundOpen, StateWaiting, StateReady, StateComplete,
		StateNoReport, StateEndedByUser, StateOutOfBudget, StateGone,
	}), StateInterrupted.Word(), string(Stopped))
}

// Word returns the state in words for a person.
func (s State) Word() string { return cmp.Or(stateNames[s], string(s)) }

var stateNames = map[State]string{
	StateRoundOpen: "round open", StateWaiting: "needs you", StateComplete: "completed", StateNoReport: "no report",
	StateEndedByUser: "ended early", StateOutOfBudget: "out of budget", StateInterrupted: "paused", StateGone: "read only",
}

// State returns the state of the session; running says whether a process plays it.
func (s Session) State(running bool) State {
	return SessionSummary{
		Status: s.Status(), Running: running, Open: s.OpenRound(), Stopped: s.Stopped,
		NoReport: s.Verdict != nil && s.Verdict.Chair == "",
	}.State()
}

// State returns the state of the session.
func (s SessionSummary) State() State {
	switch {
	case s.Running:
		return StateRunning
	case s.Status == Drafted:
		return StateDraft
	case s.Status == Interrupted && s.Open.CanGoOn():
		return StateRoundOpen
	case s.Status == Interrupted && s.Open != nil:
		return StateFailed
	case s.Status == Interrupted:
		return StateInterrupted
	case s.Status == NeedsContext:
		return StateWaiting
	case s.Status == Ready:
		return StateReady
	case s.Stopped == LeftUnfinished:
		return StateGone
	case s.Stopped == StoppedByBudget:
		return StateOutOfBudget
	case s.Stopped == StoppedByUser:
		return StateEndedByUser
	case s.NoReport:
		return StateNoReport
	}
	return StateComplete
}

// Is reports whether a word names the state or the status of the session.
func (s SessionSummary) Is(word string) bool {
	return word == string(s.Status) || word == string(s.State()) || word == s.State().Word()
}

// Status is the state of a session. It is computed, never stored.
type Status string

const (
	Drafted      Status = "draft"         // no round has begun
	Interrupted  Status = "interrupted"   // a round has begun and not ended
	NeedsContext Status = "needs_context" // a required request is open
	Ready        Status = "ready"         // the next round or the verdict can start
	Complete     Status = "complete"
	Stopped      Status = "stopped" // ended by the user or the budget, or left unfinished
)

// Status returns the state of the session.
func (s Session) Status() Status {
	v := SessionSummary{
		Verdict: s.Verdict != nil, Stopped: s.Stopped, Round: len(s.History), Rounds: s.Rounds, Required: len(s.Unanswered()),
	}
	return v.StatusOf(v.Round > 0 && !s.Current().Ended.IsZero())
}

// StatusOf returns the status of the session, whose newest round has ended or not.
func (s SessionSummary) StatusOf(ended bool) Status {
	switch {
	case s.Stopped.Forced() && s.Verdict, s.Stopped == LeftUnfinished:
		return Stopped
	case s.Verdict:
		return Complete
	case s.Round == 0:
		return Drafted
	case !ended:
		return Interrupted
	case s.Stopped == NotStopped && s.Round < s.Rounds && s.Required > 0:
		return NeedsContext
	default:
		return Ready
	}
}

// OwesReport reports whether the verdict has no report since the budget did not allow it.
func (s Session) OwesReport() bool { return s.Verdict != nil && s.Verdict.OverBudget }

// WithBudget returns the session with other limits. Higher ones supersede a verdict that owes
// its report: it is written again, without another round.
func (s Session) WithBudget(b Budget) Session {
	if s.OwesReport() && s.Budget.LowerThan(b) {
		s.Verdict = nil
	}
	s.Budget = b
	return s
}

// SessionSummary is a session in a list.
type SessionSummary struct {
	ID        string            `json:"id"`
	Title     string            `json:"title"`
	Topic     string            `json:"topic"`
	Question  QuestionKind      `json:"question,omitempty"` // "" for a session of an earlier version
	Mode      string            `json:"mode"`
	Status    Status            `json:"status"`
	Running   bool              `json:"-"`                // a process plays it
	Holder    Holder            `json:"held_by,omitzero"` // the process that has it open; its zero value: none, or an unknown one
	Open      *RoundFailedError `json:"-"`                // why its newest round stays open; nil if it does not
	Origin    Origin            `json:"fork,omitzero"`
	Verdict   bool              `json:"-"`                   // it has one
	NoReport  bool              `json:"-"`                   // no chair wrote its report
	Line      Line              `json:"headline,omitempty"`  // its verdict; "" without one
	Side      Side              `json:"-"`                   // of the majority; "" without one
	Settled   Result            `json:"settled,omitempty"`   // how the verdict turned out; "" if nobody has said it
	SettledBy ledger.Author     `json:"settled_by,omitzero"` // who said it
	Stopped   StopReason        `json:"-"`
	Round     int               `json:"round"` // the last one that has begun
	Rounds    int               `json:"rounds"`
	Required  int               `json:"pending"` // open required requests
	Optional  int               `json:"-"`       // open optional requests
	Asking    string            `json:"-"`       // the first open required request, in one line
	Seats     []agents.Profile  `json:"seats"`
	Cost      *float64          `json:"cost"` // in dollars; nil: unknown
	Tokens    int               `json:"-"`
	Created   time.Time         `json:"-"`
	Updated   time.Time         `json:"updated"`

	WaitUntil time.Time `json:"-"` // of a session that nobody has open, see Session.WaitsUntil
}

// Line is the result of a debate in one line. Below its first row, which says all, are those for
// where there is less room, each shorter than the one before.
type Line string

// String returns the first row.
func (l Line) String() string {
	whole, _, _ := strings.Cut(string(l), "\n")
	return whole
}

// MarshalText returns the first row.
func (l Line) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Within returns the first row that fits, or else the shortest, which has at most 60 columns.
func (l Line) Within(columns int) string {
	row, rest, more := strings.Cut(string(l), "\n")
	if more && text.Width(row) > columns {
		return Line(rest).Within(columns)
	}
	return row
}

// Holder is the process that has a session open. The zero value is an unknown one.
type Holder struct {
	PID  int    `json:"pid"`
	Host string `json:"host,omitempty"` // "": this one
	Door string `json:"door,omitempty"` // how it was started, such as "interface" or "run"
	Runs bool   `json:"-"`              // a run of the session is under way there
}

// Plays reports whether the process plays a round of the session, or has its verdict written.
func (h Holder) Plays(s Session) bool { return h.Runs && s.Verdict == nil }

// String names the process for a person; "" if it is unknown.
func (h Holder) String() string {
	who := ""
	switch {
	case h.Host != "":
		who = "held on " + h.Host
	case h.PID > 0:
		who = fmt.Sprintf("pid %d", h.PID)
	}
	if h.Door != "" && who != "" {
		return h.Door + ", " + who
	}
	return who
}

// Aside returns the name of the process in brackets after a space; "" if it is unknown.
func (h Holder) Aside() string {
	if who := h.String(); who != "" {
		return " (" + who + ")"
	}
	return ""
}

// Origin is where a fork comes from. The zero value is that of other sessions.
type Origin struct {
	Session string `json:"id"`
	Round   int    `json:"round"` // the last one that was copied; 0: it started over
}

// String says where a fork comes from; "" for other sessions.
func (o Origin) String() string {
	switch {
	case o.Session == "":
		return ""
	case o.Round == 0:
		return "fork of " + o.Session + ", from the start"
	}
	return fmt.Sprintf("fork of %s, from round %d", o.Session, o.Round)
}

// Origin returns where the session comes from.
func (s Session) Origin() Origin { return Origin{s.ForkedFrom, s.ForkRound} }

// Name returns the title of the session, or its topic if it has none.
func (s SessionSummary) Name() string { return cmp.Or(s.Title, s.Topic) }

// Listed names the session in a line of a list, and what it is a fork of.
func (s SessionSummary) Listed() string {
	name := text.Clip(text.Line(s.Name()), 100)
	if fork := s.Origin.String(); fork != "" {
		name += " (" + text.Line(fork) + ")"
	}
	return name
}

// LacksRound reports whether no round is planned after the newest one: what is meant for a later
// round waits until one is added.
func (s Session) LacksRound() bool {
	return s.Verdict != nil || s.Stopped != NotStopped || len(s.History) >= s.Rounds
}

// HasRoundsLeft reports whether a planned round has not ended.
func (s Session) HasRoundsLeft() bool {
	return s.Verdict == nil && s.Stopped == NotStopped && s.Ended() < max(s.Rounds, len(s.History))
}
