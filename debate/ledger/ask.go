package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"roundtable/agents"
)

// Limits of a question, in characters.
const (
	MaxQuery  = 1000
	MaxReason = 500
)

// Question is what an agent wants to know.
type Question struct {
	Query    string   `json:"query"`
	Reason   string   `json:"reason"`
	Priority Priority `json:"priority"`
	Refresh  bool     `json:"refresh"` // ask again although there is a released answer
}

// Status is what became of a question.
type Status string

// The statuses of a question.
const (
	StatusQueued      Status = "queued"
	StatusDuplicate   Status = "duplicate"
	StatusAnswered    Status = "answered"
	StatusUnavailable Status = "unavailable"
)

// Reply is what the asking agent is told at once.
type Reply struct {
	RequestID string `json:"request_id"`
	Status    Status `json:"status"`
	Answer    string `json:"answer,omitempty"`
	Message   string `json:"message"`
}

// Caps are the most new requests: of one agent in one round, and of a session.
// Zero means no cap. Duplicates do not count.
type Caps struct {
	PerRound   int `toml:"per_agent_per_round" json:"per_round"`
	PerSession int `toml:"per_session" json:"per_session"`
}

// DefaultCaps are used where the configuration says nothing.
var DefaultCaps = Caps{PerRound: 3, PerSession: 20}

// ErrCap reports a question that would be one too many.
var ErrCap = errors.New("too many context requests")

// Check returns the question with its text trimmed and its priority filled in, or an error
// that names the field at fault.
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
			return q, fmt.Errorf("%s has %d characters; %d is the most", f.name, n, f.most)
		}
	}
	if q.Priority != Required && q.Priority != Optional {
		return q, fmt.Errorf("priority is %q; it is \"required\" or \"optional\"", q.Priority)
	}
	return q, nil
}

// Key identifies questions that ask the same: the hash of the query after NFKC,
// lower-casing, collapsing white space and cutting trailing punctuation.
func Key(query string) string {
	s := strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(query))), " ")
	s = strings.TrimRightFunc(s, func(r rune) bool { return punctuation(r) || unicode.IsSpace(r) })
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// punctuation reports whether r ends sentences and parts of them. Marks that are
// part of a word are none: C# is not C.
func punctuation(r rune) bool { return unicode.IsPunct(r) && !strings.ContainsRune(`#%&*@/\`, r) }

// Ask decides what becomes of a question: the reply to the agent and the events
// to store. With ErrCap there is an event too; any other error leaves nothing.
func (l Ledger) Ask(turn agents.Turn, call string, q Question, caps Caps) (Reply, []Event, error) {
	q, err := q.Check()
	if err != nil {
		return Reply{}, nil, err
	}
	if reply, ok := l.asked(turn, call); ok {
		return reply, nil, nil
	}
	key := Key(q.Query)
	event := Event{
		Session: turn.Session, Type: Asked, Actor: string(turn.Agent), Turn: turn, Call: call,
		Payload: Payload{Query: q.Query, Key: key, Reason: q.Reason, Priority: q.Priority},
	}
	if id, reply, ok := l.before(turn, key); ok {
		event.Request, event.Payload.Reply = id, &reply
		return reply, []Event{event}, nil
	}
	old, hit := l.newest(key)
	if hit && old.State == Released {
		if !q.Refresh {
			return told(old), nil, nil
		}
		event.Payload.FollowUpOf, hit = old.ID, false
	}
	if hit {
		reply := Reply{RequestID: old.ID, Status: StatusDuplicate, Message: old.ID + " already asks the user this; you are named as an asker too. " + goOn}
		event.Request, event.Payload.Reply = old.ID, &reply
		return reply, []Event{event}, nil
	}
	if err := l.full(turn, caps); err != nil {
		event.Type = CapReached
		return Reply{}, []Event{event}, err
	}
	id := l.nextID()
	reply := Reply{RequestID: id, Status: StatusQueued, Message: "The user is asked as " + id + ". " + goOn}
	event.Request, event.Payload.Reply = id, &reply
	return reply, []Event{event}, nil
}

// nextID counts on from the last number: in a fork some before it may have
// stayed behind, and none is used again.
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

const goOn = "The answer comes with a later round: finish this turn with what you know, and say what depends on the answer."

// asked finds the reply that this very call got.
func (l Ledger) asked(turn agents.Turn, call string) (Reply, bool) {
	for _, r := range l.Requests {
		for _, a := range r.Asks {
			if a.Turn == turn && a.Call == call {
				return a.Reply, true
			}
		}
	}
	return Reply{}, false
}

// before finds what an earlier attempt of the turn was told when it asked the
// same, the n-th time for the n-th time: a turn that starts again must read
// the same bytes.
func (l Ledger) before(turn agents.Turn, key string) (id string, reply Reply, ok bool) {
	n := 0
	type told struct {
		id    string
		reply Reply
	}
	var earlier []told
	attempt := 0
	for _, r := range l.Requests {
		if r.Key != key {
			continue
		}
		for _, a := range r.Asks {
			if a.Turn == turn {
				n++
			}
			if !earlierAttempt(a.Turn, turn) || a.Turn.Attempt < attempt {
				continue
			}
			if a.Turn.Attempt > attempt {
				attempt, earlier = a.Turn.Attempt, nil
			}
			earlier = append(earlier, told{r.ID, a.Reply})
		}
	}
	if n >= len(earlier) {
		return "", Reply{}, false
	}
	return earlier[n].id, earlier[n].reply, true
}

// earlierAttempt reports whether t is an earlier attempt of the turn.
func earlierAttempt(t, turn agents.Turn) bool {
	same := t
	same.Attempt = turn.Attempt
	return same == turn && t.Attempt < turn.Attempt
}

// newest returns the last request with that key, one that was withdrawn only
// where there is no other.
func (l Ledger) newest(key string) (found Request, ok bool) {
	for _, r := range l.Requests {
		if r.Key == key && (!ok || r.State != Withdrawn || found.State == Withdrawn) {
			found, ok = r, true
		}
	}
	return found, ok
}

// told is the reply to a question whose answer has been released: what the
// agents have been given, not what the user may have typed since.
func told(r Request) Reply {
	a, _ := r.Revision(r.Delivered[len(r.Delivered)-1].Revision)
	if a.Outcome == Unavailable {
		return Reply{
			RequestID: r.ID, Status: StatusUnavailable, Answer: a.Content,
			Message: "The user was asked and cannot say; answer holds the reason. Go on without it.",
		}
	}
	return Reply{
		RequestID: r.ID, Status: StatusAnswered, Answer: a.Content,
		Message: "The user has answered this; cite it as [" + r.ID + "].",
	}
}

// full returns an error when one more request would pass a cap.
func (l Ledger) full(turn agents.Turn, caps Caps) error {
	mine := 0
	for _, r := range l.Requests {
		if r.counts(turn) {
			mine++
		}
	}
	switch {
	case caps.PerRound > 0 && mine >= caps.PerRound:
		return fmt.Errorf("%w: %d new ones per agent and round are allowed; go on with what you know", ErrCap, caps.PerRound)
	case caps.PerSession > 0 && len(l.Requests) >= caps.PerSession:
		return fmt.Errorf("%w: %d per session are allowed; go on with what you know", ErrCap, caps.PerSession)
	}
	return nil
}

// counts reports whether the request is one of those that the agent of the turn
// brought up in its round. What an earlier attempt asked and nobody has answered
// is taken back when this one ends, so it leaves room to ask in other words.
func (r Request) counts(turn agents.Turn) bool {
	first := r.Asks[0].Turn
	if first.Agent != turn.Agent || first.Round != turn.Round || r.State == Withdrawn {
		return false
	}
	again := slices.ContainsFunc(r.Asks, func(a Ask) bool { return a.Turn == turn })
	return again || r.State != Pending || !earlierAttempt(first, turn)
}
