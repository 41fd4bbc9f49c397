package verdictview

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
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
	for _, h := range ct.session.History {
		c := h.Consensus
		if c == nil || c.Level == nil {
			lines = append(lines, ct.unmeasured(h.Number, c, width))
			continue
		}
		lines = append(lines, ct.bar(h.Number, *c, max(width-chartRound-chartLevel-chartNote, 4)))
		note = "Levels are a model's estimate; agreement is not proof."
		if c.Method == debate.ConsensusComputed {
			note = "Levels are computed from stances and confidences; agreement is not proof."
		}
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

// unmeasured is the row of a round without a level.
func (ct *content) unmeasured(round int, c *debate.Consensus, width int) string {
	cause := "not measured"
	if c != nil && c.Cause != "" {
		cause = "unavailable: " + text.Line(c.Cause)
		if c.Method == debate.ConsensusComputed {
			cause = "not measured: " + text.Line(c.Cause)
		}
	}
	return ct.roundName(round) + ct.th.Faint.Render(ansi.Truncate(cause, width-chartRound, ct.th.Symbols.Cut))
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
func (ct *content) bar(round int, c debate.Consensus, cells int) string {
	th := ct.th
	share := func(level float64) int { return int(level*float64(cells) + 1e-9) } // rounded up it would reach the mark too soon
	full, mark := share(*c.Level), cells
	if ct.session.EndConditions.OnConsensus {
		ends := ct.session.EndConditions.ConsensusThreshold()
		mark = min(share(ends), cells-1)
		if *c.Level > ends {
			full = int(*c.Level*float64(cells) + 0.5)
		}
	}
	style, note, noted := th.Accent, "", th.Faint
	switch n := len(c.Clusters); {
	case !c.AllAnswered():
		style, note, noted = th.Muted, fmt.Sprintf("%d of %d", c.Answered, c.Seats), th.Warning
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
	return ct.roundName(round) + bar + th.Text.Render(fmt.Sprintf(" %.2f", *c.Level)) +
		noted.Render("  "+ansi.Truncate(note, chartNote-2, th.Symbols.Cut))
}

// fallText says who changed sides if the agreement fell in the last round.
func (ct *content) fallText() string {
	h := ct.session.History
	n := len(h)
	if n < 2 || ct.verdict == nil {
		return ""
	}
	was, now := h[n-2].Consensus, h[n-1].Consensus
	if was == nil || now == nil || was.Level == nil || now.Level == nil || *now.Level >= *was.Level-0.005 {
		return ""
	}
	var who []string
	for _, p := range ct.session.Seats {
		before, m := ct.verdict.Changes.Of(p.ID, n-1), ct.verdict.Changes.Of(p.ID, n)
		if before == nil || m == nil || before.Stance == "" || m.Stance == "" || before.Stance == m.Stance {
			continue
		}
		content := fmt.Sprintf("%s went from %s to %s", text.Line(p.Name), before.Stance, m.Stance)
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
