package debate

import (
	"regexp"

	"roundtable/agents"
)

// NameOf returns the name of a seat or a chair.
func (s Session) NameOf(id agents.ID) string {
	if p, seat := s.Seat(id); seat > 0 {
		return p.Name
	}
	if s.Chair != nil && s.Chair.ID == id {
		return s.Chair.Name
	}
	return string(id)
}

// Named returns what a chair or the light model wrote, for people: where the mode
// hides names from them, with each member's name for its label.
func (s Session) Named(text string) string {
	if s.Mode.Label == "" {
		return text
	}
	for i, p := range s.Seats {
		word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(SeatLabel(s.Mode, i+1)) + `\b`)
		text = word.ReplaceAllLiteralString(text, p.Name)
	}
	return text
}
