package ledger

import (
	"slices"
	"time"

	"roundtable/agents"
)

// EventType says what happened to a request.
type EventType string

// The types of events.
const (
	EventAsk      EventType = "ask"
	EventAnswer   EventType = "answer"   // a revision: an answer, or why there is none
	EventReopen   EventType = "reopen"   // the answer was taken back; written by earlier versions only
	EventRelease  EventType = "release"  // a revision was handed to the agents of a round
	EventWithdraw EventType = "withdraw" // one ask is void
	EventExpire   EventType = "expire"   // the session ended
	EventRevive   EventType = "revive"   // rounds were added to an ended session
	EventJoin     EventType = "join"     // the user made its askers askers of another request
	EventCap      EventType = "cap"      // an ask was refused: there are too many
	EventRestore  EventType = "restore"  // a request of another database, as it stood there
)

// User is the actor of everything the user does.
const User = "user"

// Event is one change of a request. Events are never changed or removed.
type Event struct {
	Seq     int64 // ascending within a session; set by the store
	Session string
	Request string // "" for a refused ask
	Type    EventType
	Actor   string      // an agent's id, or User
	Turn    agents.Turn // of an ask, or of the ask that is taken back
	Call    string      // of an ask, or of the ask that is taken back
	Payload Payload
	At      time.Time
}

// Payload is the data of an event. Which fields are set depends on its type.
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
	Into       string   `json:"into,omitempty"`  // of a join: the request that is asked now
	Restored   *Request `json:"restored,omitempty"`
}

// Fold returns the ledger that events add up to. Unknown types and events of unknown
// requests are skipped.
func Fold(events []Event) Ledger {
	var l Ledger
	for _, e := range events {
		l.apply(e)
	}
	return l
}

// Apply returns the ledger after further events. It does not change l.
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
	if e.Type == EventAsk && i < 0 {
		l.Requests = append(l.Requests, Request{
			ID: e.Request, Key: e.Payload.Key, Query: e.Payload.Query, Round: e.Turn.Round, Asked: e.At,
			State: Pending, FollowUpOf: e.Payload.FollowUpOf,
		})
		i = len(l.Requests) - 1
	}
	if e.Type == EventRestore && i < 0 && e.Payload.Restored != nil {
		l.restore(e)
		return
	}
	if i < 0 {
		return
	}
	r := &l.Requests[i]
	switch e.Type {
	case EventAsk:
		r.ask(e)
	case EventAnswer:
		r.answer(e)
	case EventReopen:
		if r.State == Resolved {
			r.State = Pending
		}
	case EventRelease:
		r.State = Released
		r.Delivered = append(r.Delivered, Delivery{Revision: e.Payload.Revision, Round: e.Payload.Round})
	case EventWithdraw:
		r.withdraw(e)
	case EventJoin:
		l.join(i, e)
	case EventExpire:
		if r.State == Pending {
			r.State = Expired
		}
	case EventRevive:
		if r.State == Expired {
			r.State = Pending
		}
	default:
		return
	}
	r.Seq = max(r.Seq, e.Seq)
}

// Restore returns the events that make requests of another session, in their order,
// requests of an empty ledger.
func Restore(requests []Request) []Event {
	out := make([]Event, len(requests))
	for i, r := range requests {
		r = r.Clone()
		out[i] = Event{Request: r.ID, Type: EventRestore, Actor: User, At: r.Asked, Payload: Payload{Restored: &r}}
	}
	return out
}

// restore adds a request as it stood elsewhere. Its turns are of this session now.
func (l *Ledger) restore(e Event) {
	r := e.Payload.Restored.Clone()
	r.ID, r.Seq = e.Request, e.Seq
	for i := range r.Asks {
		r.Asks[i].Turn.Session = e.Session
	}
	l.Requests = append(l.Requests, r)
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
	r.updatePriority()
}

func (r *Request) answer(e Event) {
	r.Answers = append(r.Answers, Answer{
		Revision: e.Payload.Revision, Outcome: e.Payload.Outcome, Content: e.Payload.Content, Source: e.Payload.Source,
		Author: e.Actor, Correction: e.Payload.Correction, At: e.At,
	})
	if r.State != Released {
		r.State = Resolved
	}
}

func (r *Request) withdraw(e Event) {
	for i := range r.Asks {
		if r.Asks[i].Turn == e.Turn && r.Asks[i].Call == e.Call {
			r.Asks[i].Withdrawn = true
		}
	}
	live := slices.ContainsFunc(r.Asks, func(a Ask) bool { return !a.Withdrawn })
	if !live && r.State == Pending {
		r.State = Withdrawn
	}
	r.updatePriority()
}

// updatePriority sets the priority to the highest one among the live asks.
func (r *Request) updatePriority() {
	r.Priority = Optional
	for _, a := range r.Asks {
		if a.Priority == Required && !a.Withdrawn {
			r.Priority = Required
		}
	}
}
