package verdictview

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// Widths of the change ledger: the seat's number and name, how it moved, and what
// it holds, up to the next round.
const (
	seatWidth  = 10
	signWidth  = 2
	leastSide  = 6
	mostSide   = 7
	roundWidth = signWidth + leastSide + 3
)

// ledger draws the moves of all seats, a column per round.
func (ct *content) ledger(c report.Changes, width int) []string {
	th := ct.th
	rounds := len(ct.session.History)
	side := leastSide
	for _, seat := range c.Seats {
		for _, m := range seat.Moves {
			side = min(max(side, ansi.StringWidth(stanceText(m))), mostSide)
		}
	}
	gap := roundWidth - signWidth - side
	first := max(1, rounds-(width-seatWidth+signWidth+gap)/roundWidth+1) // what does not fit is the past
	head := strings.Repeat(" ", seatWidth)
	if first > 1 {
		head = th.Symbols.Cut + head[1:]
	}
	for n := first; n <= rounds; n++ {
		cell := roundWidth
		if n == 1 { // nobody has moved
			cell -= signWidth
		}
		head += fmt.Sprintf("R%-*d", cell-1, n)
	}
	lines := []string{th.Faint.Render(ansi.Truncate(head, width, ""))}
	for i, p := range ct.session.Seats {
		name := ansi.Truncate(fmt.Sprintf("%d %s", i+1, text.Line(p.Name)), seatWidth-1, th.Symbols.Cut)
		line := th.Seat(i + 1).Render(name + strings.Repeat(" ", seatWidth-ansi.StringWidth(name)))
		for n := first; n <= rounds; n++ {
			line += ct.moveCell(c.Of(p.ID, n), side, n > 1)
			if n < rounds {
				line += strings.Repeat(" ", gap)
			}
		}
		lines = append(lines, line)
	}
	y := th.Symbols
	lines = append(lines, "",
		th.Faint.Render(fmt.Sprintf("= held          %s changed, new evidence", y.Up)),
		th.Faint.Render("~ wavered       "+y.Warning+" changed without evidence"), "")
	return append(lines, ct.prose(c.Line, width)...)
}

// stanceText returns a seat's stance and its confidence in percent.
func stanceText(m *debate.Move) string {
	if m == nil || m.Change == debate.NoResponse {
		return "absent"
	}
	sure := ""
	if m.Confidence != nil {
		sure = fmt.Sprintf(" %2.0f", 100*min(max(*m.Confidence, 0), 1))
	}
	stance := ansi.Truncate(cmp.Or(text.Line(string(m.Stance)), "?"), min(mostSide-len(sure), 4), "")
	return stance + strings.Repeat(" ", max(3-ansi.StringWidth(stance), 0)) + sure
}

// moveCell draws one cell: how the seat moved, its stance, its confidence.
func (ct *content) moveCell(m *debate.Move, side int, signed bool) string {
	th := ct.th
	text := stanceText(m)
	text = th.Text.Render(text + strings.Repeat(" ", max(side-ansi.StringWidth(text), 0)))
	if !signed {
		return text
	}
	change := debate.NoResponse
	if m != nil {
		change = m.Change
	}
	sign, style := moveSign(th, change)
	return style.Render(sign+" ") + text
}

func moveSign(th *theme.Theme, c debate.Change) (string, lipgloss.Style) {
	switch c {
	case debate.Held, debate.HeldOther:
		return "=", th.Faint
	case debate.Revised:
		return th.Symbols.Up, th.Success
	case debate.Conformed:
		return th.Symbols.Warning, th.Warning
	case debate.RevisedOld, debate.OtherLabel:
		return "~", th.Warning
	case debate.NoResponse:
		return th.Symbols.Missing, th.Danger
	case debate.Opening, debate.Unstated:
	}
	return " ", th.Faint
}
