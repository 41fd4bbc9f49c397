package debate

import (
	"roundtable/agents"
)

// SpeakerOf returns who speaks in a turn of the given purpose. The turns of the light
// model carry the agent whose statement it works on.
func (s Session) SpeakerOf(purpose Purpose, id agents.ID) agents.Profile {
	p, _ := s.Seat(id)
	switch {
	case purpose == ForLight && s.Light != nil:
		return *s.Light
	case purpose == ForChair && s.Chair != nil && s.Chair.ID == id:
		return *s.Chair
	}
	return p
}

// SpeakersFor returns those who may be asked for a purpose, or for "" all.
func (s Session) SpeakersFor(purpose Purpose) []agents.Profile {
	switch {
	case purpose == "":
		return s.Speakers()
	case purpose == ForLight && s.Light != nil:
		return []agents.Profile{*s.Light}
	case purpose == ForChair && s.Chair != nil:
		return []agents.Profile{*s.Chair}
	}
	return s.Seats
}

// Speakers returns all who may be asked: seats, chair and light model.
func (s Session) Speakers() []agents.Profile {
	out := append([]agents.Profile(nil), s.Seats...)
	for _, p := range []*agents.Profile{s.Chair, s.Light} {
		if p != nil {
			out = append(out, *p)
		}
	}
	return out
}

// WithOutputLimit returns the profile as it is used in this session: under a budget
// every answer has a token limit.
func (s Session) WithOutputLimit(p agents.Profile) agents.Profile {
	if p.MaxTokens == 0 && s.Budget.Capped() {
		p.MaxTokens = s.Budget.outputLimit()
	}
	return p
}

// outputLimit returns the token limit of an answer whose speaker has none. Without a
// limit the cost of a call is unknown.
func (b Budget) outputLimit() int {
	if b.MaxOutput > 0 {
		return b.MaxOutput
	}
	return defaultOutputLimit
}

const defaultOutputLimit = 4096
