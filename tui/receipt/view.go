package receipt

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// listHeight returns how many rows the list has.
func (sc *Screen) listHeight() int { return max(2, min(len(sc.request.sections), sc.h/2-4)) }

// View draws the screen.
func (sc *Screen) View(f screen.Frame) string {
	rows := sc.head(f.Now)
	rows = append(rows, sc.list(sc.listHeight())...)
	if sc.h-len(rows) > 4 {
		rows = append(rows, sc.th.Muted.Render(strings.TrimRight("   "+sc.th.HiddenNote(sc.first,
			len(sc.request.sections)-sc.first-sc.listHeight()), " ")))
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
	th, p := sc.th, sc.request
	name, what := text.Line(p.speaker.Name), fmt.Sprintf(" · %s (%s)", text.Line(p.speaker.Model),
		text.Line(p.speaker.Provider))
	style := th.Text
	if p.seat > 0 {
		name, style = fmt.Sprintf("%d %s", p.seat, name), th.Seat(p.seat)
	}
	where := fmt.Sprintf("round %d, attempt %d", p.about.Turn.Round, p.about.Turn.Attempt)
	if p.about.Of > 1 {
		where += fmt.Sprintf(", request %d of %d", p.about.N, p.about.Of)
	}
	kept, good := th.Symbols.Done+" equals what was sent", th.Success
	switch {
	case !p.about.Intact:
		kept, good = th.Symbols.Failed+" does not match its hash", th.Danger
	case !p.rebuilt:
		kept, good = th.Symbols.Done+" shown as stored; its parts are unknown", th.Muted
	}
	hash := p.about.Hash
	if len(hash) > 12 {
		hash = hash[:4] + th.Symbols.Cut + hash[len(hash)-4:]
	}
	patches := "patches: none"
	switch {
	case p.about.Patched == nil:
		patches = "patches: not recorded"
	case len(p.about.Patched) > 0:
		patches = fmt.Sprintf("patches: %d, see below", len(p.about.Patched))
	}
	sep := " " + th.Symbols.Sep + " "
	rows := []string{
		th.Row([]theme.Part{
			{Text: " " + name, Style: style},
			{Text: what, Style: th.Text, Cut: 3},
			{Text: "   " + where, Style: th.Muted, Cut: 2},
			{Text: "   " + p.about.Sent.In(now.Location()).Format("15:04:05"), Style: th.Faint, Cut: 1, Whole: true},
		}, nil, sc.w),
		th.Row([]theme.Part{
			{Text: " about " + screen.Grouped(p.tokens) + " tok", Style: th.Muted},
			{Text: sep + "sha256 " + hash, Style: th.Faint, Cut: 1, Whole: true},
			{Text: sep, Style: th.Muted},
			{Text: kept, Style: good, Cut: 3},
			{Text: sep + patches, Style: th.Muted, Cut: 2},
		}, nil, sc.w),
		th.Row([]theme.Part{{Text: " " + sc.resultLine(), Style: th.Muted, Cut: 1}}, nil, sc.w),
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

// resultLine says how the request ended, and what it used.
func (sc *Screen) resultLine() string {
	a := sc.request.about
	content := a.State
	if u := a.Usage; u.Input+u.Output > 0 {
		said := ""
		if u.Estimated {
			said = " (estimated)"
		}
		content += fmt.Sprintf(": %s tok read, %s written%s, %s", screen.Grouped(u.Input), screen.Grouped(u.Output), said,
			screen.Money(a.Cost))
	}
	if a.Failure != nil {
		content += ": " + text.Line(a.Failure.Cause)
	}
	return content
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

// list draws the parts around the cursor.
func (sc *Screen) list(h int) []string {
	sc.first = max(0, min(sc.first, sc.cursor, len(sc.request.sections)-h))
	if sc.cursor >= sc.first+h {
		sc.first = sc.cursor - h + 1
	}
	var rows []string
	for i := sc.first; i < len(sc.request.sections) && len(rows) < h; i++ {
		rows = append(rows, sc.row(sc.request.sections[i], i == sc.cursor))
	}
	return rows
}

func (sc *Screen) row(g section, selected bool) string {
	th, mark := sc.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	title := ansi.Truncate(g.title, sc.titleWidth()-1, th.Symbols.Cut)
	title += strings.Repeat(" ", max(sc.titleWidth()-ansi.StringWidth(title), 0))
	return th.Accent.Render(" "+mark+" ") + th.Muted.Render(fmt.Sprintf("%-2s%-*s", g.number, roleWidth, g.role)) + th.Text.Render(title) +
		th.Muted.Render(fmt.Sprintf("%*s", tokensWidth-1, screen.Grouped(g.tokens))) + th.Faint.Render("   "+g.note)
}

// box draws the open part.
func (sc *Screen) box(h int) []string {
	th := sc.th
	if h < 3 || sc.cursor >= len(sc.request.sections) {
		return nil
	}
	g := sc.request.sections[sc.cursor]
	if sc.lines == nil {
		sc.lines = strings.Split(ansi.Wrap(g.text, max(sc.w-4, 1), ""), "\n")
	}
	sc.top = max(0, min(sc.top, len(sc.lines)-(h-2)))
	name := "message " + g.number
	switch g.number {
	case "":
		name = "message 2"
	case "+":
		name = g.role
	}
	b := theme.Box{
		Width: sc.w, Height: h, Title: []theme.Part{{Text: name + " · " + g.title, Style: th.Text, Cut: 1}},
		State: []theme.Part{{Text: screen.Grouped(g.tokens) + " tok", Style: th.Muted, Cut: 2, Whole: true}},
	}
	var hint []string
	if sc.top > 0 {
		hint = append(hint, fmt.Sprintf("%d above", sc.top))
	}
	if below := len(sc.lines) - sc.top - (h - 2); below > 0 {
		hint = append(hint, fmt.Sprintf("%d below", below))
	}
	if len(hint) > 0 {
		b.Hint = []theme.Part{{Text: strings.Join(hint, ", "), Style: th.Muted}}
	}
	for _, l := range sc.lines[sc.top:min(len(sc.lines), sc.top+h-2)] {
		b.Lines = append(b.Lines, th.Text.Render(l))
	}
	return th.Box(b)
}
