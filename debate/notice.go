package debate

import (
	"slices"
	"time"

	"roundtable/agents"
)

// Notice tells the user what went wrong or was changed in a debate: a degraded panel, a
// shortened prompt, a refused question.
type Notice struct {
	Code  string    `json:"code"`
	Text  string    `json:"text"`
	Agent agents.ID `json:"agent,omitempty"`
	Round int       `json:"round,omitempty"`
	At    time.Time `json:"at"`
}

// HasNotice reports whether the session has a notice with that text.
func (s Session) HasNotice(text string) bool {
	return slices.ContainsFunc(s.Notices, func(n Notice) bool { return n.Text == text })
}
