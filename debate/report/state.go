package report

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// stateOf returns the state of a session. Only one with a full verdict is complete.
func stateOf(s debate.Session, live bool) State {
	if v := s.Verdict; v != nil {
		return State{Whole: v.Outcome == debate.OutcomeFull, Text: Headline(*v, s)}
	}
	text := incompleteLine(s, live)
	if live {
		text += " It was still open when this was written, so more may have followed."
	}
	return State{Text: text}
}

// incompleteLine says how far a session without a verdict has come.
func incompleteLine(s debate.Session, live bool) string {
	n := len(s.History)
	switch s.Status() {
	case debate.Drafted:
		return "Not started."
	case debate.Interrupted:
		open := debate.OpenRound(s)
		switch {
		case live:
			return fmt.Sprintf("Round %d of %d has not ended.", n, s.Rounds)
		case open != nil && !open.CanGoOn():
			return fmt.Sprintf("Round %d of %d failed: no model answered.", n, s.Rounds)
		case open != nil:
			return fmt.Sprintf("Round %d of %d waits for a decision: %s.", n, s.Rounds, open.Summary())
		}
		return fmt.Sprintf("Interrupted in round %d of %d.", n, s.Rounds)
	case debate.NeedsContext:
		var ids []string
		for _, q := range s.Unanswered() {
			ids = append(ids, q.ID)
		}
		return fmt.Sprintf("Waiting for answers to %s: %s of %d played.", strings.Join(ids, ", "), text.Count(n, "round"), s.Rounds)
	case debate.Ready, debate.Stopped, debate.Complete: // the last two have a verdict and do not get here
	}
	switch {
	case s.Stopped == debate.StoppedByBudget:
		return fmt.Sprintf("Stopped by the budget after round %d of %d; no verdict was written.", n, s.Rounds)
	case s.Stopped != debate.NotStopped:
		return fmt.Sprintf("Ended after round %d of %d; no verdict was written.", n, s.Rounds)
	case n < s.Rounds:
		return fmt.Sprintf("Not finished: %s of %d played.", text.Count(n, "round"), s.Rounds)
	}
	return fmt.Sprintf("All %s played; no verdict was written.", text.Count(n, "round"))
}
