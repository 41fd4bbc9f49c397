package debate

import (
	"roundtable/agents"
)

// SpeakerOf returns who spoke in a turn: the light model works on statements of others.
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

// Speakers returns all who may be asked in the session.
func (s Session) Speakers() []agents.Profile {
	out := append([]agents.Profile(nil), s.Seats...)
	for _, p := range []*agents.Profile{s.Chair, s.Light} {
		if p != nil {
			out = append(out, *p)
		}
	}
	return out
}

// WithOutputLimit returns a profile as it is asked in this session: under a budget every
// answer has a limit.
func (s Session) WithOutputLimit(p agents.Profile) agents.Profile {
	if p.MaxTokens == 0 && s.Budget.Capped() {
		p.MaxTokens = s.Budget.outputLimit()
	}
	return p
}

// outputLimit is how long one answer may be under a budget, where its speaker has no
// limit: without one nobody could say what a call may take.
func (b Budget) outputLimit() int {
	if b.MaxOutput > 0 {
		return b.MaxOutput
	}
	return defaultOutputLimit
}

const defaultOutputLimit = 4096
