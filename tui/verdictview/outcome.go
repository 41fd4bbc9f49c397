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
	th, v := sc.th, sc.session.Verdict
	if v == nil {
		return th.Fit(" "+th.Muted.Render("The chair is writing the verdict."), sc.w)
	}
	sign, style := outcomeSign(th, v)
	left := []theme.Part{
		{Text: " " + sign + " ", Style: style},
		{Text: text.Line(report.Headline(*v, sc.session)), Style: style, Cut: 2},
	}
	return th.Row(left, []theme.Part{{Text: endedText(v) + " ", Style: th.Muted, Cut: 1, Whole: true}}, sc.w)
}

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

// endedText says why the debate ended, and which key continues it.
func endedText(v *debate.Verdict) string {
	more := "for another"
	if v.Stopped != debate.NotStopped && !v.Stopped.Forced() {
		more = "to continue"
	}
	if v.Stopped == debate.StoppedByBudget {
		more = "to raise it"
	}
	return "ended: " + text.Line(v.EndReason) + " · + " + more
}
