package verdict

import (
	"roundtable/debate"
)

// TallyAnswer is the side a count came to: yes, no, neutral, "split", or "" without one.
func TallyAnswer(t debate.Tally) string {
	switch {
	case t.None:
		return ""
	case t.Split:
		return "split"
	default:
		return string(t.Majority)
	}
}
