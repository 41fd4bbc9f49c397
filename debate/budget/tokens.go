package budget

import (
	"cmp"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// minFitScale is the smallest token scale of a vocabulary in use. A smaller one is that
// of prompts that were cut or cached, and must not make the next ones longer.
const minFitScale = 0.75

// PromptLimit returns the largest prompt of a speaker in a round, in estimated tokens.
func PromptLimit(s debate.Session, p agents.Profile, round int) int {
	share := cmp.Or(s.Fit.Share, debate.DefaultShare)
	return int(float64(p.MaxPromptTokens(share)) / max(TokenScale(s, p, round), minFitScale))
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
func TokenScale(s debate.Session, p agents.Profile, round int) float64 {
	var counts []debate.PromptCount
	for _, n := range s.PromptCounts {
		who := s.SpeakerOf(n.Purpose, n.Turn)
		if n.Turn.Round < round && n.Estimate > 0 && n.Counted > 0 && who.Model == p.Model && who.Provider == p.Provider {
			counts = append(counts, n)
		}
	}
	if len(counts) == 0 {
		return 1
	}
	slices.SortFunc(counts, func(a, b debate.PromptCount) int { // parallel seats are recorded in any order
		t, u := a.Turn, b.Turn
		return cmp.Or(t.Round-u.Round, t.Step-u.Step, t.Attempt-u.Attempt, cmp.Compare(t.Agent, u.Agent), a.Call-b.Call)
	})
	counts = counts[max(0, len(counts)-scaledPrompts):]
	scales := text.Each(counts, func(n debate.PromptCount) float64 { return float64(n.Counted) / float64(n.Estimate) })
	slices.Sort(scales)
	median := (scales[(len(scales)-1)/2] + scales[len(scales)/2]) / 2
	return min(max(median, minTokenScale), maxTokenScale)
}

// Assumptions on what prompts say of evidence, in tokens.
const (
	evidenceIntroduction = 80
	evidenceLabel        = 35  // of one piece
	lineNumber           = 2   // of one line
	evidenceTools        = 400 // of the definitions of the tools that read evidence
)

// EvidenceTokens estimates the evidence in a prompt for a window of any size, quickly enough for every frame.
func EvidenceTokens(s debate.Session) int {
	if len(s.Evidence) == 0 {
		return 0
	}
	var sample strings.Builder
	size, lines := 0, 0
	for _, e := range s.Evidence {
		size, lines = size+len(e.Text), lines+e.Lines()
		sample.WriteString(e.Text[:min(len(e.Text), max(0, sampleSize-sample.Len()))])
	}
	n := agents.Tokens(strings.ToValidUTF8(sample.String(), "")) * size / max(sample.Len(), 1)
	return n + lines*lineNumber + len(s.Evidence)*evidenceLabel + evidenceIntroduction
}
