package debate

import (
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
