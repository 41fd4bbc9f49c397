package ledger

import (
	"slices"
	"time"

	"roundtable/agents"
)

// Type names what an event says.
type Type string

// The types of events.
const (
	Asked      Type = "ask"
	Replied    Type = "answer"   // a revision: an answer, or why there is none
	Reopened   Type = "reopen"   // the answer was taken back before the release
	Freed      Type = "release"  // a revision was handed to the agents of a round
	TakenBack  Type = "withdraw" // one ask is void
	RanOut     Type = "expire"   // the session ended
	CameBack   Type = "revive"   // rounds were added to an ended session
	CapReached Type = "cap"      // an ask was refused: there are too many
)

// User is the actor of all that the user does.
const User = "user"

// Event is one thing that happened to a request. It is never changed or removed.
type Event struct {
	Seq     int64 // ascending within a session; set by the store
	Session string
	Request string // "" for a refused ask
	Type    Type
	Actor   string      // an agent's id, or User
	Turn    agents.Turn // of an ask, or of the ask that is taken back
	Call    string      // of an ask, or of the ask that is taken back
	Payload Payload
	At      time.Time
}

// Payload is what an event says besides who and when; which fields are set
// depends on its type.
type Payload struct {
	Query      string   `json:"query,omitempty"`
	Key        string   `json:"key,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Priority   Priority `json:"priority,omitempty"`
	FollowUpOf string   `json:"follow_up_of,omitempty"`
	Reply      *Reply   `json:"reply,omitempty"`
	Revision   int      `json:"revision,omitempty"`
	Outcome    Outcome  `json:"outcome,omitempty"`
	Content    string   `json:"content,omitempty"`
	Source     string   `json:"source,omitempty"`
	Correction bool     `json:"correction,omitempty"`
	Round      int      `json:"round,omitempty"` // of a release: the round that gets it
}

// Fold replays events in their order. Unknown types and events of unknown
// requests are passed over: a newer version's rows must not break an older one,
// which the store's schema version keeps out anyway.
func Fold(events []Event) Ledger {
	var l Ledger
	for _, e := range events {
		l.apply(e)
	}
	return l
}

// Apply returns the ledger after further events.
func (l Ledger) Apply(events ...Event) Ledger {
	next := Ledger{Requests: make([]Request, len(l.Requests))}
	for i, r := range l.Requests {
		next.Requests[i] = r.Clone()
	}
	for _, e := range events {
		next.apply(e)
	}
	return next
}

func (l *Ledger) apply(e Event) {
	i := l.index(e.Request)
	if e.Type == Asked && i < 0 {
		l.Requests = append(l.Requests, Request{
			ID: e.Request, Key: e.Payload.Key, Query: e.Payload.Query, Round: e.Turn.Round, Asked: e.At,
			State: Pending, FollowUpOf: e.Payload.FollowUpOf,
		})
		i = len(l.Requests) - 1
	}
	if i < 0 {
		return
	}
	r := &l.Requests[i]
	switch e.Type {
	case Asked:
		r.ask(e)
	case Replied:
		r.reply(e)
	case Reopened:
		if r.State == Resolved {
			r.State = Pending
		}
	case Freed:
		r.State = Released
		r.Delivered = append(r.Delivered, Delivery{Revision: e.Payload.Revision, Round: e.Payload.Round})
	case TakenBack:
		r.takeBack(e)
	case RanOut:
		if r.State == Pending {
			r.State = Expired
		}
	case CameBack:
		if r.State == Expired {
			r.State = Pending
		}
	default:
		return
	}
	r.Seq = max(r.Seq, e.Seq)
}

func (r *Request) ask(e Event) {
	a := Ask{Turn: e.Turn, Call: e.Call, Query: e.Payload.Query, Reason: e.Payload.Reason, Priority: e.Payload.Priority, At: e.At}
	if e.Payload.Reply != nil {
		a.Reply = *e.Payload.Reply
	}
	r.Asks = append(r.Asks, a)
	if r.State == Withdrawn {
		r.State = Pending
	}
	r.weigh()
}

func (r *Request) reply(e Event) {
	r.Answers = append(r.Answers, Answer{
		Revision: e.Payload.Revision, Outcome: e.Payload.Outcome, Content: e.Payload.Content, Source: e.Payload.Source,
		Author: e.Actor, Correction: e.Payload.Correction, At: e.At,
	})
	if r.State != Released {
		r.State = Resolved
	}
}

func (r *Request) takeBack(e Event) {
	for i := range r.Asks {
		if r.Asks[i].Turn == e.Turn && r.Asks[i].Call == e.Call {
			r.Asks[i].Withdrawn = true
		}
	}
	live := slices.ContainsFunc(r.Asks, func(a Ask) bool { return !a.Withdrawn })
	if !live && r.State == Pending {
		r.State = Withdrawn
	}
	r.weigh()
}

// weigh sets the effective priority: the highest of the live asks.
func (r *Request) weigh() {
	r.Priority = Optional
	for _, a := range r.Asks {
		if a.Priority == Required && !a.Withdrawn {
			r.Priority = Required
		}
	}
}
