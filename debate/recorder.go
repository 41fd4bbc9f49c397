package debate

import (
	"errors"
	"time"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// TurnStart is what is known of a turn before it begins.
type TurnStart struct {
	Turn     agents.Turn
	Purpose  Purpose
	Role     string
	Phase    string
	Snapshot string
	Saw      []string
	Fitting  *ContextFit
	At       time.Time
}

// Partial is a piece of a completion's text, in order.
type Partial struct {
	Turn      agents.Turn
	Passage   int
	Text      string
	Reasoning bool
}

// AskResult is what became of a question.
type AskResult struct {
	Reply   ledger.Reply
	Request ledger.Request
	Ask     ledger.Ask
	Joined  bool // the request was there before
	Fresh   bool // an ask was added; false when a stored answer was returned
}

// TurnEnd is the end of a turn. Final is its last completion where the turn is
// done; Response.Usage is the sum of all.
type TurnEnd struct {
	Response  Response
	Purpose   Purpose
	Final     *agents.Completion
	FinalCost *float64
	Digest    *StatementSummary // what a turn of the light model was for
}

// SessionSummary is a session in a list.
type SessionSummary struct {
	ID       string
	Title    string
	Topic    string
	Mode     string
	Status   Status
	Running  bool    // a process has it open in a round that has not ended
	Outcome  Outcome // of its verdict; "" without one
	Stopped  StopReason
	Round    int // the last one that has begun
	Rounds   int
	Required int    // open required requests
	Optional int    // open optional requests
	Asking   string // the first open required request, as one line
	Seats    []agents.Profile
	Missing  int // seats that gave no statement in the last round
	Cost     *float64
	Tokens   int
	Created  time.Time
	Updated  time.Time
}

// Name returns what to call the session: its title, or its topic.
func (s SessionSummary) Name() string {
	if s.Title != "" {
		return s.Title
	}
	return s.Topic
}

// Reasons why a session cannot be opened or changed.
var (
	ErrNoSession = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous session id")
	ErrLocked    = errors.New("session is open elsewhere")
	ErrNewer     = errors.New("made by a newer version")
	ErrNotReady  = errors.New("not possible now")
)
