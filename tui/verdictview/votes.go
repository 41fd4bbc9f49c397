package verdictview

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Widths of the picture of the votes: the seat's number and name, its side, and what stands
// between two rounds.
const (
	seatWidth = 10
	mostSide  = 12
	flipWidth = 5
)

// votes is the picture of the votes: a row for each seat with its sides, the count of each
// round, what the debate changed, and what it cost.
func (ct *content) votes(c *report.Conclusion, width int) []string {
	lines := ct.picture(c.Changes, width)
	for _, r := range ct.sides {
		if r.Votes != "" && (r.Round == ct.round || slices.Contains(ct.shownRounds(c.Changes, width), r.Round)) {
			lines = append(lines, ct.countLine(r, width))
		}
	}
	if lines != nil {
		lines = append(lines, "")
	}
	if c.Baseline.Line != "" {
		lines = append(lines, wrapped(ct.th.Text.Bold(true).Render, text.Line(c.Baseline.Line), width)...)
	}
	for _, line := range append([]string{c.Baseline.Added}, c.Labels...) {
		if line != "" {
			lines = append(lines, ct.prose(line, width)...)
		}
	}
	return append(append(lines, ct.cost(c, width)...), "")
}

// countLine is the count of a round, and the side of its majority.
func (ct *content) countLine(r report.RoundSides, width int) string {
	name, style := fmt.Sprintf("R%d ", r.Round), ct.th.Muted
	if ct.round == r.Round {
		name, style = fmt.Sprintf("R%d%s", r.Round, ct.th.Symbols.Focus), ct.th.Accent
	}
	var right []theme.Part
	if r.Tally.Majority != debate.Undecided {
		right = []theme.Part{{Text: " " + ct.th.Symbols.Right + " " + text.Line(string(r.Tally.Majority)), Style: ct.th.Text}}
	}
	return ct.th.Row([]theme.Part{
		{Text: name + strings.Repeat(" ", max(seatWidth-ansi.StringWidth(name), 1)), Style: style},
		{Text: text.Line(r.Votes), Style: ct.th.Text, Cut: 1},
	}, right, width)
}

// cost is what the debate took, and the part of it after the first votes.
func (ct *content) cost(c *report.Conclusion, width int) []string {
	var lines []string
	for _, s := range c.Spending {
		if s.Purpose != "" {
			continue
		}
		line := fmt.Sprintf("Spent %s, %s, %s", text.Count(s.Calls, "call"), text.UsedTokens(s.Usage.Total(), s.Usage.Estimated),
			agents.CostText(text.Price(s.Cost), s.Cost, ct.session.Speakers()...))
		if of := screen.Budget(ct.session); of != "" {
			line += " " + of
		}
		lines = append(lines, ct.prose(line+".", width)...)
	}
	if c.Baseline.Cost != "" {
		lines = append(lines, ct.prose(c.Baseline.Cost, width)...)
	}
	return lines
}

// picture draws a row for each seat that votes: its side and confidence in the rounds that
// are shown, and how it went from one to the next.
func (ct *content) picture(c report.Changes, width int) []string {
	switch {
	case c.Line == "" && len(c.Seats) == 0:
		return nil
	case len(c.Seats) == 0:
		return ct.prose(c.Line, width)
	}
	th, rounds, side := ct.th, ct.shownRounds(c, width), sideWidth(c)
	head := strings.Repeat(" ", seatWidth)
	for _, r := range rounds {
		head += fmt.Sprintf("%-*s", cellWidth(side)+flipWidth, fmt.Sprintf("R%d", r))
	}
	lines := []string{th.Faint.Render(ansi.Truncate(strings.TrimRight(head, " "), width, ""))}
	for _, seat := range c.Seats {
		_, number := ct.session.Seat(seat.Agent)
		name := ansi.Truncate(fmt.Sprintf("%d %s", number, text.Line(seat.Name)), seatWidth-1, th.Symbols.Cut)
		line := th.Seat(number).Render(name + strings.Repeat(" ", seatWidth-ansi.StringWidth(name)))
		for i, r := range rounds {
			if i > 0 {
				line += ct.flip(seat, c.Rounds, rounds[i-1], r)
			}
			line += ct.vote(c.Of(seat.Agent, r), side)
		}
		lines = append(lines, line)
		for i, m := range seat.Moves {
			if cause := report.MovedBy(ct.session, m); cause != "" {
				lines = append(lines, wrapped(th.Muted.Render, fmt.Sprintf("  R%d: %s", c.Rounds[i], text.Line(cause)), width)...)
			}
		}
	}
	return lines
}

// flip is drawn between a seat's votes in two rounds: an arrow where it changed sides in or
// before the second, and else the symbol of a cut where rounds between them are not shown.
func (ct *content) flip(seat report.SeatChanges, rounds []int, before, round int) string {
	th := ct.th
	for i, m := range slices.Backward(seat.Moves) {
		if rounds[i] <= before || rounds[i] > round || report.MovedBy(ct.session, m) == "" {
			continue
		}
		style := th.Success
		if m.Change == debate.Conformed || m.Change == debate.RevisedOld || m.Change == debate.OtherModel {
			style = th.Warning
		}
		return " " + style.Render(strings.Repeat(th.Border.Horizontal, flipWidth-3)+th.Symbols.Right) + " "
	}
	if round > before+1 {
		return th.Faint.Render("  " + th.Symbols.Cut + "  ")
	}
	return strings.Repeat(" ", flipWidth)
}

// shownRounds are the rounds that the picture has room for: the last one, the first, and
// the newest in which somebody changed sides; the others if there is room for all.
func (ct *content) shownRounds(c report.Changes, width int) []int {
	var voted []int // rounds with a vote
	for _, r := range c.Rounds {
		if slices.ContainsFunc(c.Seats, func(s report.SeatChanges) bool { return c.Of(s.Agent, r) != nil }) {
			voted = append(voted, r)
		}
	}
	room := max((width-seatWidth+flipWidth)/(cellWidth(sideWidth(c))+flipWidth), 1)
	if len(voted) <= room {
		return voted
	}
	shown := []int{voted[len(voted)-1]}
	add := func(r int) {
		if len(shown) < room && !slices.Contains(shown, r) {
			shown = append(shown, r)
		}
	}
	add(voted[0])
	for _, r := range slices.Backward(voted) {
		if slices.ContainsFunc(c.Seats, func(s report.SeatChanges) bool { return report.MovedBy(ct.session, c.Of(s.Agent, r)) != "" }) {
			add(r)
		}
	}
	slices.Sort(shown)
	return shown
}

// sideWidth returns the cells that the longest side needs.
func sideWidth(c report.Changes) int {
	widest := 3
	for _, seat := range c.Seats {
		for _, m := range seat.Moves {
			if m != nil {
				widest = max(widest, ansi.StringWidth(text.Line(string(m.Side))))
			}
		}
	}
	return min(widest, mostSide)
}

// cellWidth returns the cells of a vote: its side, and its confidence as a bar and in percent.
func cellWidth(side int) int { return side + 5 }

// vote draws a vote: the side, its confidence as a bar of one cell, and in percent.
func (ct *content) vote(m *debate.Move, side int) string {
	th := ct.th
	if m == nil || m.Side == "" || m.Change == debate.NoResponse || m.Change == debate.Unstated {
		return th.Faint.Render(th.Symbols.Missing + strings.Repeat(" ", cellWidth(side)-1))
	}
	name := ansi.Truncate(text.Line(string(m.Side)), side, th.Symbols.Cut)
	name += strings.Repeat(" ", side-ansi.StringWidth(name)+1)
	if m.Confidence == nil {
		return ct.sideStyle(m.Side).Render(name) + strings.Repeat(" ", cellWidth(side)-side-1)
	}
	sure := min(max(*m.Confidence, 0), 1)
	bar := th.Symbols.Levels[min(int(sure*float64(len(th.Symbols.Levels))), len(th.Symbols.Levels)-1)]
	return ct.sideStyle(m.Side).Render(name+bar) + th.Text.Render(fmt.Sprintf("%-3.0f", 100*sure))
}

func (ct *content) sideStyle(side debate.Side) lipgloss.Style {
	return screen.SideStyle(ct.th, side, report.NamedSides(ct.sides))
}
