package debate

import (
	"fmt"
	"regexp"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/internal/text"
)

// NameOf returns the name of a seat or of the chair.
func (s Session) NameOf(id agents.ID) string {
	if p, seat := s.Seat(id); seat > 0 {
		return p.Name
	}
	if s.Chair != nil && s.Chair.ID == id {
		return s.Chair.Name
	}
	return string(id)
}

// RestoreNames replaces labels by names in what a chair or the light model wrote, for
// readers to whom names are shown.
func (s Session) RestoreNames(text string) string {
	if s.Mode.Label == "" {
		return text
	}
	for i, p := range s.Seats {
		word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(SeatLabel(s.Mode, i+1)) + `\b`)
		text = word.ReplaceAllLiteralString(text, p.Name)
	}
	return text
}

// MinNameLength is the minimum length of names that are hidden: shorter ones cannot be
// told from other words.
const MinNameLength = 3

// CheckPanel returns an error if the mode does not support the panel: its size, or names
// that could not be hidden without hiding other words.
func (m Mode) CheckPanel(panel []agents.Profile) error {
	if err := m.CheckSize(len(panel)); err != nil {
		return err
	}
	return m.CheckNames(panel)
}

// CheckNames returns an error if a name or id cannot be hidden.
func (m Mode) CheckNames(panel []agents.Profile) error {
	if m.Label == "" {
		return nil
	}
	for i, p := range panel {
		for _, name := range []string{p.Name, string(p.ID)} {
			if m.resemblesLabel(name, i+1, len(panel)) {
				return fmt.Errorf("mode %s labels its members %s, and the name %q of seat %d looks like one of these "+
					"labels; give that agent another name and id", m.Name, SeatLabel(m, 1)+", "+SeatLabel(m, 2)+" and so on", name, i+1)
			}
			if utf8.RuneCountInString(name) < MinNameLength {
				return fmt.Errorf("mode %s hides the members' names, and the name %q is too short to be hidden reliably; "+
					"give that agent a name and an id of at least %d letters", m.Name, name, MinNameLength)
			}
		}
	}
	return nil
}

// resemblesLabel reports whether a name equals the label of another seat or the word
// that all labels begin with.
func (m Mode) resemblesLabel(name string, seat, seats int) bool {
	word := string(text.FoldName(name))
	for n := 1; n <= seats; n++ {
		if n != seat && word == string(text.FoldName(SeatLabel(m, n))) {
			return true
		}
	}
	return word == string(text.FoldName(m.Label))
}

// PromptName returns what an agent is called in prompts: its name, or its label if the
// mode hides names.
func (s Session) PromptName(id agents.ID) string {
	p, seat := s.Seat(id)
	switch {
	case seat > 0 && s.Mode.Label != "":
		return SeatLabel(s.Mode, seat)
	case seat > 0:
		return p.Name
	case s.Mode.Label != "":
		return "the chair"
	default:
		return s.NameOf(id)
	}
}

// SeatLabel returns the label of a seat, the same in all rounds.
func SeatLabel(m Mode, seat int) string { return fmt.Sprintf("%s %d", m.Label, seat) }
