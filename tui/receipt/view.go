package receipt

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

func (sc *Screen) listHeight() int { return max(2, min(len(sc.receipt.Pieces), sc.h/2-4)) }

// View draws the screen.
func (sc *Screen) View(f screen.Frame) string {
	rows := sc.head(f.Now)
	pieces, hidden := sc.list(sc.listHeight())
	rows = append(rows, pieces...)
	if sc.h-len(rows) > 4 {
		rows = append(rows, sc.th.Muted.Render(strings.TrimRight("   "+hidden, " ")))
	}
	rows = append(rows, sc.box(sc.h-len(rows))...)
	for len(rows) < sc.h {
		rows = append(rows, "")
	}
	for i, row := range rows[:sc.h] {
		rows[i] = sc.th.Fit(row, sc.w)
	}
	return strings.Join(rows[:sc.h], "\n")
}

// head says whose request it is, and what is known of it.
func (sc *Screen) head(now time.Time) []string {
	th, r := sc.th, sc.receipt
	name, style := text.Line(r.Speaker.Name), th.Text
	if r.Seat > 0 {
		name, style = fmt.Sprintf("%d %s", r.Seat, name), th.Seat(r.Seat)
	}
	mark, good := th.Symbols.Done, th.Success
	switch {
	case !r.Intact:
		mark, good = th.Symbols.Failed, th.Danger
	case r.Parts == nil:
		good = th.Muted
	}
	hash := r.Hash
	if len(hash) > 12 {
		hash = hash[:4] + th.Symbols.Cut + hash[len(hash)-4:]
	}
	sep := " " + th.Symbols.Sep + " "
	rows := []string{
		th.Row([]theme.Part{
			{Text: " " + name, Style: style},
			{Text: fmt.Sprintf(" · %s (%s)", text.Line(r.Speaker.ModelName()), text.Line(r.Speaker.Provider)), Style: th.Text, Cut: 3},
			{Text: "   " + r.Place(), Style: th.Muted, Cut: 2},
			{Text: "   " + r.Sent.In(now.Location()).Format("15:04:05"), Style: th.Faint, Cut: 1, Whole: true},
		}, nil, sc.w),
		th.Row([]theme.Part{
			{Text: " about " + text.Number(r.Estimate) + " tok", Style: th.Muted},
			{Text: sep + "sha256 " + hash, Style: th.Faint, Cut: 1, Whole: true},
			{Text: sep, Style: th.Muted},
			{Text: mark + " " + r.Trust(), Style: good, Cut: 3},
			{Text: sep + r.Patches(), Style: th.Muted, Cut: 2},
		}, nil, sc.w),
		th.Row([]theme.Part{{Text: " " + r.Result(), Style: th.Muted, Cut: 1}}, nil, sc.w),
		"", sc.columns(),
	}
	if sc.h >= 21 {
		rows = append([]string{""}, rows...)
	}
	if sc.h < 14 {
		rows = rows[:2]
	}
	return rows
}

// Widths of the columns beside the title.
const (
	roleWidth   = 12
	tokensWidth = 8
	noteWidth   = 16
)

func (sc *Screen) titleWidth() int { return max(min(sc.w-5-roleWidth-tokensWidth-noteWidth, 70), 8) }

func (sc *Screen) columns() string {
	return sc.th.Faint.Render(fmt.Sprintf("   %-*s%*s", sc.titleWidth()+roleWidth+1, "message", tokensWidth, "tok"))
}

// list draws the pieces around the selected one, and counts those that are hidden.
func (sc *Screen) list(h int) (rows []string, hidden string) {
	from, to := sc.pieces.Range(sc.pieces.At, sc.pieces.At, len(sc.receipt.Pieces), h)
	for i := from; i < to; i++ {
		rows = append(rows, sc.row(sc.receipt.Pieces[i], i == sc.pieces.At))
	}
	return rows, sc.th.HiddenNote(from, len(sc.receipt.Pieces)-to)
}

// marker returns the number of the message that begins with a piece, and "+" for pieces
// outside the messages.
func marker(p report.Piece) string {
	switch {
	case p.Message > 0:
		return fmt.Sprint(p.Message)
	case p.Continues():
		return ""
	}
	return "+"
}

func (sc *Screen) row(p report.Piece, selected bool) string {
	th, mark := sc.th.ForRow(selected)
	title := ansi.Truncate(p.Title, sc.titleWidth()-1, th.Symbols.Cut)
	title += strings.Repeat(" ", max(sc.titleWidth()-ansi.StringWidth(title), 0))
	return th.Accent.Render(" "+mark+" ") + th.Muted.Render(fmt.Sprintf("%-2s%-*s", marker(p), roleWidth, p.Role)) + th.Text.Render(title) +
		th.Muted.Render(fmt.Sprintf("%*s", tokensWidth-1, text.Number(p.Tokens))) + th.Faint.Render("   "+p.Note)
}

func (sc *Screen) box(h int) []string {
	th := sc.th
	if h < 3 || sc.pieces.At >= len(sc.receipt.Pieces) {
		return nil
	}
	p := sc.receipt.Pieces[sc.pieces.At]
	shown := sc.Visible(sc.find.Mark(th, sc.wrapped()), h-2)
	name := p.Role
	switch {
	case p.Message > 0:
		name = fmt.Sprintf("message %d", p.Message)
	case p.Continues():
		name = "message 2"
	}
	b := theme.Box{
		Width: sc.w, Height: h, Title: []theme.Part{{Text: name + " · " + p.Title, Style: th.Text, Cut: 1}},
		State: []theme.Part{{Text: text.Number(p.Tokens) + " tok", Style: th.Muted, Cut: 2, Whole: true}},
	}
	var hint []string
	if sc.Top() > 0 {
		hint = append(hint, fmt.Sprintf("%d above", sc.Top()))
	}
	if below := sc.Below(); below > 0 {
		hint = append(hint, fmt.Sprintf("%d below", below))
	}
	if len(hint) > 0 {
		b.Hint = []theme.Part{{Text: strings.Join(hint, ", "), Style: th.Muted}}
	}
	for _, l := range shown {
		b.Lines = append(b.Lines, th.Text.Render(l))
	}
	return th.Box(b)
}

// wrapped returns the lines of the open piece.
func (sc *Screen) wrapped() []string {
	if sc.lines == nil && sc.pieces.At < len(sc.receipt.Pieces) {
		sc.lines = theme.Wrap(sc.receipt.Pieces[sc.pieces.At].Text, max(sc.w-4, 1))
	}
	return sc.lines
}

// boxRows returns how many lines of the open piece are shown.
func (sc *Screen) boxRows() int { return max(sc.h-sc.listHeight()-8, 1) }
