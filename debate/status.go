package debate

import (
	"fmt"
	"time"

	"roundtable/agents"
)

// Status is the state of a session. It is computed, never stored.
type Status string

// The statuses.
const (
	Drafted      Status = "draft"         // no round has begun
	Interrupted  Status = "interrupted"   // a round has begun and not ended
	NeedsContext Status = "needs_context" // a required request is open
	Ready        Status = "ready"         // the next round or the verdict can start
	Complete     Status = "complete"
	Stopped      Status = "stopped" // ended by the user or the budget
)

// Status returns the state of the session.
func (s Session) Status() Status {
	n := len(s.History)
	switch {
	case s.Stopped.Forced() && s.Verdict != nil:
		return Stopped
	case s.Verdict != nil:
		return Complete
	case n == 0:
		return Drafted
	case s.History[n-1].Ended.IsZero():
		return Interrupted
	case s.Stopped == NotStopped && n < s.Rounds && len(s.Unanswered()) > 0:
		return NeedsContext
	default:
		return Ready
	}
}

// SessionSummary is a session in a list.
type SessionSummary struct {
	ID       string
	Title    string
	Topic    string
	Question QuestionKind // "" for a session of an earlier version
	Mode     string
	Status   Status
	Running  bool              // a process is playing a round of it
	Open     *RoundFailedError // why its newest round stays open; nil if it does not
	Origin   Origin
	Outcome  Outcome // of its verdict; "" if it has none
	Stopped  StopReason
	Round    int // the last one that has begun
	Rounds   int
	Required int    // open required requests
	Optional int    // open optional requests
	Asking   string // the first open required request, in one line
	Seats    []agents.Profile
	Missing  int // seats without a statement in the last round
	Cost     *float64
	Tokens   int
	Created  time.Time
	Updated  time.Time
	Imported string // id of the session where it was exported; "" if it began here
}

// Origin is where a fork comes from. The zero value is that of other sessions.
type Origin struct {
	Session string
	Round   int    // the last one that was copied; 0: it started over
	Changes string // what the fork changed, in words; "": nothing
}

// String says where a fork comes from and what it changed; "" for other sessions.
func (o Origin) String() string {
	if o.Session == "" {
		return ""
	}
	from := "fork of " + o.Session + ", from the start"
	if o.Round > 0 {
		from = fmt.Sprintf("fork of %s, from round %d", o.Session, o.Round)
	}
	if o.Changes != "" {
		from += ": " + o.Changes
	}
	return from
}

// Origin returns where the session comes from.
func (s Session) Origin() Origin {
	return Origin{s.ForkedFrom, s.ForkRound, ForkChangesText(s.ForkChanges)}
}

// Name returns the title of the session, or its topic if it has none.
func (s SessionSummary) Name() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Topic
}

// HasRoundsLeft reports whether a planned round has not ended.
func (s Session) HasRoundsLeft() bool {
	if s.Verdict != nil || s.Stopped != NotStopped {
		return false
	}
	c := s.Current()
	return c != nil && c.Ended.IsZero() || len(s.History) < s.Rounds
}
