package verdictview

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Widths of the chart of agreement besides its bars: the round, the level, and
// what it is the level of.
const (
	chartRound = 3
	chartLevel = 5
	chartNote  = 11
)

// consensus draws the agreement of each round as a bar.
func (ct *content) consensus(width int) []string {
	var lines []string
	note := ""
	for _, a := range ct.agreed {
		switch {
		case a.Contradicts != "":
			said := fmt.Sprintf("the model says %.2f; the count says %s", *a.Level, text.Line(a.Contradicts))
			lines = append(lines, ct.words(a.Round, said, ct.th.Warning, width)...)
			continue
		case a.Level == nil:
			lines = append(lines, ct.words(a.Round, text.Line(a.Gap), ct.th.Faint, width)...)
			continue
		}
		lines = append(lines, ct.bar(a, max(width-chartRound-chartLevel-chartNote, 4)))
		note = a.Caveat()
	}
	if text := ct.fallText(); text != "" {
		note = text + " " + note
	}
	if note != "" {
		lines = append(append(lines, ""), ct.prose(note, width)...)
	}
	return lines
}

// threshold says which level of agreement ends the debate; "" if none does.
func (ct *content) threshold() string {
	if !ct.session.EndConditions.OnConsensus {
		return ""
	}
	return fmt.Sprintf("%.2f ends a debate %s", ct.session.EndConditions.ConsensusThreshold(), ct.th.Symbols.BarMark)
}

// words are the rows of a round for which no bar is drawn.
func (ct *content) words(round int, why string, style lipgloss.Style, width int) []string {
	var lines []string
	lead := ct.roundName(round)
	for _, l := range theme.Wrap(why, max(width-chartRound, 8)) {
		lines = append(lines, lead+style.Render(l))
		lead = strings.Repeat(" ", chartRound)
	}
	return lines
}

// roundName returns the round's name for the beginning of its row, marked if the
// user has chosen the round.
func (ct *content) roundName(round int) string {
	name := fmt.Sprintf("R%-*d", chartRound-1, round)
	if ct.round != round {
		return ct.th.Muted.Render(name)
	}
	return ct.th.Accent.Render(strings.TrimSuffix(name, " ") + ct.th.Symbols.Focus)
}

// bar is the row of a round with a level. If some members did not answer, it says
// so and is drawn in another colour.
func (ct *content) bar(a report.Agreement, cells int) string {
	th := ct.th
	share := func(level float64) int { return int(level*float64(cells) + 1e-9) } // rounded up it would reach the mark too soon
	full, mark := share(*a.Level), cells
	if ct.session.EndConditions.OnConsensus {
		ends := ct.session.EndConditions.ConsensusThreshold()
		mark = min(share(ends), cells-1)
		if *a.Level > ends {
			full = int(*a.Level*float64(cells) + 0.5)
		}
	}
	style, note, noted := th.Accent, "", th.Faint
	switch n := len(a.Groups); {
	case !a.AllAnswered():
		style, note, noted = th.Muted, fmt.Sprintf("%d of %d", a.Answered, a.Seats), th.Warning
	case n > 0:
		note = text.Count(n, "group")
	}
	piece := func(from, to int) string {
		n := max(min(full, to)-from, 0)
		return style.Render(strings.Repeat(th.Symbols.BarFull, n)) + th.Line.Render(strings.Repeat(th.Symbols.BarEmpty, to-from-n))
	}
	bar := piece(0, mark)
	if mark < cells {
		bar += th.Text.Render(th.Symbols.BarMark) + piece(mark+1, cells)
	}
	return ct.roundName(a.Round) + bar + th.Text.Render(fmt.Sprintf(" %.2f", *a.Level)) +
		noted.Render("  "+ansi.Truncate(note, chartNote-2, th.Symbols.Cut))
}

// fallText says who changed sides if the agreement fell in the last round.
func (ct *content) fallText() string {
	n := len(ct.agreed)
	if n < 2 {
		return ""
	}
	was, now := ct.agreed[n-2].Meter(), ct.agreed[n-1].Meter()
	if was == nil || now == nil || *now >= *was-0.005 {
		return ""
	}
	var who []string
	for _, p := range ct.session.Seats {
		before, m := ct.verdict.Changes.Of(p.ID, n-1), ct.verdict.Changes.Of(p.ID, n)
		if before == nil || m == nil || before.Side == "" || m.Side == "" || before.Side == m.Side || m.Change == debate.OtherLabel {
			continue
		}
		content := fmt.Sprintf("%s went from %s to %s", text.Line(p.Name), text.Line(string(before.Side)), text.Line(string(m.Side)))
		if len(m.Cites) > 0 {
			content += " on [" + text.Line(strings.Join(m.Cites, "], [")) + "]"
		}
		who = append(who, content)
	}
	text := fmt.Sprintf("R%d %s R%d fell", n-1, ct.th.Symbols.Right, n)
	if len(who) == 0 {
		return text + "."
	}
	return text + ": " + strings.Join(who, ", ") + "."
}
