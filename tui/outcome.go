package tui

import (
	"charm.land/lipgloss/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)

// outcomeSign returns the symbol and colour of an outcome.
func outcomeSign(th *theme.Theme, v *debate.Verdict) (string, lipgloss.Style) {
	switch v.Outcome {
	case debate.OutcomeDegraded, debate.OutcomeNoSynthesis:
		return th.Symbols.Warning, th.Warning
	case debate.OutcomeStopped:
		return th.Symbols.Blocked, th.Muted
	case debate.OutcomeFull:
	}
	return th.Symbols.Done, th.Success
}

// ending says why a debate has ended, and the key that goes on all the same.
func ending(v *debate.Verdict) string {
	more := "adds a round"
	if v.Stopped != debate.NotStopped && !v.Stopped.Forced() {
		more = "goes on anyway"
	}
	if v.Stopped == debate.StoppedByBudget {
		more = "asks for more"
	}
	return "ended: " + safetext.Line(v.EndReason) + " · + " + more
}
