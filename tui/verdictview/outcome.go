package verdictview

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// headline draws the headline of the verdict over the whole width. How the debate ended
// stands behind it, if it has room there.
func (sc *Screen) headline() []string {
	th, c := sc.th, sc.verdict
	if c == nil {
		return []string{th.Fit(" "+th.Muted.Render("The chair is writing the verdict."), sc.w)}
	}
	sign, style := outcomeSign(th, c.Outcome)
	rows := theme.Wrap(text.Line(c.Headline), max(sc.w-4, 8))
	last := len(rows) - 1
	var ended []theme.Part
	if text := endedText(c); ansi.StringWidth(rows[last])+ansi.StringWidth(text)+6 <= sc.w {
		ended = []theme.Part{{Text: text + " ", Style: th.Muted}}
	}
	for i, row := range rows {
		lead := " " + sign + " "
		if i > 0 {
			lead = strings.Repeat(" ", ansi.StringWidth(lead))
		}
		right := ended
		if i < last {
			right = nil
		}
		rows[i] = th.Row([]theme.Part{{Text: lead + row, Style: style.Bold(true)}}, right, sc.w)
	}
	return rows[:min(len(rows), max(sc.height/3, 1))]
}

// question draws the question that the verdict answers.
func (sc *Screen) question(width int) []string {
	const label = "Question "
	topic := text.Sanitize(sc.session.Topic)
	if topic == "" {
		return []string{}
	}
	rows := theme.Wrap(label+topic, width)
	for i, row := range rows {
		rest := strings.TrimPrefix(row, label)
		if i > 0 || rest == row {
			rows[i] = sc.th.Text.Render(row)
			continue
		}
		rows[i] = sc.th.Muted.Render(label) + sc.th.Text.Render(rest)
	}
	return append(rows, "")
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

// endedText says how the debate ended, and which key continues it.
func endedText(c *report.Conclusion) string {
	more := "+: another round"
	if c.Stopped != debate.NotStopped && !c.Stopped.Forced() {
		more = "+: continue"
	}
	if c.Stopped == debate.StoppedByBudget {
		more = "+: raise the budget"
	}
	return strings.TrimPrefix(text.Line(c.Ended)+" · "+more, " · ")
}

// outcome repeats the headline if the rows above the report cut it, and says how the
// debate ended if they had no room for it.
func (sc *Screen) outcome(c *report.Conclusion, width int) []string {
	headline := text.Line(c.Headline)
	rows := theme.Wrap(headline, max(sc.w-4, 8))
	var lines []string
	if len(rows) > max(sc.height/3, 1) {
		_, style := outcomeSign(sc.th, c.Outcome)
		for _, l := range theme.Wrap(headline, width) {
			lines = append(lines, style.Render(l))
		}
	}
	if ansi.StringWidth(rows[len(rows)-1])+ansi.StringWidth(endedText(c))+6 > sc.w || lines != nil {
		lines = append(lines, sc.prose(endedText(c), width)...)
	}
	if lines != nil {
		lines = append(lines, "")
	}
	return lines
}
