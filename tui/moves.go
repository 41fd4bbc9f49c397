package tui

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)

// Widths of the change ledger: the seat's number and name, how it moved, what it
// holds, and the gap to the next round.
const (
	seatWidth  = 10
	signWidth  = 2
	sideWidth  = 6
	roundWidth = signWidth + sideWidth + 3
)

// ledger draws the moves of all seats, a column per round.
func (r *report) ledger(v *debate.Verdict, width int) []string {
	th := r.th
	rounds := len(r.session.History)
	first := max(1, rounds-(width-seatWidth+signWidth+3)/roundWidth+1) // what does not fit is the past
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
	for i, p := range r.session.Seats {
		name := ansi.Truncate(fmt.Sprintf("%d %s", i+1, safetext.Line(p.Name)), seatWidth-1, th.Symbols.Cut)
		line := th.Seat(i + 1).Render(name + strings.Repeat(" ", seatWidth-ansi.StringWidth(name)))
		for n := first; n <= rounds; n++ {
			line += r.move(moveOf(v.Moves, p.ID, n), n > 1)
			if n < rounds {
				line += "   "
			}
		}
		lines = append(lines, line)
	}
	y := th.Symbols
	lines = append(lines, "",
		th.Faint.Render(fmt.Sprintf("= held          %s revised, cites new evidence", y.Up)),
		th.Faint.Render("~ wavered       "+y.Warning+" revised, cites none"), "")
	return append(lines, r.prose(v.LedgerLine(r.session), width)...)
}

func moveOf(moves []debate.Move, id agents.ID, round int) debate.Move {
	for _, m := range moves {
		if m.Agent == id && m.Round == round {
			return m
		}
	}
	return debate.Move{Change: debate.NoResponse}
}

// move draws one cell: how the seat moved, its stance, its confidence.
func (r *report) move(m debate.Move, signed bool) string {
	th := r.th
	text := "absent"
	if m.Change != debate.NoResponse {
		text = fmt.Sprintf("%-4s", ansi.Truncate(cmp.Or(safetext.Line(string(m.Stance)), "?"), 4, ""))
		if m.Confidence != nil {
			text += fmt.Sprintf("%2.0f", 100**m.Confidence)
		}
	}
	text = th.Text.Render(fmt.Sprintf("%-*s", sideWidth, ansi.Truncate(text, sideWidth, "")))
	if !signed {
		return text
	}
	sign, style := moveSign(th, m.Change)
	return style.Render(sign+" ") + text
}

func moveSign(th *theme.Theme, c debate.Change) (string, lipgloss.Style) {
	switch c {
	case debate.Held:
		return "=", th.Faint
	case debate.Revised:
		return th.Symbols.Up, th.Success
	case debate.Conformed:
		return th.Symbols.Warning, th.Warning
	case debate.Wavered:
		return "~", th.Warning
	case debate.NoResponse:
		return th.Symbols.Missing, th.Danger
	case debate.Opening, debate.Unstated:
	}
	return " ", th.Faint
}
