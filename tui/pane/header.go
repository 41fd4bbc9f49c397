package pane

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
)

// header is the line that begins a turn: its round and how it ended.
type header struct {
	static
	section *section
}

func (r header) draw(f frame) lazyLines {
	y, h := f.th.Symbols, f.th.Border.Horizontal
	words := fmt.Sprintf("round %d", r.section.turn.Round)
	if r.section.phase != "" {
		words += " " + y.Sep + " " + r.section.phase
	}
	lead, tail := h+h+" ", ""
	if ended, _ := r.outcome(f); ended != "" {
		tail = " " + y.Sep + " " + ended
	}
	if f.origin != "" && r.section.latest().inherited {
		tail += " " + y.Sep + " by " + f.origin
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
	return eagerLines(append([]string{line}, r.interjectionLines(f)...))
}

// divider separates an attempt from the failed one before it.
type divider struct {
	static
	attempt *attempt
}

func (s divider) draw(f frame) lazyLines {
	if len(s.attempt.blocks) == 0 && s.attempt.state == debate.TurnRunning {
		return eagerLines{}
	}
	h := f.th.Border.Horizontal
	words := ansi.Truncate(fmt.Sprintf("attempt %d", s.attempt.turn.Attempt), max(f.width-3, 0), f.th.Symbols.Cut)
	room := f.width - 4 - ansi.StringWidth(words)
	return eagerLines{f.th.Line.Render(h+h+" ") + f.th.Muted.Render(words) + f.th.Line.Render(" "+strings.Repeat(h, max(room, 0)))}
}

// outcome returns how the latest attempt ended; it is "" while the attempt runs.
func (r header) outcome(f frame) (string, lipgloss.Style) {
	y := f.th.Symbols
	a := r.section.latest()
	switch a.state {
	case debate.TurnDone:
		words := y.Done + " "
		if a.meta.standing != "" {
			words += a.meta.standing + " " + y.Sep + " "
		}
		if c := a.meta.confidence; c != nil {
			words += text.Percent(*c)
		} else {
			words += "confidence not stated"
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

// positionBlock shows the position that a statement takes.
type positionBlock struct {
	static
	text string
}

func (p positionBlock) draw(f frame) lazyLines {
	return eagerLines(f.labelled("Position  ", p.text, ""))
}

// sideChange says that the seat names another side than before, and on which evidence.
type sideChange struct {
	static
	section *section
}

func (c sideChange) draw(f frame) lazyLines {
	y := f.th.Symbols
	before, move := f.lastMove(c.section)
	if move == nil {
		return eagerLines{}
	}
	words, style := fmt.Sprintf("%s changed: %s %s %s", y.Changed, before, y.Right, move.Side), f.th.Warning
	switch move.Change {
	case debate.Revised:
		style = f.th.Success
		words += ", citing " + strings.Join(move.Cites, ", ")
	case debate.RevisedOld:
		words += ", citing only what was known: " + strings.Join(move.Cites, ", ")
	case debate.Conformed:
		words += ", citing nothing"
	case debate.OtherLabel:
		words, style = fmt.Sprintf("%s another label: %s, before: %s", y.Changed, move.Side, before), f.th.Muted
	default:
		return eagerLines{}
	}
	return eagerLines(styleLines(wrapIndented(safeLine(words), f.width, "", "  "), style.Bold(true)))
}

// lastMove returns what the seat did in the round of a section, if that is its last one in
// the round, and the side that it took before.
func (f frame) lastMove(s *section) (before debate.Side, move *debate.Move) {
	for i, o := range f.sections {
		if o == s && i+1 < len(f.sections) && f.sections[i+1].turn.Round == s.turn.Round {
			return "", nil
		}
	}
	for i, m := range f.moves {
		switch {
		case m.Round == s.turn.Round:
			return before, &f.moves[i]
		case m.Side != debate.Undecided:
			before = m.Side
		}
	}
	return before, nil
}
