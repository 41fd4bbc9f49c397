package verdictview

import (
	"charm.land/lipgloss/v2"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// outcomeRow is the outcome of the verdict in one row.
func (sc *Screen) outcomeRow() string {
	th, c := sc.th, sc.verdict
	if c == nil {
		return th.Fit(" "+th.Muted.Render("The chair is writing the verdict."), sc.w)
	}
	sign, style := outcomeSign(th, c.Outcome)
	left := []theme.Part{
		{Text: " " + sign + " ", Style: style},
		{Text: text.Line(c.Headline), Style: style, Cut: 2},
	}
	return th.Row(left, []theme.Part{{Text: endedText(c) + " ", Style: th.Muted, Cut: 1, Whole: true}}, sc.w)
}

// outcomeSign returns the symbol and colour of an outcome.
func outcomeSign(th *theme.Theme, o debate.Outcome) (string, lipgloss.Style) {
	switch o {
	case debate.OutcomeDegraded, debate.OutcomeNoSynthesis:
		return th.Symbols.Warning, th.Warning
	case debate.OutcomeStopped:
		return th.Symbols.Blocked, th.Muted
	case debate.OutcomeFull:
	}
	return th.Symbols.Done, th.Success
}

// endedText says why the debate ended, and which key continues it.
func endedText(c *report.Conclusion) string {
	more := "for another"
	if c.Stopped != debate.NotStopped && !c.Stopped.Forced() {
		more = "to continue"
	}
	if c.Stopped == debate.StoppedByBudget {
		more = "to raise it"
	}
	return "ended: " + text.Line(c.Ended) + " · + " + more
}
