package verdict

import (
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/internal/text"
)

// matrixPhrase says which option is ahead by the scores, or why none is.
func matrixPhrase(m debate.Matrix) string {
	missing := ""
	if len(m.Missing) > 0 {
		missing = text.List(m.Missing) + " " + text.Inflect(len(m.Missing), "is", "are") + " missing"
	}
	best := slices.Index(m.Options, m.Best)
	counted, members := scoreBase(m)
	base := fmt.Sprintf(", %d of %d %s, %s", counted, len(m.Criteria), text.Inflect(len(m.Criteria), "criterion", "criteria"),
		text.Count(members, "member"))
	if len(m.Counted) == 0 { // in scores of an earlier version
		base = ""
	}
	switch {
	case m.Best != "" && best >= 0:
		phrase := fmt.Sprintf("%s is ahead by the scores, %.*f of 10", m.Best, decimals(m), *m.Totals[best]) + base
		if missing != "" {
			phrase += "; " + missing
		}
		return phrase
	case 2*counted < len(m.Criteria) && missing != "":
		return "No option is ahead: " + missing
	}
	top, leaders := 0.0, []string(nil)
	for o, total := range m.Totals {
		switch {
		case total == nil: // in scores of an earlier version
		case *total > top || leaders == nil:
			top, leaders = *total, []string{m.Options[o]}
		case *total == top:
			leaders = append(leaders, m.Options[o])
		}
	}
	phrase := "No option is ahead by the scores"
	if len(leaders) > 0 {
		phrase += fmt.Sprintf(": %s have %.*f", text.List(leaders), decimals(m), top) + base
	}
	if missing != "" {
		phrase += "; " + missing
	}
	return phrase
}
