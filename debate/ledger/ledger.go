// Package ledger keeps the facts that agents ask the user for: a pure fold over
// an append-only list of events, and the decisions that make new ones.
//
// It imports agents only. It does no I/O and reads no clock: whoever stores the
// events numbers them and stamps their time. Whether a round may start is not
// decided here but by debate.Session.Unanswered.
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

// State is where a request stands.
type State string

// The states. Pending and Resolved go back and forth until the release, which freezes.
const (
	Pending   State = "pending"
	Resolved  State = "resolved"
	Released  State = "released"
	Withdrawn State = "withdrawn" // no live ask is left
	Expired   State = "expired"   // the session ended first
)

// Outcome is what the user said to a request.
type Outcome string

// The outcomes.
const (
	Answered    Outcome = "answered"
	Unavailable Outcome = "unavailable"
)

// Request is one question to the user, however many agents asked it.
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
	Delivered  []Delivery
}

// Ask is one agent's wish to know. Its query stands verbatim.
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

// Delivery says that a revision was released to the agents for a round.
type Delivery struct {
	Revision int
	Round    int
}

// Answer returns the newest revision; ok is false while there is none, also
// where it was taken back.
func (r Request) Answer() (a Answer, ok bool) {
	if len(r.Answers) == 0 || r.State != Resolved && r.State != Released {
		return Answer{}, false
	}
	return r.Answers[len(r.Answers)-1], true
}

// Revision returns the revision with that number.
func (r Request) Revision(n int) (Answer, bool) {
	i := slices.IndexFunc(r.Answers, func(a Answer) bool { return a.Revision == n })
	if i < 0 {
		return Answer{}, false
	}
	return r.Answers[i], true
}

// Blocks reports whether the next round has to wait for this request.
func (r Request) Blocks() bool { return r.State == Pending && r.Priority == Required }

// Open reports whether the request has no answer and can still get one.
func (r Request) Open() bool { return r.State == Pending }

// Undelivered returns the revision that the next release has to hand over.
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

// Askers returns who asked, each once, in the order of asking; withdrawn asks do not count
// while a live one is left.
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

// Clone returns a copy that shares no slice.
func (r Request) Clone() Request {
	r.Asks, r.Answers, r.Delivered = slices.Clone(r.Asks), slices.Clone(r.Answers), slices.Clone(r.Delivered)
	return r
}

// Ledger is all requests of a session, in the order of their numbers.
type Ledger struct {
	Requests []Request
}

// Find returns the request with that id.
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

// Blocking returns the requests that the next round has to wait for.
func (l Ledger) Blocking() []Request {
	var out []Request
	for _, r := range l.Requests {
		if r.Blocks() {
			out = append(out, r.Clone())
		}
	}
	return out
}
