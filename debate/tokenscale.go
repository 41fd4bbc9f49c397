package debate

import (
	"cmp"
	"slices"

	"roundtable/agents"
)

// PromptCount is a prompt as it was estimated, and as its server counted it.
type PromptCount struct {
	Turn     agents.Turn
	Purpose  Purpose
	Call     int // of the turn, from 1
	Estimate int // in tokens
	Counted  int
}

// WithPromptCount returns the session with one more counted prompt.
func (s Session) WithPromptCount(n PromptCount) Session {
	s.PromptCounts = append(s.PromptCounts[:len(s.PromptCounts):len(s.PromptCounts)], n)
	return s
}

// Bounds of a token scale, and how many prompts it is computed from.
const (
	minTokenScale = 0.5
	maxTokenScale = 2
	scaledPrompts = 8
)

// TokenScale returns how many tokens the model reads for each estimated one: the median
// of its last prompts that a server counted in earlier rounds, or 1 if there is none.
// Estimates are made for one vocabulary, and models have others.
func (s Session) TokenScale(p agents.Profile, round int) float64 {
	var counts []PromptCount
	for _, n := range s.PromptCounts {
		who := s.SpeakerOf(n.Purpose, n.Turn.Agent)
		if n.Turn.Round < round && n.Estimate > 0 && n.Counted > 0 && who.Model == p.Model && who.Provider == p.Provider {
			counts = append(counts, n)
		}
	}
	if len(counts) == 0 {
		return 1
	}
	slices.SortFunc(counts, comparePromptCounts) // parallel seats are recorded in any order
	counts = counts[max(0, len(counts)-scaledPrompts):]
	scales := make([]float64, len(counts))
	for i, n := range counts {
		scales[i] = float64(n.Counted) / float64(n.Estimate)
	}
	slices.Sort(scales)
	mid := len(scales) / 2
	median := scales[mid]
	if len(scales)%2 == 0 {
		median = (scales[mid-1] + scales[mid]) / 2
	}
	return min(max(median, minTokenScale), maxTokenScale)
}

func comparePromptCounts(a, b PromptCount) int {
	return cmp.Or(cmp.Compare(a.Turn.Round, b.Turn.Round), cmp.Compare(a.Turn.Step, b.Turn.Step),
		cmp.Compare(a.Turn.Attempt, b.Turn.Attempt), cmp.Compare(a.Turn.Agent, b.Turn.Agent), cmp.Compare(a.Call, b.Call))
}
