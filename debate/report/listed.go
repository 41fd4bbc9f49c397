package report

import (
	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Listed is a session in a list, as JSON.
type Listed struct {
	debate.SessionSummary
	Word     string       `json:"state"`
	Majority *debate.Side `json:"side"`            // null without one
	Cause    string       `json:"cause,omitempty"` // why a round failed or stays open
}

// ListedOf returns a session as lists have it in JSON, with its texts made safe.
func ListedOf(s debate.SessionSummary) Listed {
	s.Title, s.Topic, s.Line = text.Clean(s.Title), text.Clean(s.Topic), debate.Line(text.Clean(string(s.Line)))
	s.Updated, s.Seats = s.Updated.UTC(), append([]agents.Profile{}, s.Seats...)
	l := Listed{SessionSummary: s, Word: s.State().Word()}
	if s.Side != debate.Undecided {
		l.Majority = &s.Side
	}
	if s.Open != nil {
		l.Cause = s.Open.Cause()
	}
	return l
}
