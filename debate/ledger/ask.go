package ledger

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Limits of a question, in characters.
const (
	MaxQuery  = 1000
	MaxReason = 500
)

// Question is what an agent asks the user.
type Question struct {
	Query    string   `json:"query"`
	Reason   string   `json:"reason"`
	Priority Priority `json:"priority"`
	Refresh  bool     `json:"refresh"` // ask again although there is a released answer
}

// Status says how a question was handled.
type Status string

const (
	StatusQueued      Status = "queued"
	StatusDuplicate   Status = "duplicate"
	StatusAnswered    Status = "answered"
	StatusUnavailable Status = "unavailable"
)

// Reply is the immediate result of a question, for the agent.
type Reply struct {
	RequestID string `json:"request_id"`
	Status    Status `json:"status"`
	Answer    string `json:"answer,omitempty"`
	Message   string `json:"message"`
}

// Caps limit the new requests of an agent in a round and of a session; 0 is no limit.
type Caps struct {
	PerRound   int `toml:"per_agent_per_round" json:"per_round"`
	PerSession int `toml:"per_session" json:"per_session"`

	None bool `toml:"-" json:"none,omitempty"` // nobody is there to answer, so that nothing can be asked
}

// DefaultCaps apply if the configuration sets none.
var DefaultCaps = Caps{PerRound: 3, PerSession: 20}

// ErrCap reports that a question exceeds a cap.
var ErrCap = errors.New("too many context requests")

// Check returns the question trimmed and with a priority, or an error that names the invalid field.
func (q Question) Check() (Question, error) {
	q.Query, q.Reason = strings.TrimSpace(q.Query), strings.TrimSpace(q.Reason)
	if q.Priority == "" {
		q.Priority = Required
	}
	for _, f := range []struct {
		name, text string
		most       int
	}{{"query", q.Query, MaxQuery}, {"reason", q.Reason, MaxReason}} {
		switch n := utf8.RuneCountInString(f.text); {
		case n == 0:
			return q, fmt.Errorf("%s is empty; it needs 1 to %d characters", f.name, f.most)
		case n > f.most:
			return q, fmt.Errorf("%s has %d characters; the limit is %d", f.name, n, f.most)
		}
	}
	if q.Priority != Required && q.Priority != Optional {
		return q, fmt.Errorf("priority is %q; it must be \"required\" or \"optional\"", q.Priority)
	}
	return q, nil
}

// Key returns what is equal for questions that differ only in Unicode compatibility forms,
// case, white space or trailing punctuation.
func Key(query string) string {
	s := strings.Join(strings.Fields(text.Fold(query)), " ")
	return strings.TrimRightFunc(s, func(r rune) bool { return isPunctuation(r) || unicode.IsSpace(r) })
}

// isPunctuation reports whether r may be cut off the end of a question; C# is not C.
func isPunctuation(r rune) bool { return unicode.IsPunct(r) && !strings.ContainsRune(`#%&*@/\`, r) }

// Ask returns the reply to a question and the events that record it, also that of ErrCap.
func (l Ledger) Ask(turn agents.Turn, call string, q Question, caps Caps) (Reply, []Event, error) {
	q, err := q.Check()
	if err != nil {
		return Reply{}, nil, err
	}
	if reply, ok := l.storedReply(turn, call); ok {
		return reply, nil, nil
	}
	if named, ok := l.Find(strings.ToUpper(strings.Trim(q.Query, "[] "))); ok && named.State != Withdrawn {
		q.Query = named.Query // it names the request that it joins
	}
	key := Key(q.Query)
	event := Event{
		Session: turn.Session, Type: EventAsk, Actor: string(turn.Agent), Turn: turn, Call: call,
		Payload: Payload{Query: q.Query, Reason: q.Reason, Priority: q.Priority},
	}
	if reply, ok := l.earlierReply(turn, key); ok {
		asked, _ := l.Find(reply.RequestID)
		event.Request, event.Payload.Reply = l.joined(asked).ID, &reply
		return reply, []Event{event}, nil
	}
	old, hit := l.latest(key)
	old = l.joined(old)
	if hit && old.State == Released {
		if !q.Refresh {
			return releasedReply(old), nil, nil
		}
		event.Payload.FollowUpOf, hit = old.ID, false
	}
	if hit {
		reply := Reply{
			RequestID: old.ID, Status: StatusDuplicate,
			Message: old.ID + " already asks the user this; you are named as an asker too. " + continueHint,
		}
		event.Request, event.Payload.Reply = old.ID, &reply
		return reply, []Event{event}, nil
	}
	if err := l.checkCaps(turn, caps); err != nil {
		event.Type = EventCap
		return Reply{}, []Event{event}, err
	}
	id := l.nextID()
	reply := Reply{RequestID: id, Status: StatusQueued, Message: "The user is asked as " + id + ". " + continueHint}
	event.Request, event.Payload.Reply = id, &reply
	return reply, []Event{event}, nil
}

// nextID returns the id after the highest one: ids are not reused, and a fork may lack some.
func (l Ledger) nextID() string {
	last := 0
	for _, r := range l.Requests {
		var n int
		if _, err := fmt.Sscanf(r.ID, "C%d", &n); err == nil {
			last = max(last, n)
		}
	}
	return fmt.Sprintf("C%d", last+1)
}

const continueHint = "An answer can only come with a later round. Now write your whole statement, with its JSON block at the end; " +
	"say what you would hold for either answer."

func (l Ledger) storedReply(turn agents.Turn, call string) (Reply, bool) {
	for _, r := range l.Requests {
		for _, a := range r.Asks {
			if a.Turn == turn && a.Call == call {
				return a.Reply, true
			}
		}
	}
	return Reply{}, false
}

// earlierReply returns the reply that the previous attempt of the turn got to the
// same question; if it asked several times, to the n-th one for the n-th. An agent
// whose turn is repeated must read the same bytes.
func (l Ledger) earlierReply(turn agents.Turn, key string) (Reply, bool) {
	n, attempt := 0, 0
	var earlier []Reply
	for _, r := range l.Requests {
		for _, a := range r.Asks {
			if Key(a.Query) != key { // of an ask that was joined to another question
				continue
			}
			if a.Turn == turn {
				n++
			}
			if !isEarlierAttempt(a.Turn, turn) || a.Turn.Attempt < attempt {
				continue
			}
			if a.Turn.Attempt > attempt {
				attempt, earlier = a.Turn.Attempt, nil
			}
			earlier = append(earlier, a.Reply)
		}
	}
	if n >= len(earlier) {
		return Reply{}, false
	}
	return earlier[n], true
}

func isEarlierAttempt(t, turn agents.Turn) bool {
	same := t
	same.Attempt = turn.Attempt
	return same == turn && t.Attempt < turn.Attempt
}

// latest returns the last request with a key, a withdrawn one only if there is no other.
func (l Ledger) latest(key string) (found Request, ok bool) {
	for _, r := range l.Requests {
		if Key(r.Query) == key && (!ok || r.State != Withdrawn || found.State == Withdrawn) {
			found, ok = r, true
		}
	}
	return found, ok
}

// releasedReply returns the reply with the revision that was released, not a newer one.
func releasedReply(r Request) Reply {
	a, _ := r.Sent()
	reply, who := Reply{RequestID: r.ID, Status: StatusAnswered, Answer: a.Content}, "The user"
	if program := a.Author.Assistant(); program != "" {
		who = fmt.Sprintf("A program (%s), not the user,", text.Label(program))
	}
	reply.Message = who + " has answered this; cite it as [" + r.ID + "]."
	if a.Outcome == Unavailable {
		reply.Status, reply.Message = StatusUnavailable, who+" was asked and cannot say; answer holds the reason. Go on without it."
	}
	return reply
}

func (l Ledger) checkCaps(turn agents.Turn, caps Caps) error {
	mine := 0
	for _, r := range l.Requests {
		if r.countsFor(turn) {
			mine++
		}
	}
	switch {
	case caps.PerRound > 0 && mine >= caps.PerRound:
		return fmt.Errorf("%w: the limit is %d new ones per agent and round; go on with what you know", ErrCap, caps.PerRound)
	case caps.PerSession > 0 && len(l.Requests) >= caps.PerSession:
		return fmt.Errorf("%w: the limit is %d per session; go on with what you know", ErrCap, caps.PerSession)
	}
	return nil
}

// countsFor reports whether a request counts towards the cap of a turn. Requests
// that only an earlier attempt of the turn made, and that were not answered, do not:
// they are withdrawn when the turn ends.
func (r Request) countsFor(turn agents.Turn) bool {
	if len(r.Asks) == 0 { // it was joined to another
		return false
	}
	first := r.Asks[0].Turn
	if first.Agent != turn.Agent || first.Round != turn.Round || r.State == Withdrawn {
		return false
	}
	return r.askedIn(turn) || r.State != Pending || !isEarlierAttempt(first, turn)
}
