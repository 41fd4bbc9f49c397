package debate

import (
	"time"

	"roundtable/agents"
)

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
