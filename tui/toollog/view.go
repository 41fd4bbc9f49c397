package toollog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Title names the session, and counts its calls.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	left = []theme.Part{{Text: " Tool log · ", Style: sc.th.Accent}, {Text: sc.name, Style: sc.th.Text, Cut: 1}}
	return left, []theme.Part{{Text: sc.summary() + " ", Style: sc.th.Muted, Cut: 2}}
}

// View draws the log, with the notices at its end.
func (sc *Screen) View(f screen.Frame) string {
	now, spin := f.Now, f.Spin
	open := sc.openHeight()
	list, hidden := sc.list(now, spin, sc.h-2-open)
	rows := append([]string{sc.head(hidden), sc.columns()}, list...)
	if open > 0 {
		rows = append(rows, sc.detail(open, now)...)
	}
	for len(rows) < sc.h {
		rows = append(rows, "")
	}
	for i, r := range rows[:sc.h] {
		rows[i] = sc.th.Fit(r, sc.w)
	}
	return strings.Join(rows[:sc.h], "\n")
}

// openHeight returns how many rows the open call has: none if there is no room
// for a line of it.
func (sc *Screen) openHeight() int {
	switch {
	case sc.h < 9:
		return 0
	case sc.h < 14:
		return min(sc.h-6, 5)
	}
	return min(max(sc.h/2-1, 4), 16)
}

// head shows the filter, and how many rows are out of sight.
func (sc *Screen) head(hidden string) string {
	th := sc.th
	left := []theme.Part{{Text: " / filter", Style: th.Muted}}
	if sc.typing || sc.field.Value() != "" {
		left = []theme.Part{{Text: " / ", Style: th.Accent}, {Text: sc.field.Value(), Style: th.Text, Cut: 2}}
	}
	seat := "all"
	if sc.seat > 0 {
		seat = text.Line(sc.seats[sc.seat-1].Name)
	}
	round := "all"
	if sc.round > 0 {
		round = fmt.Sprint(sc.round)
	}
	left = append(left, theme.Part{Text: "   seat " + seat, Style: th.Muted, Cut: 3},
		theme.Part{Text: "   round " + round, Style: th.Muted, Cut: 2})
	right := []theme.Part{{Text: "newest last ", Style: th.Faint, Cut: 1, Whole: true}}
	if hidden != "" {
		right = []theme.Part{{Text: hidden + " ", Style: th.Muted}}
	}
	return th.Row(left, right, sc.w)
}

// Widths of the columns: mark and time, owner, round, state; the last is how long it took.
const (
	clockWidth = 10
	ownerWidth = 9
	tookWidth  = 9
)

func (sc *Screen) columns() string {
	return sc.th.Faint.Render(fmt.Sprintf("  %-8s%-*s%-4s%-20s%-*s%*s ", "time", ownerWidth, "owner", "R", "tool", max(sc.argsWidth(), 4),
		"arguments", tookWidth-1, "took"))
}

func (sc *Screen) argsWidth() int { return sc.w - clockWidth - ownerWidth - 4 - 20 - tookWidth }

// list draws the calls around the cursor, and the notices below the last one. It
// also returns how many rows are above and below.
func (sc *Screen) list(now time.Time, spin int, h int) (rows []string, hidden string) {
	sc.selected()
	shown := sc.shown()
	for i, c := range shown {
		rows = append(rows, sc.row(c, i == sc.cursor, now, spin))
	}
	switch {
	case len(rows) > 0:
	case len(sc.calls) == 0:
		rows = append(rows, sc.th.Muted.Render(" No tool calls."))
	default:
		rows = append(rows, sc.th.Muted.Render(" No calls match."))
	}
	top, bottom := sc.cursor, sc.cursor
	if told := sc.shownNotices(); len(told) > 0 {
		rows = append(rows, "", sc.th.Muted.Render(" Notices"))
		if sc.cursor >= len(shown) {
			top, bottom = sc.cursor-len(shown)+len(rows), sc.cursor-len(shown)+len(rows)
		}
		for i, n := range told {
			rows = append(rows, sc.noticeRow(n, !sc.follow && len(shown)+i == sc.cursor, now))
		}
	}
	if sc.follow {
		bottom = min(len(rows)-1, sc.cursor+h-1)
	}
	if bottom >= sc.first+h {
		sc.first = bottom - h + 1
	}
	sc.first = max(0, min(min(sc.first, top), len(rows)-h))
	hidden = sc.th.HiddenNote(sc.first, len(rows)-sc.first-h)
	rows = rows[sc.first:min(len(rows), sc.first+h)]
	for len(rows) < h {
		rows = append(rows, "")
	}
	return rows, hidden
}

func (sc *Screen) noticeRow(n screen.Notice, selected bool, now time.Time) string {
	th, mark := sc.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	return th.Row([]theme.Part{
		{Text: mark + n.At.In(now.Location()).Format("15:04:05") + " ", Style: th.Faint},
		{Text: n.Text, Style: n.Tone.Style(th), Cut: 1},
	}, nil, sc.w)
}

// noticeLines draws a notice in full.
func (sc *Screen) noticeLines(b theme.Box, n screen.Notice, now time.Time) []string {
	th := sc.th
	b.Title = []theme.Part{{Text: "Notice", Style: th.Text}}
	b.State = []theme.Part{{Text: n.At.In(now.Location()).Format("2 Jan 15:04:05"), Style: th.Muted, Cut: 1}}
	for s := range strings.SplitSeq(ansi.Wrap(strings.TrimSpace(n.Text+" "+n.Keys), max(sc.w-4, 8), ""), "\n") {
		b.Lines = append(b.Lines, th.Text.Render(s))
	}
	return th.Box(b)
}

func (sc *Screen) row(c *call, selected bool, now time.Time, spin int) string {
	th, mark := sc.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	fit := func(s string, w int) string {
		s = ansi.Truncate(s, max(w-1, 0), th.Symbols.Cut)
		return s + strings.Repeat(" ", max(w-ansi.StringWidth(s), 0))
	}
	state, style := th.Symbols.Done, th.Success
	took := text.Duration(c.tool.Took)
	switch {
	case c.tool.State != debate.ToolDone:
		state, style, took = th.Symbols.Busy[spin%4], th.Text, text.Duration(max(now.Sub(c.tool.Began), 0))
	case c.tool.Result.Status != agents.ToolOK:
		state, style, took = th.Symbols.Failed, th.Danger, string(c.tool.Result.Status)
	}
	clock := fit(mark+c.tool.Began.In(now.Location()).Format("15:04:05"), clockWidth)
	return th.Faint.Render(clock) + th.Seat(c.seat).Render(fit(sc.owner(c), ownerWidth)) + th.Muted.Render(fit(fmt.Sprint(c.turn.Round),
		4)) +
		style.Render(state+" ") + th.Text.Render(fit(text.Line(c.tool.Name), 18)) + th.Muted.Render(fit(sc.arguments(c),
		sc.argsWidth())) +
		th.Faint.Render(fmt.Sprintf("%*s", tookWidth, took))
}

// arguments returns the arguments of a call in short; for a question to the user,
// the request and its priority.
func (sc *Screen) arguments(c *call) string {
	if asked := sc.requests[c.tool.ID]; asked != "" {
		return asked
	}
	return text.Line(pane.ArgsSummary(c.tool.Args))
}

// detail draws the call under the cursor, from the line on that was scrolled to.
func (sc *Screen) detail(h int, now time.Time) []string {
	th := sc.th
	b := theme.Box{Width: sc.w, Height: h}
	if n, ok := sc.notice(); ok {
		return sc.noticeLines(b, n, now)
	}
	c := sc.selected()
	if c == nil {
		return th.Box(b)
	}
	if c.tool.ID != sc.open {
		sc.open, sc.top = c.tool.ID, 0
	}
	b.Title = []theme.Part{
		{Text: sc.owner(c), Style: th.Seat(c.seat)},
		{Text: " " + th.Symbols.Focus + " " + text.Line(c.tool.Name), Style: th.Text, Cut: 1},
	}
	state := "done"
	switch {
	case c.tool.State != debate.ToolDone:
		state = "running"
	case c.tool.Result.Status != agents.ToolOK:
		state = th.Symbols.Failed + " " + string(c.tool.Result.Status)
	}
	b.State = []theme.Part{{Text: fmt.Sprintf("%s · call %d · round %d, attempt %d", state, 1+slices.Index(sc.calls, c), c.turn.Round,
		c.turn.Attempt), Style: th.Muted, Cut: 1}}
	lines := sc.labeledText("arguments", c.tool.Args)
	lines = append(lines, sc.labeledText("result", c.tool.Result.Text)...)
	sc.top = max(0, min(sc.top, len(lines)-(h-2)))
	hidden := len(lines) - sc.top - (h - 2)
	switch {
	case hidden > 0:
		b.Hint = []theme.Part{
			{Text: fmt.Sprintf("%d below", hidden), Style: th.Muted},
			{Text: " " + th.Symbols.Sep + " d u scroll", Style: th.Muted, Cut: 1},
		}
	case sc.top > 0:
		b.Hint = []theme.Part{{Text: "the end " + th.Symbols.Sep + " d u scroll", Style: th.Muted, Cut: 1}}
	}
	b.Lines = lines[sc.top:min(len(lines), sc.top+h-2)]
	return th.Box(b)
}

// labeledText draws a label with wrapped text beside it.
func (sc *Screen) labeledText(label, content string) []string {
	const indent = 12
	content, cut := text.Sanitize(content), ""
	if n := len([]rune(content)); n > mostShown {
		content = string([]rune(content)[:mostShown])
		cut = fmt.Sprintf("%s %d more characters; y copies all", sc.th.Symbols.Cut, n-mostShown)
	}
	var lines []string
	for s := range strings.SplitSeq(ansi.Wrap(content, max(sc.w-4-indent, 8), ""), "\n") {
		lines = append(lines, sc.th.Muted.Render(fmt.Sprintf("%-*s", indent, label))+sc.th.Text.Render(s))
		label = ""
	}
	if cut != "" {
		lines = append(lines, strings.Repeat(" ", indent)+sc.th.Muted.Render(cut))
	}
	return lines
}

// mostShown is how many characters of an argument or a result are drawn.
const mostShown = 8000
