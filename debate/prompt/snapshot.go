package prompt

import (
	"fmt"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// Snapshot is what the speakers of a round may see, rebuilt from its manifest. It is a
// value with slices of its own. Only the statements of the round's finished steps are
// added to it.
type Snapshot struct {
	Session       string
	Topic         string
	Question      debate.QuestionKind
	Mode          debate.Mode
	Round         int
	Rounds        int
	Seats         []agents.Profile
	Earlier       []debate.Response // statements by round, step and seat
	Facts         []Fact
	Evidence      []Evidence // by id
	Missing       []debate.MissingResponse
	Focus         string
	Hash          string
	Fit           debate.FitOptions
	Created       time.Time // the date is part of the rules
	Caps          ledger.Caps
	nonce         string
	seed          string // of the orders in which answers are shown for ranking
	shuffled      bool   // this round's statements are in such an order
	Anonymizer    Anonymizer
	grouping      *debate.Grouping // of the labels of earlier rounds
	interjections []interjection
	requests      []askedRequest
	excerpts      map[string]shownExcerpt // of statements not passed on in full
	evidenceParts map[int]debate.Part     // as a speaker gets it, by round
	evidenceLimit int                     // see WithEvidenceLimit
}

// NewSnapshot returns what the given round started from.
func NewSnapshot(s debate.Session, round int) (Snapshot, error) {
	if round < 1 || round > len(s.History) {
		return Snapshot{}, fmt.Errorf("round %d of session %s has not begun", round, s.ID)
	}
	r := s.History[round-1]
	m := r.Manifest
	snap := Snapshot{
		Session: s.ID, Topic: s.Topic, Question: s.Question, Mode: s.Mode, Round: m.Round, Rounds: m.Rounds,
		Seats: slices.Clone(s.Seats), Focus: m.Focus, Hash: r.Hash, Fit: s.Fit, nonce: s.Nonce, seed: m.Seed, Anonymizer: NewAnonymizer(s),
		Created: s.Created, Caps: s.Caps, requests: requestsBefore(s.Requests, m),
	}
	listed := setOf(m.Responses)
	for _, earlier := range s.History[:round-1] {
		for _, x := range earlier.Responses {
			if listed[x.ID()] {
				snap.Earlier = append(snap.Earlier, snap.Anonymizer.scrubResponse(x))
			}
		}
		snap.Missing = append(snap.Missing, s.SilentSeats(earlier, listed)...)
		if c := earlier.Consensus; c != nil && c.Labels != nil {
			snap.grouping = snap.Anonymizer.scrubGrouping(*c.Labels)
		}
	}
	for _, ref := range m.Facts {
		q, ok := s.Request(ref.ID)
		a, has := q.Revision(ref.Revision)
		if !ok || !has {
			return Snapshot{}, fmt.Errorf("round %d of session %s rests on %s revision %d, which is not there",
				round, s.ID, ref.ID, ref.Revision)
		}
		snap.Facts = append(snap.Facts, Fact{
			ID: q.ID, Query: snap.Anonymizer.Scrub(q.Query), Askers: q.Askers(), Round: q.Round, Released: releaseOf(q, round),
			Outcome: a.Outcome, Content: a.Content, Source: a.Source, Correction: a.Correction,
		})
	}
	var err error
	if snap.Evidence, err = evidenceOf(s, m); err != nil {
		return Snapshot{}, err
	}
	snap.interjections, err = interjectionsOf(s, m)
	return snap, err
}

// releaseOf returns the round with which a request's answer came first.
func releaseOf(q ledger.Request, round int) int {
	for _, d := range q.Delivered {
		return min(max(d.Round, 1), round)
	}
	return round
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// With returns the snapshot of the next step, with the statements of a finished one.
func (snap Snapshot) With(step []debate.Response) Snapshot {
	snap.Earlier = slices.Clone(snap.Earlier)
	for _, x := range step {
		if x.HasStatement() {
			snap.Earlier = append(snap.Earlier, snap.Anonymizer.scrubResponse(x))
		}
	}
	return snap
}

// SeenResponses returns the ids of the responses in a prompt of the snapshot.
func (snap Snapshot) SeenResponses() []string {
	ids := make([]string, 0, len(snap.Earlier))
	for _, x := range snap.Earlier {
		if snap.excerpts[x.ID()].form != debate.FormOmitted {
			ids = append(ids, x.ID())
		}
	}
	return ids
}

// Final reports whether no later round is planned.
func (snap Snapshot) Final() bool { return snap.Round >= snap.Rounds }

// PromptName returns what prompts call a member: its name or its label.
func (snap Snapshot) PromptName(id agents.ID) string {
	return debate.Session{Seats: snap.Seats, Mode: snap.Mode}.PromptName(id)
}

// Profile returns the profile of a seat and its number, counted from 1.
func (snap Snapshot) Profile(id agents.ID) (agents.Profile, int) {
	return debate.Session{Seats: snap.Seats}.Seat(id)
}

// NextSnapshot returns what the next round would start from.
func NextSnapshot(s debate.Session) (Snapshot, error) {
	m, release, err := s.Begin("")
	if err != nil {
		return Snapshot{}, err
	}
	s.Requests = ledger.Ledger{Requests: s.Requests}.Apply(release...).Requests
	s.History = append(slices.Clip(s.History), debate.Round{Number: m.Round, Manifest: m})
	return NewSnapshot(s, m.Round)
}
