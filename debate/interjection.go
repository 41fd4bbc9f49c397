package debate

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Interjection is a message of the user to one agent or all. It is in prompts until a turn with it is done.
type Interjection struct {
	N      int           `json:"n"`               // from 1, within the session
	Agent  agents.ID     `json:"agent,omitempty"` // "" means all
	Text   string        `json:"text"`
	Author ledger.Author `json:"by,omitzero"`
	At     time.Time     `json:"at"`
}

// MaxInterjection is the largest number of characters of an interjection.
const MaxInterjection = 4000

// InterjectionRef names an interjection in a manifest with the seats that it has still to reach.
type InterjectionRef struct {
	N     int         `json:"n"`
	Seats []agents.ID `json:"seats"`
}

// CheckInterjection returns the text as it is stored, or an error if it cannot be sent.
func (s Session) CheckInterjection(to agents.ID, text string) (string, error) {
	text = strings.TrimSpace(text)
	if _, seat := s.Seat(to); to != "" && seat == 0 {
		return "", fmt.Errorf("%s has no seat in this debate; the seats are: %s", to, joinIDs(s.SeatIDs()))
	}
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", fmt.Errorf("the message is empty")
	case n > MaxInterjection:
		return "", fmt.Errorf("the message has %d characters; the limit is %d", n, MaxInterjection)
	}
	return text, nil
}

// SeatIDs returns the ids of the seats, in their order.
func (s Session) SeatIDs() []agents.ID {
	return text.Each(s.Seats, func(p agents.Profile) agents.ID { return p.ID })
}

// PendingInterjections lists the interjections for the next round. A seat has received
// one when a turn of it is done in a round that was given it.
func (s Session) PendingInterjections() []InterjectionRef {
	told := func(n int, seat agents.ID) bool {
		given := func(ref InterjectionRef) bool { return ref.N == n && slices.Contains(ref.Seats, seat) }
		return slices.ContainsFunc(s.History, func(r Round) bool {
			return slices.ContainsFunc(r.Manifest.Interjections, given) &&
				slices.ContainsFunc(r.AttemptsOf(seat), func(x Response) bool { return x.State == TurnDone })
		})
	}
	var out []InterjectionRef
	for _, i := range s.Interjections {
		ref := InterjectionRef{N: i.N}
		for _, p := range s.Seats {
			if (i.Agent == "" || i.Agent == p.ID) && !told(i.N, p.ID) {
				ref.Seats = append(ref.Seats, p.ID)
			}
		}
		if len(ref.Seats) > 0 {
			out = append(out, ref)
		}
	}
	return out
}
