package pane

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
)


// rule is the line that begins a turn: round, and what came of it.
type rule struct {
	constant
	section *section
}

func (r rule) draw(f frame) sheet {
	y, h := f.th.Symbols, f.th.Border.Horizontal
	words := fmt.Sprintf("round %d", r.section.key.Round)
	if r.section.phase != "" {
		words += " " + y.Sep + " " + r.section.phase
	}
	lead, tail := h+h+" ", ""
	if what, _ := r.outcome(f); what != "" {
		tail = " " + y.Sep + " " + what
	}
	_, style := r.outcome(f)
	room := f.width - ansi.StringWidth(lead)
	words = ansi.Truncate(words, room, y.Cut)
	room -= ansi.StringWidth(words)
	tail = ansi.Truncate(tail, room, y.Cut)
	room -= ansi.StringWidth(tail)
	line := f.th.Line.Render(lead) + f.th.Muted.Render(words) + style.Render(tail)
	if room > 1 {
		line += f.th.Line.Render(" " + strings.Repeat(h, room-1))
	}
	return rows(append([]string{line}, r.remarks(f)...))
}

// seam parts what an attempt says from the one before it, which came to nothing.
type seam struct {
	constant
	attempt *attempt
}

func (s seam) draw(f frame) sheet {
	if len(s.attempt.blocks) == 0 && s.attempt.state == debate.TurnRunning {
		return rows{}
	}
	h := f.th.Border.Horizontal
	words := ansi.Truncate(fmt.Sprintf("attempt %d", s.attempt.turn.Attempt), max(f.width-3, 0), f.th.Symbols.Cut)
	room := f.width - 4 - ansi.StringWidth(words)
	return rows{f.th.Line.Render(h+h+" ") + f.th.Muted.Render(words) + f.th.Line.Render(" "+strings.Repeat(h, max(room, 0)))}
}

// outcome says how the newest attempt ended; "" while it goes on.
func (r rule) outcome(f frame) (string, lipgloss.Style) {
	y := f.th.Symbols
	a := r.section.newest()
	switch a.state {
	case debate.TurnDone:
		words := y.Done + " confidence not stated"
		if c := a.said.confidence; c != nil {
			words = fmt.Sprintf("%s %.0f%%", y.Done, *c*100)
		}
		if a.said.stance != "" {
			words += " " + y.Sep + " " + a.said.stance
		}
		return words, f.th.Muted
	case debate.TurnFailed:
		return y.Failed + " failed", f.th.Danger
	case debate.TurnCancelled:
		return y.Missing + " cancelled", f.th.Muted
	case debate.TurnInterrupted:
		return y.Interrupted + " interrupted", f.th.Muted
	case debate.TurnRunning:
	}
	return "", f.th.Muted
}

// position is the statement's first sentence, so to speak: where the seat stands.
type position struct {
	constant
	text string
}

func (p position) draw(f frame) sheet { return rows(label(f, "Position  ", p.text, "")) }

// change says that the seat has gone over to another side, and on what.
type change struct {
	constant
	from, to string
	cites    string
}

func (c change) draw(f frame) sheet {
	y := f.th.Symbols
	words := fmt.Sprintf("%s %s %s %s", y.Changed, c.from, y.Right, c.to)
	if c.cites == "" {
		words += " " + y.Sep + " cites nothing"
	} else {
		words += " " + y.Sep + " cites " + c.cites
	}
	return rows(paint(hang(words, f.width, "", "  "), f.th.Muted))
}
