package debate

import (
	"slices"

	"roundtable/agents"
)

// room returns how many of our tokens a prompt of the speaker may take in a round.
func (s Session) room(p agents.Profile, round int) int {
	share := s.Fit.Share
	if share == 0 {
		share = DefaultShare
	}
	return int(float64(p.MaxPromptTokens(share)) / s.scale(p, round))
}

// scale is how many tokens a model reads for one that is estimated, as it said
// of what it was sent before a round; 1 while it has said nothing. Estimates are
// made for one vocabulary, and models have others.
func (s Session) scale(p agents.Profile, round int) float64 {
	read, estimated := 0, 0
	for _, r := range s.History {
		for _, x := range r.Responses {
			who, _ := s.Seat(x.Turn.Agent)
			if r.Number < round && x.Estimate > 0 && !x.Usage.Estimated && who.Model == p.Model && who.Provider == p.Provider {
				read, estimated = read+x.Usage.Input, estimated+x.Estimate
			}
		}
	}
	if estimated == 0 {
		return 1
	}
	return min(max(float64(read)/float64(estimated), 0.75), 3)
}

// tooLong reports whether the attempt failed because its prompt was too long.
func (r Response) tooLong() bool { return r.Failure != nil && r.Failure.Kind == agents.KindTooLong }

// digestsByKey returns the summaries by what fittings call them.
func (s Session) digestsByKey() map[string]Digest {
	out := make(map[string]Digest, len(s.Digests))
	for _, d := range s.Digests {
		out[d.Key()] = d
	}
	return out
}

// withAside returns the session with what a turn that is no member's has taken.
func (s Session) withAside(purpose Purpose, x Response) Session {
	i := slices.IndexFunc(s.Aside, func(a Spent) bool { return a.Purpose == purpose })
	s.Aside = slices.Clone(s.Aside)
	if i < 0 {
		i = len(s.Aside)
		s.Aside = append(s.Aside, Spent{Purpose: purpose, Cost: new(float64)})
	}
	s.Aside[i] = s.Aside[i].Plus(x.Sent, x.Usage, x.Cost)
	return s
}
