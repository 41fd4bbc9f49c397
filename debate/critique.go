package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Objection is what a critic has against a text, as it states it.
type Objection struct {
	Title   string `json:"title"`
	Where   string `json:"where,omitempty"` // as the critic wrote it
	Quote   string `json:"quote,omitempty"` // the words of the text
	Why     string `json:"why,omitempty"`
	Settles string `json:"settles,omitempty"` // what would settle it
}

// Reply is what the author of a text does about a concern.
type Reply struct {
	Concern string    `json:"concern"` // such as "H1"
	Does    ReplyKind `json:"does"`
	Reason  string    `json:"reason,omitempty"`
}

// ReplyKind says what an author does about a concern.
type ReplyKind string

const (
	Accepts    ReplyKind = "accept"
	Rejects    ReplyKind = "reject"
	AsksUser   ReplyKind = "ask" // the user, who has not decided yet
	NotReplied ReplyKind = ""
)

// Word returns what the author did in a word or two.
func (k ReplyKind) Word() string {
	switch k {
	case Accepts:
		return "accepted"
	case Rejects:
		return "rejected"
	case AsksUser:
		return "asks you"
	case NotReplied:
	}
	return "no reply"
}

// Concern is an objection of a critic with what the author did about it.
type Concern struct {
	ID    string    `json:"id"` // "H1", "H2" and so on
	By    agents.ID `json:"by"`
	Round int       `json:"round"`
	Objection
	Does   ReplyKind `json:"does"` // "": nothing
	Reason string    `json:"reason,omitempty"`
}

// Words returns the objection in a paragraph.
func (o Objection) Words() string {
	parts := []string{text.Sentence(o.Title)}
	for _, part := range []struct{ label, text string }{
		{"Where: ", o.Where}, {"It says: ", o.Quote}, {"", o.Why}, {"What would settle it: ", o.Settles},
	} {
		if line := text.Line(part.text); line != "" {
			parts = append(parts, text.Sentence(part.label+line))
		}
	}
	return strings.Join(parts, " ")
}

// Words says in a sentence what the author does about a concern, and then why.
func (r Reply) Words() string {
	return strings.TrimSpace(r.Concern + ": " + r.Does.Word() + ". " + text.Sentence(text.Line(r.Reason)))
}

// Writer returns the author of a critique; false in other modes.
func (s Session) Writer() (agents.Profile, bool) {
	authors := s.Mode.seatsWithRoles(s.SeatIDs(), s.Mode.Speakers)
	if !s.Mode.Critiques() || len(authors) == 0 {
		return agents.Profile{}, false
	}
	p, _ := s.Seat(authors[0])
	return p, true
}

// OtherFamilies returns seats for a critique: the author, and those critics whose models are of
// other families, which miss other things. All seats stay where there is no such critic.
func OtherFamilies(seats []agents.Profile) []agents.Profile {
	if len(seats) == 0 {
		return seats
	}
	author := ModelFamily(seats[0].Model)
	out := seats[:1:1]
	for _, p := range seats[1:] {
		if f := ModelFamily(p.Model); f == "" || f != author {
			out = append(out, p)
		}
	}
	if len(out) == 1 {
		return seats
	}
	return out
}

// WithDraft returns the mode with the evidence that is the first text of a critique, such as F1.
func (m Mode) WithDraft(id string) (Mode, error) {
	c := evidencePattern().FindStringSubmatch(strings.TrimSpace(id))
	switch {
	case !m.Critiques():
		return m, fmt.Errorf("mode %s takes no draft; mode critique does", m.Name)
	case c == nil || c[2] != "":
		return m, fmt.Errorf("draft: %q is no id of evidence, such as F1, which is the first file", text.Label(id))
	}
	m.Draft = "F" + c[1]
	return m, nil
}

// CheckDraft returns an error unless the evidence of a new session has its draft.
func (s Session) CheckDraft() error {
	all, err := AddEvidence(nil, s.Evidence)
	if s.Mode.Draft == "" || err != nil || slices.ContainsFunc(all, func(e Evidence) bool { return e.ID == s.Mode.Draft }) {
		return err
	}
	return fmt.Errorf("draft: there is no evidence %s; the debate has %s", s.Mode.Draft, text.Count(len(all), "file"))
}

func (m Mode) concernsPhase() string {
	i := slices.IndexFunc(m.Phases, func(p Phase) bool { return p.Asks == AsksConcerns && p.Rounds == OddRounds })
	if i < 0 {
		return ""
	}
	return m.Phases[i].Name
}

// Concerns returns the concerns of a critique by their ids, each with the author's newest reply.
func (s Session) Concerns() []Concern {
	var out []Concern
	phase := s.Mode.concernsPhase()
	for x := range s.Said() {
		if phase == "" || x.Phase != phase {
			continue
		}
		for _, o := range x.Statement.Concerns {
			out = append(out, Concern{ID: fmt.Sprintf("H%d", len(out)+1), By: x.Turn.Agent, Round: x.Turn.Round, Objection: o})
		}
	}
	for x := range s.Said() {
		for _, reply := range x.Statement.Replies {
			i := slices.IndexFunc(out, func(c Concern) bool { return c.ID == reply.Concern && c.Round < x.Turn.Round })
			if i >= 0 && x.Phase == "" {
				out[i].Does, out[i].Reason = reply.Does, reply.Reason
			}
		}
	}
	return out
}

func (s Session) hasDraft(r Round) bool {
	written := func(x Response) bool { return x.Phase == "" }
	return s.Mode.Draft != "" && r.Number == 1 || slices.ContainsFunc(r.Said(), written)
}
