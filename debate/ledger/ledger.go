// Package ledger keeps the questions of agents to the user and the answers. It folds
// an append-only list of events into requests and makes the events of each decision.
//
// It imports agents and text only, does no I/O and reads no clock: the store numbers the
// events and sets their times. Whether a round may start is decided by
// debate.Session.Unanswered.
package ledger

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Priority says whether a request blocks the next round.
type Priority string

const (
	Required Priority = "required"
	Optional Priority = "optional"
)

// State is the state of a request.
type State string

// The states. A request can change between Pending and Resolved until it is released.
const (
	Pending      State = "pending"
	Resolved     State = "resolved"
	Released     State = "released"
	Withdrawn    State = "withdrawn"     // no live ask is left, or it was joined to another
	AfterVerdict State = "after_verdict" // the session ended first; it can still be answered
	Unanswered   State = "unanswered"    // how the session turned out was said before it was answered
)

// Outcome is the kind of an answer.
type Outcome string

const (
	Answered    Outcome = "answered"
	Unavailable Outcome = "unavailable"
)

// Request is one question to the user, asked by one or more agents.
type Request struct {
	ID         string // C1, C2, ... in the order of their asks
	Seq        int64  // of its last event: a copy with a lower one is older
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
	Author     Author
	Correction bool // made after a release
	At         time.Time
}

// Author is who wrote an answer, a topic, evidence, a focus or a message, and by which door.
// The zero value is that of a text whose author was not stored, so that it is unknown whether
// a person wrote it.
type Author struct {
	Kind   AuthorKind `json:"kind,omitempty"`
	Door   string     `json:"door,omitempty"`   // such as "interface"; of an assistant its name
	Client string     `json:"client,omitempty"` // that showed the form, its word that a person filled it in; that ran the command
	Counts bool       `json:"counts,omitempty"` // the user lets this assistant answer in their place

	ProposedBy string `json:"proposed_by,omitempty"` // the assistant whose words the person accepted unchanged
}

// ByPerson returns the author of what a person enters by a door of this program.
func ByPerson(door string) Author { return Author{Kind: Person, Door: door} }

// AuthorKind says what an author is.
type AuthorKind string

const (
	Person     AuthorKind = "person"
	Command    AuthorKind = "command"   // a command or a file that no person is known to have entered
	Assistant  AuthorKind = "assistant" // a program that speaks for a person, such as a coding agent
	Evaluation AuthorKind = "eval"      // the data set of an evaluation, in the place of a person
)

// Accepted returns the author of an answer that a person gave to whom an assistant proposed
// words. Other white space, as of a form with one line, is no change of them.
func (a Author) Accepted(by, proposed, given string) Author {
	if a.Kind == Person && slices.Equal(strings.Fields(proposed), strings.Fields(given)) {
		a.ProposedBy = cmp.Or(by, "an assistant")
	}
	return a
}

// String names the author, such as "you (interface)" or "“claude-code”, not you".
func (a Author) String() string {
	switch {
	case a.ProposedBy != "":
		return "proposed by " + quoted(a.ProposedBy) + ", accepted by you"
	case a.Kind == Person && a.Door != "":
		return "you (" + a.Door + ")"
	case a.Kind == Person:
		return "you"
	case a.Kind == Assistant:
		return cmp.Or(quoted(a.Door), "an assistant") + ", not you"
	case a.Kind == Command && a.Client != "":
		return "a command of " + quoted(a.Client)
	case a.Kind == Command:
		return "a command"
	case a.Kind == Evaluation:
		return "the data set of an evaluation"
	}
	return "not stored"
}

// quoted returns the name of a client or a source in quotation marks; "" for none.
func quoted(name string) string {
	if name == "" {
		return ""
	}
	return "“" + name + "”"
}

// Assistant returns the name of the program that spoke in the user's place; "" if none is known.
func (a Author) Assistant() string {
	switch a.Kind {
	case Assistant:
		return cmp.Or(a.Door, "an assistant")
	case Command:
		return a.Client
	default:
		return ""
	}
}

// Note says who wrote a text that is not the user's own, such as "from claude-code, not you" or
// "proposed by claude-code, accepted by you"; "" for a text of the user, and for one whose
// author was not stored.
func (a Author) Note() string {
	switch {
	case a.ProposedBy != "":
		return a.String()
	case a.Kind == Person, a.Kind == "":
		return ""
	}
	return "from " + a.String()
}

// Aside returns the note in brackets after a space, in one line; "" without one.
func (a Author) Aside() string {
	if note := text.Line(a.Note()); note != "" {
		return " (" + note + ")"
	}
	return ""
}

// Said returns the outcome, with who gave the answer if it is not the user's own: "answered by
// claude-code, not you" or "proposed by claude-code, accepted by you".
func (a Answer) Said() string {
	switch {
	case a.Author.ProposedBy != "" && a.Outcome == Answered:
		return a.Author.String()
	case a.Author.ProposedBy != "":
		return string(a.Outcome) + ", " + a.Author.String()
	case a.Author.Kind == Assistant, a.Author.Kind == Command, a.Author.Kind == Evaluation:
		return string(a.Outcome) + " by " + a.Author.String()
	}
	return string(a.Outcome)
}

// From says where an answer comes from: who gave it, unless it is the user's own, and the source
// that was named; "" for an answer of the user without one.
func (a Answer) From() string {
	by := a.Author.Note()
	if a.Author.Kind == "" {
		by = "who answered was not stored"
	}
	if a.Source == "" || by == "" {
		return quoted(a.Source) + by
	}
	return quoted(a.Source) + ", " + by
}

// Delivery records that a revision was released to the agents of a round.
type Delivery struct {
	Revision int
	Round    int
}

// Answer returns the newest revision; false for an unanswered request and a withdrawn answer.
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

// Open reports whether the request waits for an answer, also after a verdict.
func (r Request) Open() bool { return r.State == Pending || r.State == AfterVerdict }

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

// Undelivered returns the newest answer, unless it was already sent with a round.
func (r Request) Undelivered() (Answer, bool) {
	a, ok := r.Answer()
	sent, _ := r.Sent()
	return a, ok && a.Revision != sent.Revision
}

// Askers returns the agents that asked, each once; withdrawn asks count if there is no other.
func (r Request) Askers() []agents.ID {
	var out []agents.ID
	for _, a := range r.live() {
		if !slices.Contains(out, a.Turn.Agent) {
			out = append(out, a.Turn.Agent)
		}
	}
	return out
}

// Reason returns why the first agent asks that still does; of the first of all if none does.
func (r Request) Reason() string {
	if asks := r.live(); len(asks) > 0 {
		return asks[0].Reason
	}
	return ""
}

// live returns the asks that were not withdrawn; if all were, it returns all of them.
func (r Request) live() []Ask {
	out := slices.DeleteFunc(slices.Clone(r.Asks), func(a Ask) bool { return a.Withdrawn })
	if len(out) == 0 {
		return r.Asks
	}
	return out
}

func (r Request) askedIn(turn agents.Turn) bool {
	return slices.ContainsFunc(r.Asks, func(a Ask) bool { return a.Turn == turn })
}

// Joins reports whether a tool call asked what the request had asked before.
func (r Request) Joins(call string) bool { return len(r.Asks) > 0 && r.Asks[0].Call != call }

// Rejoined reports whether a tool call joined the request again, after an earlier one of its turn.
func (r Request) Rejoined(call string) bool {
	i := slices.IndexFunc(r.Asks, func(a Ask) bool { return a.Call == call })
	return i > 1 && slices.ContainsFunc(r.Asks[1:i], func(a Ask) bool { return a.Turn == r.Asks[i].Turn })
}

// Clone returns a deep copy.
func (r Request) Clone() Request {
	r.Asks, r.Answers, r.Delivered = slices.Clone(r.Asks), slices.Clone(r.Answers), slices.Clone(r.Delivered)
	return r
}

// IDs lists the ids of requests.
func IDs(requests []Request) []string {
	return text.Each(requests, func(r Request) string { return r.ID })
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
	return slices.DeleteFunc(slices.Clone(l.Requests), func(r Request) bool { return !r.Blocks() })
}

// EventType says what happened to a request.
type EventType string

const (
	EventAsk      EventType = "ask"
	EventAnswer   EventType = "answer"   // a revision: an answer, or why there is none
	EventReopen   EventType = "reopen"   // the answer was taken back; written by earlier versions only
	EventRelease  EventType = "release"  // a revision was handed to the agents of a round
	EventWithdraw EventType = "withdraw" // one ask is void
	EventExpire   EventType = "expire"   // the session ended
	EventClose    EventType = "close"    // it was said how an ended session turned out
	EventRevive   EventType = "revive"   // rounds were added to an ended session
	EventJoin     EventType = "join"     // the user made its askers askers of another request
	EventCap      EventType = "cap"      // an ask was refused: there are too many
	EventRestore  EventType = "restore"  // a request of another database, as it was there
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
	Reason     string   `json:"reason,omitempty"`
	Priority   Priority `json:"priority,omitempty"`
	FollowUpOf string   `json:"follow_up_of,omitempty"`
	Reply      *Reply   `json:"reply,omitempty"`
	Revision   int      `json:"revision,omitempty"`
	Outcome    Outcome  `json:"outcome,omitempty"`
	Content    string   `json:"content,omitempty"`
	Source     string   `json:"source,omitempty"`
	By         Author   `json:"by,omitzero"`     // of an answer
	Round      int      `json:"round,omitempty"` // of a release: the round that gets it
	Into       string   `json:"into,omitempty"`  // of a join: the request that is asked now
	Restored   *Request `json:"restored,omitempty"`
}

// Fold returns the ledger that events add up to. Unknown types and requests are skipped.
func Fold(events []Event) Ledger {
	var l Ledger
	for _, e := range events {
		l.apply(e)
	}
	return l
}

// Apply returns the ledger after further events. It does not change l.
func (l Ledger) Apply(events ...Event) Ledger {
	next := Ledger{Requests: text.Each(l.Requests, Request.Clone)}
	for _, e := range events {
		next.apply(e)
	}
	return next
}

func (l *Ledger) apply(e Event) {
	i := l.index(e.Request)
	if e.Type == EventAsk && i < 0 {
		l.Requests = append(l.Requests, Request{
			ID: e.Request, Query: e.Payload.Query, Round: e.Turn.Round, Asked: e.At, State: Pending, FollowUpOf: e.Payload.FollowUpOf,
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
			r.State = AfterVerdict
		}
	case EventClose:
		if r.State == AfterVerdict {
			r.State = Unanswered
		}
	case EventRevive:
		if r.State == AfterVerdict || r.State == Unanswered {
			r.State = Pending
		}
	default:
		return
	}
	r.Seq = max(r.Seq, e.Seq)
}

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
		Author: e.Payload.By, Correction: r.State == Released, At: e.At,
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

func (r *Request) updatePriority() {
	r.Priority = Optional
	if slices.ContainsFunc(r.Asks, func(a Ask) bool { return a.Priority == Required && !a.Withdrawn }) {
		r.Priority = Required
	}
}
