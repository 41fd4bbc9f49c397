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

// Widths of the change ledger: the seat's number and name, how it changed, and its side
// with its confidence, up to the next round.
const (
	seatWidth = 10
	signWidth = 2
	leastSide = 6
	mostSide  = 12
	roundGap  = 2
)

// ledger draws the moves of all voters, a column per round.
func (ct *content) ledger(c report.Changes, width int) []string {
	th := ct.th
	if len(c.Seats) == 0 {
		return ct.prose(c.Line, width)
	}
	rounds, side := len(c.Rounds), leastSide
	for _, seat := range c.Seats {
		for _, m := range seat.Moves {
			side = max(side, ansi.StringWidth(sideText(m)))
		}
	}
	side = min(side, mostSide)
	cell := signWidth + side + roundGap
	first := max(1, rounds-(width-seatWidth+roundGap)/cell+1) // what does not fit is the past
	head := strings.Repeat(" ", seatWidth)
	if first > 1 {
		head = th.Symbols.Cut + head[1:]
	}
	for n := first; n <= rounds; n++ {
		head += fmt.Sprintf("%*sR%-*d", signWidth, "", cell-signWidth-1, n)
	}
	lines := []string{th.Faint.Render(ansi.Truncate(head, width, ""))}
	for _, seat := range c.Seats {
		_, number := ct.session.Seat(seat.Agent)
		name := ansi.Truncate(fmt.Sprintf("%d %s", number, text.Line(seat.Name)), seatWidth-1, th.Symbols.Cut)
		line := th.Seat(number).Render(name + strings.Repeat(" ", seatWidth-ansi.StringWidth(name)))
		for n := first; n <= rounds; n++ {
			line += ct.moveCell(seat.Moves[n-1], side)
			if n < rounds {
				line += strings.Repeat(" ", roundGap)
			}
		}
		lines = append(lines, line)
	}
	lines = append(lines, "")
	if legend := ct.legend(c, width); legend != nil {
		lines = append(append(lines, legend...), "")
	}
	return append(lines, ct.prose(c.Line, width)...)
}

// legend explains the signs of the ledger that are in use.
func (ct *content) legend(c report.Changes, width int) []string {
	used := map[debate.Change]bool{}
	for _, seat := range c.Seats {
		for _, m := range seat.Moves {
			if m != nil {
				used[m.Change] = true
			}
		}
	}
	var lines []string
	for _, change := range []debate.Change{
		debate.Held, debate.HeldOther, debate.Revised, debate.RevisedOld, debate.Conformed, debate.OtherLabel,
	} {
		if !used[change] {
			continue
		}
		sign, _ := moveSign(ct.th, change)
		part, n := sign+" "+report.ChangeWord(change), len(lines)-1
		if n >= 0 && ansi.StringWidth(lines[n])+3+ansi.StringWidth(part) <= width {
			lines[n] += "   " + part
		} else {
			lines = append(lines, part)
		}
	}
	for i, l := range lines {
		lines[i] = ct.th.Faint.Render(l)
	}
	return lines
}

// sideText returns a voter's side and its confidence in percent.
func sideText(m *debate.Move) string {
	switch {
	case m == nil:
		return ""
	case m.Change == debate.NoResponse, m.Change == debate.Unstated:
		return report.ChangeWord(m.Change)
	case m.Confidence == nil:
		return text.Line(string(m.Side))
	}
	return fmt.Sprintf("%-3s %2.0f", text.Line(string(m.Side)), 100*min(max(*m.Confidence, 0), 1))
}

// moveCell draws one cell: how the voter changed, its side, its confidence.
func (ct *content) moveCell(m *debate.Move, side int) string {
	th := ct.th
	words := sideText(m)
	if long := ansi.StringWidth(words) - side; long > 0 { // the confidence stays
		label, sure := words, ""
		if i := strings.LastIndex(words, " "); m.Confidence != nil && i > 0 {
			label, sure = strings.TrimRight(words[:i], " "), words[i:]
		}
		words = ansi.Truncate(label, side-ansi.StringWidth(sure), th.Symbols.Cut) + sure
	}
	words += strings.Repeat(" ", max(side-ansi.StringWidth(words), 0))
	if m == nil {
		return strings.Repeat(" ", signWidth) + words
	}
	sign, style := moveSign(th, m.Change)
	return style.Render(sign+" ") + th.Text.Render(words)
}

func moveSign(th *theme.Theme, c debate.Change) (string, lipgloss.Style) {
	switch c {
	case debate.Held:
		return "=", th.Faint
	case debate.HeldOther:
		return "-", th.Faint
	case debate.Revised:
		return th.Symbols.Up, th.Success
	case debate.RevisedOld:
		return "~", th.Warning
	case debate.Conformed:
		return th.Symbols.Warning, th.Warning
	case debate.OtherLabel:
		return "?", th.Warning
	case debate.NoResponse:
		return th.Symbols.Missing, th.Danger
	case debate.Opening, debate.Unstated:
	}
	return " ", th.Faint
}
