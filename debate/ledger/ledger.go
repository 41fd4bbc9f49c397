// Package ledger keeps the questions of agents to the user and the answers. It folds
// an append-only list of events into requests and makes the events of each decision.
//
// It imports agents only, does no I/O and reads no clock: the store numbers the
// events and sets their times. Whether a round may start is decided by
// debate.Session.Unanswered.
package ledger

import (
	"slices"
	"time"

	"roundtable/agents"
)

// Priority says whether a request blocks the next round.
type Priority string

// The priorities.
const (
	Required Priority = "required"
	Optional Priority = "optional"
)

// State is the state of a request.
type State string

// The states. Pending and Resolved go back and forth until the release, which freezes.
const (
	Pending   State = "pending"
	Resolved  State = "resolved"
	Released  State = "released"
	Withdrawn State = "withdrawn" // no live ask is left, or it was joined to another
	Expired   State = "expired"   // the session ended first
)

// Outcome is the kind of an answer.
type Outcome string

// The outcomes.
const (
	Answered    Outcome = "answered"
	Unavailable Outcome = "unavailable"
)

// Request is one question to the user, asked by one or more agents.
type Request struct {
	ID         string // C1, C2, ... in the order of their asks
	Seq        int64  // of its last event: a copy with a lower one is older
	Key        string // of the normalised query
	Query      string // as it was asked first
	Round      int    // of the first ask
	Asked      time.Time
	Priority   Priority // the highest of its live asks
	State      State
	Asks       []Ask
	Answers    []Answer // revisions, oldest first
	FollowUpOf string   // the request that this one refreshes
	JoinedTo   string   // the request that has its asks now; "" unless the user joined it
	Delivered  []Delivery
}

// Ask is the question of one agent in its own words.
type Ask struct {
	Turn      agents.Turn
	Call      string // the id of the tool call
	Query     string
	Reason    string
	Priority  Priority
	At        time.Time
	Reply     Reply // what the agent was told
	Withdrawn bool
}

// Answer is one revision of what the user said.
type Answer struct {
	Revision   int
	Outcome    Outcome
	Content    string // the answer, or the reason why there is none
	Source     string
	Author     string
	Correction bool // made after a release
	At         time.Time
}

// Delivery records that a revision was released to the agents of a round.
type Delivery struct {
	Revision int
	Round    int
}

// Answer returns the newest revision. It returns false if there is none or if the
// answer was taken back.
func (r Request) Answer() (a Answer, ok bool) {
	if len(r.Answers) == 0 || r.State != Resolved && r.State != Released {
		return Answer{}, false
	}
	return r.Answers[len(r.Answers)-1], true
}

// Revision returns the n-th revision.
func (r Request) Revision(n int) (Answer, bool) {
	i := slices.IndexFunc(r.Answers, func(a Answer) bool { return a.Revision == n })
	if i < 0 {
		return Answer{}, false
	}
	return r.Answers[i], true
}

// Blocks reports whether the request keeps the next round from starting.
func (r Request) Blocks() bool { return r.State == Pending && r.Priority == Required }

// Open reports whether the request waits for an answer.
func (r Request) Open() bool { return r.State == Pending }

// Sent returns the newest revision that was released; false if none was.
func (r Request) Sent() (Answer, bool) {
	if len(r.Delivered) == 0 {
		return Answer{}, false
	}
	return r.Revision(r.Delivered[len(r.Delivered)-1].Revision)
}

// FirstDelivery returns the first round that had an answer; 0 if none had.
func (r Request) FirstDelivery() int {
	if len(r.Delivered) == 0 {
		return 0
	}
	return r.Delivered[0].Round
}

// Undelivered returns the newest revision if it was not released yet.
func (r Request) Undelivered() (Answer, bool) {
	a, ok := r.Answer()
	if !ok {
		return Answer{}, false
	}
	if n := len(r.Delivered); n > 0 && r.Delivered[n-1].Revision == a.Revision {
		return Answer{}, false
	}
	return a, true
}

// Askers returns the agents that asked, in the order of asking and without
// duplicates. Withdrawn asks count only if there is no other.
func (r Request) Askers() []agents.ID {
	var live, all []agents.ID
	for _, a := range r.Asks {
		if !slices.Contains(all, a.Turn.Agent) {
			all = append(all, a.Turn.Agent)
		}
		if !a.Withdrawn && !slices.Contains(live, a.Turn.Agent) {
			live = append(live, a.Turn.Agent)
		}
	}
	if len(live) > 0 {
		return live
	}
	return all
}

// Clone returns a deep copy.
func (r Request) Clone() Request {
	r.Asks, r.Answers, r.Delivered = slices.Clone(r.Asks), slices.Clone(r.Answers), slices.Clone(r.Delivered)
	return r
}

// Ledger holds all requests of a session in the order of their ids.
type Ledger struct {
	Requests []Request
}

// Find returns the request with the given id.
func (l Ledger) Find(id string) (Request, bool) {
	i := l.index(id)
	if i < 0 {
		return Request{}, false
	}
	return l.Requests[i], true
}

func (l Ledger) index(id string) int {
	return slices.IndexFunc(l.Requests, func(r Request) bool { return r.ID == id })
}

// Blocking returns the requests that keep the next round from starting.
func (l Ledger) Blocking() []Request {
	var out []Request
	for _, r := range l.Requests {
		if r.Blocks() {
			out = append(out, r.Clone())
		}
	}
	return out
}
