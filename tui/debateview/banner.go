package debateview

import (
	"fmt"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// banner says above the panes why the debate is paused, and which key continues it.
func (v *sessionView) banner(th *theme.Theme, w int, now time.Time) []string {
	if line := v.coaching(); line != "" {
		return []string{th.Row([]theme.Part{{Text: "   " + text.Line(line), Style: th.Accent, Cut: 1}}, nil, w)}
	}
	sign, style := th.Symbols.Paused, th.Warning
	if v.OpenRound() != nil {
		sign, style = th.Symbols.Failed, th.Danger
	}
	lead := " " + sign + " "
	var lines []string
	for _, t := range bannerRows(v, w, now) {
		lines = append(lines, th.Row([]theme.Part{{Text: lead + t, Style: style, Cut: 1}}, nil, w))
		lead, style = "   ", th.Muted
	}
	return lines
}

// coaching explains the stage of the demo, but not of one that is played again.
func (v *sessionView) coaching() string {
	if v.replay != nil {
		return ""
	}
	return v.Coaching()
}

// bannerRows wraps what the banner says, but for causes, which the panes show in full.
func bannerRows(v *sessionView, w int, now time.Time) []string {
	causes := 0
	if open := v.OpenRound(); open != nil {
		causes = len(open.Causes)
	}
	var rows []string
	for i, t := range v.bannerText(now) {
		if t = text.Line(t); i > 0 && i <= causes {
			rows = append(rows, t)
			continue
		}
		rows = append(rows, theme.Wrap(t, max(w-4, 1))...)
	}
	return rows
}

// bannerText adds keys to what the controller says of a session that is paused.
func (v *sessionView) bannerText(now time.Time) []string {
	if v.Running() || v.Session().Verdict != nil || !v.Paused() {
		return nil
	}
	state := v.State(now)
	if state.Open != nil {
		return v.openRoundText(state)
	}
	lines := state.Lines
	if n := len(lines); state.Word == debate.StateInterrupted && n > 0 {
		lines[n-1] = v.withRetryKeys(lines[n-1])
	}
	if state.Next == "" {
		return lines
	}
	next := "space: " + state.Next + "."
	if state.Cost != "" {
		next += " " + state.Cost
	}
	if _, cut := v.Session().FirstCut(); cut {
		lines[len(lines)-1] += " " + next
	} else {
		lines = append(lines, next+" Nothing runs until you say so.")
	}
	return append(lines, state.Round...)
}

// withRetryKeys names the key that asks seats again that have no answer, where continuing
// does not.
func (v *sessionView) withRetryKeys(line string) string {
	if len(v.Session().AskFailed()) > 0 {
		return line
	}
	for i, p := range v.Session().Seats {
		one := p.Name + " has no answer"
		line = strings.Replace(line, one+".", fmt.Sprintf("%s (%d then x: retry).", one, i+1), 1)
	}
	return strings.Replace(line, " have no answer.", " have no answer (x on one of them: retry).", 1)
}

// openRoundText says how many seats answered, why the others did not, and what to do.
func (v *sessionView) openRoundText(state control.State) []string {
	lines, open := state.Lines, state.Open
	if !open.CanGoOn() {
		lines[0] += " Press x to retry; nothing is lost."
	}
	for _, c := range open.Causes {
		who := c.Name // the light model's
		if _, n := v.Session().Seat(c.Agent); n > 0 {
			who = fmt.Sprintf("%d %s", n, c.Name)
		}
		lines = append(lines, fmt.Sprintf("%-12s %s", who, c.Cause))
	}
	if open.CanGoOn() {
		them := text.Inflect(len(open.Causes), "it", "them")
		lines = append(lines, retryKeys(v, open)+". space: go on without "+them+"; the verdict says so.")
	}
	return lines
}
