package prompt

import (
	"roundtable/agents"
	"roundtable/debate"
)

// TooLong reports whether the attempt failed because its prompt was too long.
func TooLong(r debate.Response) bool { return r.Failure != nil && r.Failure.Kind == agents.KindTooLong }
