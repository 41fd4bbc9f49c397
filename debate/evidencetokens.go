package debate

import (
	"strings"

	"roundtable/agents"
)

// Assumptions on what prompts say of evidence, in tokens.
const (
	evidenceIntroduction = 80
	evidenceLabel        = 35  // of one piece
	lineNumber           = 2   // of one line
	evidenceTools        = 400 // of the definitions of the tools that read evidence
)

// EvidenceExcerpts is how many bytes of evidence prompts show at most as heads and tails.
const EvidenceExcerpts = 16 << 10

// EvidenceTokens estimates how many tokens of evidence each prompt of a speaker has. It is
// pure, so an interface may call it on every frame.
func EvidenceTokens(s Session, p agents.Profile) int {
	return min(evidenceTokens(s), s.Fit.EvidenceTokens(p))
}

// evidenceTokens estimates the evidence of a prompt for a window of any size.
func evidenceTokens(s Session) int {
	if len(s.Evidence) == 0 {
		return 0
	}
	each, total := s.Fit.EvidenceCaps()
	excerpts := EvidenceExcerpts
	var sample strings.Builder
	size, lines := 0, 0
	for _, e := range s.Evidence {
		shown := e.Size
		switch {
		case e.Size <= each && e.Size <= total:
			total -= e.Size
		default:
			shown = min(e.Size/2, excerptSize, excerpts)
			excerpts -= shown
		}
		part := e.Text[:min(shown, len(e.Text))]
		size, lines = size+len(part), lines+strings.Count(part, "\n")
		sample.WriteString(part[:min(len(part), max(0, sampleSize-sample.Len()))])
	}
	n := agents.Tokens(strings.ToValidUTF8(sample.String(), ""))
	if sample.Len() > 0 {
		n = n * size / sample.Len()
	}
	return n + lines*lineNumber + len(s.Evidence)*evidenceLabel + evidenceIntroduction
}

// excerptSize is how much of one piece of evidence that is cut a prompt shows, in bytes.
const excerptSize = 6 << 10
