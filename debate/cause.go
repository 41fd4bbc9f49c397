package debate

import (
	"strings"

	"roundtable/agents"
)

// Brief is a failure's cause as it stands beside others in one line: a refusal by
// the budget without its figures, which are of one call alone.
func Brief(kind agents.Kind, cause string) string {
	if kind == agents.KindBudget {
		cause, _, _ = strings.Cut(cause, ": ")
	}
	return cause
}
