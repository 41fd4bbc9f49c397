package debate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/debate/ledger"
)

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
	m := Manifest{Session: s.ID, Round: round, Rounds: s.Rounds, Focus: focus, Notes: s.Untold(), Config: s.ConfigHash}
	for _, p := range s.Seats {
		m.Seats = append(m.Seats, p.ID)
	}
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if x.said() {
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

// Fact is a released answer as the agents get it.
type Fact struct {
	ID         string
	Query      string
	Askers     []agents.ID
	Round      int // of the first ask
	Outcome    ledger.Outcome
	Content    string
	Source     string
	Correction bool
}

// Snapshot is what the speakers of a round may see, rebuilt from its manifest.
// It is a value with slices of its own; it grows by the statements of the
// round's committed steps and by nothing else.
type Snapshot struct {
	Session string
	Topic   string
	Mode    Mode
	Round   int
	Rounds  int
	Seats   []agents.Profile
	Earlier []Response // statements, by round, step and seat
	Facts   []Fact
	Missing []Absence
	Focus   string
	Hash    string
	Fit     Fit
	nonce   string
	seed    string // of the orders of answers to be ranked
	mixed   bool   // the statements of this round stand in such an order
	hidden  disguise
	notes   []note
	copies  map[string]handed // of what is not handed on as it stands
}

// Snapshot returns what the given round started from.
func (s Session) Snapshot(round int) (Snapshot, error) {
	if round < 1 || round > len(s.History) {
		return Snapshot{}, fmt.Errorf("round %d of session %s has not begun", round, s.ID)
	}
	r := s.History[round-1]
	m := r.Manifest
	snap := Snapshot{
		Session: s.ID, Topic: s.Topic, Mode: s.Mode, Round: m.Round, Rounds: m.Rounds,
		Seats: slices.Clone(s.Seats), Focus: m.Focus, Hash: r.Hash, Fit: s.Fit, nonce: s.Nonce, seed: m.Seed, hidden: s.disguise(),
	}
	listed := setOf(m.Responses)
	for _, earlier := range s.History[:round-1] {
		for _, x := range earlier.Responses {
			if listed[x.ID()] {
				snap.Earlier = append(snap.Earlier, snap.hidden.response(x))
			}
		}
		snap.Missing = append(snap.Missing, s.missing(earlier, listed)...)
	}
	for _, ref := range m.Facts {
		q, ok := s.Request(ref.ID)
		a, has := q.Revision(ref.Revision)
		if !ok || !has {
			return Snapshot{}, fmt.Errorf("round %d of session %s rests on %s revision %d, which is not there", round, s.ID, ref.ID, ref.Revision)
		}
		snap.Facts = append(snap.Facts, Fact{
			ID: q.ID, Query: snap.hidden.scrub(q.Query), Askers: q.Askers(), Round: q.Round,
			Outcome: a.Outcome, Content: a.Content, Source: a.Source, Correction: a.Correction,
		})
	}
	var err error
	snap.notes, err = s.notes(m)
	return snap, err
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// missing lists the turns of a round whose statements are not among the listed, of
// seats that said nothing else in it.
func (s Session) missing(r Round, listed map[string]bool) []Absence {
	var out []Absence
	for _, x := range r.Latest() {
		if slices.ContainsFunc(r.Of(x.Turn.Agent), func(y Response) bool { return listed[y.ID()] }) {
			continue
		}
		if slices.ContainsFunc(out, func(a Absence) bool { return a.Agent == x.Turn.Agent }) {
			continue
		}
		p, _ := s.Seat(x.Turn.Agent)
		a := Absence{Agent: x.Turn.Agent, Name: p.Name, Round: r.Number}
		if x.Failure != nil {
			a.Cause = x.Failure.Cause
		}
		out = append(out, a)
	}
	return out
}

// With returns the snapshot as the next step sees it: with the statements of a
// step that has been committed.
func (n Snapshot) With(step []Response) Snapshot {
	n.Earlier = slices.Clone(n.Earlier)
	for _, x := range step {
		if x.said() {
			n.Earlier = append(n.Earlier, n.hidden.response(x))
		}
	}
	return n
}

// Saw returns the ids of the responses that a prompt of the snapshot holds.
func (n Snapshot) Saw() []string {
	ids := make([]string, 0, len(n.Earlier))
	for _, x := range n.Earlier {
		if n.copies[x.ID()].form != LeftOut {
			ids = append(ids, x.ID())
		}
	}
	return ids
}

// Final reports whether no later round is planned.
func (n Snapshot) Final() bool { return n.Round >= n.Rounds }

// called is what prompts call a member: its name, or its label.
func (n Snapshot) called(id agents.ID) string {
	return Session{Seats: n.Seats, Mode: n.Mode}.Called(id)
}

func (n Snapshot) profile(id agents.ID) (agents.Profile, int) {
	return Session{Seats: n.Seats}.Seat(id)
}
