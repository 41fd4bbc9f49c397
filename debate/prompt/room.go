package prompt

import (
	"roundtable/agents"
	"roundtable/debate"
)

// TooLong reports whether the attempt failed because its prompt was too long.
func TooLong(r debate.Response) bool { return r.Failure != nil && r.Failure.Kind == agents.KindTooLong }

// SummariesByKey returns the summaries by what fittings call them.
func SummariesByKey(s debate.Session) map[string]debate.StatementSummary {
	out := make(map[string]debate.StatementSummary, len(s.Digests))
	for _, d := range s.Digests {
		out[d.Key()] = d
	}
	return out
}
