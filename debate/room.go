package debate

import (
	"roundtable/agents"
)

// PromptLimit returns how many of our tokens a prompt of the speaker may take in a round.
func (s Session) PromptLimit(p agents.Profile, round int) int {
	share := s.Fit.Share
	if share == 0 {
		share = DefaultShare
	}
	return int(float64(p.MaxPromptTokens(share)) / s.TokenScale(p, round))
}

// TokenScale is how many tokens a model reads for one that is estimated, as it said
// of what it was sent before a round; 1 while it has said nothing. Estimates are
// made for one vocabulary, and models have others.
func (s Session) TokenScale(p agents.Profile, round int) float64 {
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
