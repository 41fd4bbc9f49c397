package debate

import (
	"slices"
	"time"

	"roundtable/agents"
)

// Notice is something the user has to know about how the debate went: anything
// degraded, shortened or refused.
type Notice struct {
	Code  string    `json:"code"`
	Text  string    `json:"text"`
	Agent agents.ID `json:"agent,omitempty"`
	Round int       `json:"round,omitempty"`
	At    time.Time `json:"at"`
}

// HasNotice reports whether the session has a notice of that text.
func (s Session) HasNotice(text string) bool {
	return slices.ContainsFunc(s.Notices, func(n Notice) bool { return n.Text == text })
}
