package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Unanswered is the gate: it returns the open required requests, which block the next
// round if there is one. The engine, the store, the form and every front end ask this
// method.
func (s Session) Unanswered() []ledger.Request {
	return ledger.Ledger{Requests: s.Requests}.Blocking()
}

// OpenRequests returns the requests that can be answered, the required ones first.
func (s Session) OpenRequests() []ledger.Request {
	open := slices.DeleteFunc(slices.Clone(s.Requests), func(r ledger.Request) bool { return !r.Open() })
	optional := slices.DeleteFunc(slices.Clone(open), func(r ledger.Request) bool { return r.Priority == ledger.Required })
	required := slices.DeleteFunc(open, func(r ledger.Request) bool { return r.Priority != ledger.Required })
	return append(required, optional...)
}

// BlockedError is returned when a round cannot start because required requests are open.
type BlockedError struct {
	Session  string
	Round    int // the round that cannot start
	Requests []ledger.Request
}

// Error lists the requests with who asked them.
func (e *BlockedError) Error() string {
	out := fmt.Sprintf("round %d cannot start: %s open", e.Round, text.Count(len(e.Requests), "required question"))
	for _, r := range e.Requests {
		out += fmt.Sprintf("\n- [%s] (%s): %s", r.ID, joinIDs(r.Askers()), r.Query)
	}
	return out
}

func joinIDs(ids []agents.ID) string { return strings.Join(text.Strings(ids), ", ") }

// SentWith lists the requests whose answers were sent with a round.
func (s Session) SentWith(round int) []string {
	return ledger.IDs(slices.DeleteFunc(slices.Clone(s.Requests), func(r ledger.Request) bool {
		return !slices.ContainsFunc(r.Delivered, func(d ledger.Delivery) bool { return d.Round == round })
	}))
}

// Focus is a question that a round looks at in particular. An empty text is none.
type Focus struct {
	Text   string
	Author ledger.Author
}

// Begin passes the gate and returns what starting the next round writes: its manifest
// and the release of all answers not yet delivered. The error is a *BlockedError while
// required requests are open, or ErrNotReady.
func (s Session) Begin(focus Focus) (Manifest, []ledger.Event, error) {
	if s.Gone != "" {
		return Manifest{}, nil, s.Gone
	}
	round := s.Next()
	if round == 0 {
		return Manifest{}, nil, fmt.Errorf("begin a round of debate %s: %w", s.ID, ErrNotReady)
	}
	if open := s.Unanswered(); len(open) > 0 {
		return Manifest{}, nil, &BlockedError{Session: s.ID, Round: round, Requests: open}
	}
	l := ledger.Ledger{Requests: s.Requests}
	release := l.Release(round)
	m := Manifest{
		Session:       s.ID,
		Round:         round,
		Rounds:        s.Rounds,
		Seats:         s.SeatIDs(),
		Focus:         focus.Text,
		FocusAuthor:   focus.Author,
		Interjections: s.PendingInterjections(),
		Seed:          s.seed(round),
		Config:        s.ConfigHash,
	}
	for _, e := range s.Evidence {
		m.Evidence = append(m.Evidence, e.ID)
	}
	for x := range s.Said() {
		m.Responses = append(m.Responses, x.ID())
	}
	for _, r := range l.Apply(release...).Requests {
		if r.Open() {
			m.Open = append(m.Open, r.ID)
		}
		if n := len(r.Delivered); n > 0 {
			m.Facts = append(m.Facts, FactRef{ID: r.ID, Revision: r.Delivered[n-1].Revision})
		}
	}
	return m, release, nil
}
