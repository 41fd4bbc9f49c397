package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// ForkChangeKind says what kind of thing a fork changed.
type ForkChangeKind string

// The kinds of changes.
const (
	ForkedAnswer      ForkChangeKind = "answer"      // Target is a request
	ForkedUnavailable ForkChangeKind = "unavailable" // Target is a request, New the reason
	ForkedFact        ForkChangeKind = "fact"        // Target is a request; Old and New are the rounds that first had its answer
	ForkedOmission    ForkChangeKind = "omitted"     // Target is a request
	ForkedModel       ForkChangeKind = "model"       // Target is a seat
	ForkedMode        ForkChangeKind = "mode"
	ForkedPanel       ForkChangeKind = "panel"
)

// ForkChange is one thing that a fork changed. It is stored with the fork.
type ForkChange struct {
	Kind   ForkChangeKind `json:"kind"`
	Target string         `json:"target,omitempty"`
	Old    string         `json:"old,omitempty"` // "": there was nothing
	New    string         `json:"new,omitempty"`
}

// maxChangeWords is how many characters of an answer String quotes.
const maxChangeWords = 60

// String says what changed, such as `C1 answered "Two days."`.
func (c ForkChange) String() string {
	said := text.Clip(text.Line(c.New), maxChangeWords)
	switch c.Kind {
	case ForkedAnswer:
		return fmt.Sprintf("%s answered \"%s\"", c.Target, said)
	case ForkedUnavailable:
		return fmt.Sprintf("%s unavailable: %s", c.Target, strings.TrimSuffix(said, ".")) // more follows, or a period
	case ForkedFact:
		return fmt.Sprintf("%s known from round %s", c.Target, c.New)
	case ForkedOmission:
		return c.Target + " left open"
	case ForkedModel:
		return fmt.Sprintf("%s on %s, not %s", c.Target, said, c.Old)
	case ForkedMode:
		return fmt.Sprintf("mode %s, not %s", said, c.Old)
	case ForkedPanel:
		return "panel " + said
	}
	return strings.TrimSpace(string(c.Kind) + " " + c.Target + " " + said)
}

// ForkChangesText says in one line what a fork changed; "" if it changed nothing.
func ForkChangesText(changes []ForkChange) string {
	all := make([]string, len(changes))
	for i, c := range changes {
		all[i] = c.String()
	}
	return strings.Join(all, "; ")
}

// changes returns what the plan changes of a session, in the order in which it is told.
func (p ForkPlan) changes(s Session) []ForkChange {
	var out []ForkChange
	if p.Mode != nil && p.Mode.Name != s.Mode.Name {
		out = append(out, ForkChange{Kind: ForkedMode, Old: s.Mode.Name, New: p.Mode.Name})
	}
	seats := s.Seats
	if p.Panel != nil {
		out = append(out, ForkChange{Kind: ForkedPanel, Old: panelWords("", seats), New: panelWords(p.Panel.Name, p.Panel.Seats)})
		seats = p.Panel.Seats
	}
	for _, m := range p.Models {
		for _, was := range seats {
			if was.ID == m.ID {
				out = append(out, ForkChange{Kind: ForkedModel, Target: string(m.ID), Old: was.Model, New: m.Model})
			}
		}
	}
	for _, r := range s.Requests {
		first := r.FirstDelivery()
		i := slices.IndexFunc(p.Answers, func(sub ledger.Submission) bool { return sub.Request == r.ID })
		switch {
		case i >= 0:
			out = append(out, answerChange(r, p.Answers[i]))
		case slices.Contains(p.Facts, r.ID) && first > p.Round+1:
			out = append(out, ForkChange{Kind: ForkedFact, Target: r.ID, Old: fmt.Sprint(first), New: fmt.Sprint(p.Round + 1)})
		case slices.Contains(p.Omitted, r.ID):
			a, _ := r.Sent()
			out = append(out, ForkChange{Kind: ForkedOmission, Target: r.ID, Old: a.Content})
		}
	}
	return out
}

// answerChange returns the change of an answer that a session has, or does not have.
func answerChange(r ledger.Request, sub ledger.Submission) ForkChange {
	c := ForkChange{Kind: ForkedAnswer, Target: r.ID, New: strings.TrimSpace(sub.Content)}
	if sub.Outcome == ledger.Unavailable {
		c.Kind = ForkedUnavailable
	}
	if a, ok := r.Sent(); ok {
		c.Old = a.Content
	}
	return c
}

// panelWords names the members of a panel, such as "four: Ada, Brook".
func panelWords(name string, seats []agents.Profile) string {
	all := make([]string, len(seats))
	for i, p := range seats {
		all[i] = p.Name
	}
	if name != "" {
		name += ": "
	}
	return name + strings.Join(all, ", ")
}
