package debate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

// seed decides the orders in which a round's answers are shown to those who rank
// them. It is derived from the session's nonce, and tells nothing of it.
func (s Session) seed(round int) string {
	mac := hmac.New(sha256.New, []byte(s.Nonce))
	fmt.Fprintf(mac, "order|%d", round)
	return hex.EncodeToString(mac.Sum(nil))[:16]
}

// Manifest names all that a round starts from, by id. It is written with the
// release and never changes; what is stored later cannot enter the round.
type Manifest struct {
	Session   string      `json:"session"`
	Round     int         `json:"round"`
	Rounds    int         `json:"rounds"`
	Seats     []agents.ID `json:"seats"`
	Responses []string    `json:"responses"` // ids of the statements of earlier rounds
	Facts     []FactRef   `json:"facts"`
	Focus     string      `json:"focus,omitempty"`
	Notes     []NoteRef   `json:"notes,omitempty"`
	Seed      string      `json:"seed,omitempty"` // of the orders in which answers to be ranked are shown
	Config    string      `json:"config"`         // hash of the configuration
}

// FactRef names one revision of a released answer.
type FactRef struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"`
}

// Hash identifies the manifest: the SHA-256 of its JSON, in hex.
func (m Manifest) Hash() string {
	raw, err := json.Marshal(m)
	if err != nil { // strings and numbers always encode
		panic(fmt.Errorf("hash manifest: %w", err))
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Begin passes the gate and returns what starting the next round writes: its
// manifest and the release of all answers that have not been handed over. The
// error is a *BlockedError while required requests are open, or ErrNotReady.
func (s Session) Begin(focus string) (Manifest, []ledger.Event, error) {
	round := s.Next()
	if round == 0 {
		return Manifest{}, nil, fmt.Errorf("begin a round of session %s: %w", s.ID, ErrNotReady)
	}
	if open := s.Unanswered(); len(open) > 0 {
		return Manifest{}, nil, &BlockedError{Session: s.ID, Round: round, Requests: open}
	}
	l := ledger.Ledger{Requests: s.Requests}
	release := l.Release(round)
	m := Manifest{Session: s.ID, Round: round, Rounds: s.Rounds, Focus: focus, Notes: s.PendingInterjections(), Config: s.ConfigHash}
	for _, p := range s.Seats {
		m.Seats = append(m.Seats, p.ID)
	}
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if x.HasStatement() {
				m.Responses = append(m.Responses, x.ID())
			}
		}
	}
	if s.Mode.ranks() {
		m.Seed = s.seed(round)
	}
	for _, r := range l.Apply(release...).Requests {
		if n := len(r.Delivered); n > 0 {
			m.Facts = append(m.Facts, FactRef{ID: r.ID, Revision: r.Delivered[n-1].Revision})
		}
	}
	return m, release, nil
}
