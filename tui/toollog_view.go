package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)


// view draws the log, with the notices at its end.
func (l *toolLog) view(now time.Time, spin int, told []notice) string {
	l.told = told
	open := l.openHeight()
	list, hidden := l.list(now, spin, l.h-2-open)
	rows := append([]string{l.head(hidden), l.columns()}, list...)
	if open > 0 {
		rows = append(rows, l.detail(open, now)...)
	}
	for len(rows) < l.h {
		rows = append(rows, "")
	}
	for i, r := range rows[:l.h] {
		rows[i] = l.th.Fit(r, l.w)
	}
	return strings.Join(rows[:l.h], "\n")
}

// openHeight is how many rows the open call has: none where there is no room for
// a line of it.
func (l *toolLog) openHeight() int {
	switch {
	case l.h < 9:
		return 0
	case l.h < 14:
		return min(l.h-6, 5)
	}
	return min(max(l.h/2-1, 4), 16)
}

// head says what is listed, and how much of it is out of sight.
func (l *toolLog) head(hidden string) string {
	th := l.th
	left := []theme.Part{{Text: " / filter", Style: th.Muted}}
	if l.typing || l.field.Value() != "" {
		left = []theme.Part{{Text: " / ", Style: th.Accent}, {Text: l.field.Value(), Style: th.Text, Cut: 2}}
	}
	seat := "all"
	if l.seat > 0 {
		seat = safetext.Line(l.seats[l.seat-1].Name)
	}
	round := "all"
	if l.round > 0 {
		round = fmt.Sprint(l.round)
	}
	left = append(left, theme.Part{Text: "   seat " + seat, Style: th.Muted, Cut: 3}, theme.Part{Text: "   round " + round, Style: th.Muted, Cut: 2})
	right := []theme.Part{{Text: "newest last ", Style: th.Faint, Cut: 1, Whole: true}}
	if hidden != "" {
		right = []theme.Part{{Text: hidden + " ", Style: th.Muted}}
	}
	return th.Row(left, right, l.w)
}

// Widths of the columns: mark and time, owner, round, state; the last is how long it took.
const (
	clockWidth = 10
	ownerWidth = 9
	tookWidth  = 9
)

func (l *toolLog) columns() string {
	return l.th.Faint.Render(fmt.Sprintf("  %-8s%-*s%-4s%-20s%-*s%*s ", "time", ownerWidth, "owner", "R", "tool", max(l.argsWidth(), 4), "arguments", tookWidth-1, "took"))
}

func (l *toolLog) argsWidth() int { return l.w - clockWidth - ownerWidth - 4 - 20 - tookWidth }

// list draws the calls around the cursor, and below the last one the notices. It
// says how many rows there are above and below.
func (l *toolLog) list(now time.Time, spin int, h int) (rows []string, hidden string) {
	l.selected()
	shown := l.shown()
	for i, c := range shown {
		rows = append(rows, l.row(c, i == l.cursor, now, spin))
	}
	switch {
	case len(rows) > 0:
	case len(l.calls) == 0:
		rows = append(rows, l.th.Muted.Render(" No tool was used."))
	default:
		rows = append(rows, l.th.Muted.Render(" Nothing passes the filter."))
	}
	top, bottom := l.cursor, l.cursor
	if told := l.notices(); len(told) > 0 {
		rows = append(rows, "", l.th.Muted.Render(" Notices"))
		if l.cursor >= len(shown) {
			top, bottom = l.cursor-len(shown)+len(rows), l.cursor-len(shown)+len(rows)
		}
		for i, n := range told {
			rows = append(rows, l.noticeRow(n, !l.follow && len(shown)+i == l.cursor, now))
		}
	}
	if l.follow {
		bottom = min(len(rows)-1, l.cursor+h-1)
	}
	if bottom >= l.first+h {
		l.first = bottom - h + 1
	}
	l.first = max(0, min(min(l.first, top), len(rows)-h))
	hidden = l.th.OutOfSight(l.first, len(rows)-l.first-h)
	rows = rows[l.first:min(len(rows), l.first+h)]
	for len(rows) < h {
		rows = append(rows, "")
	}
	return rows, hidden
}

func (l *toolLog) noticeRow(n notice, selected bool, now time.Time) string {
	th, mark := l.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	return th.Row([]theme.Part{{Text: mark + n.at.In(now.Location()).Format("15:04:05") + " ", Style: th.Faint}, {Text: n.text, Style: n.tone.style(th), Cut: 1}}, nil, l.w)
}

// noticeLines shows a notice whole.
func (l *toolLog) noticeLines(b theme.Box, n notice, now time.Time) []string {
	th := l.th
	b.Title = []theme.Part{{Text: "Notice", Style: th.Text}}
	b.State = []theme.Part{{Text: n.at.In(now.Location()).Format("2 Jan 15:04:05"), Style: th.Muted, Cut: 1}}
	for s := range strings.SplitSeq(ansi.Wrap(strings.TrimSpace(n.text+" "+n.keys), max(l.w-4, 8), ""), "\n") {
		b.Lines = append(b.Lines, th.Text.Render(s))
	}
	return th.Box(b)
}

func (l *toolLog) row(c *call, selected bool, now time.Time, spin int) string {
	th, mark := l.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	fit := func(s string, w int) string {
		s = ansi.Truncate(s, max(w-1, 0), th.Symbols.Cut)
		return s + strings.Repeat(" ", max(w-ansi.StringWidth(s), 0))
	}
	state, style := th.Symbols.Done, th.Success
	took := lasted(c.tool.Took)
	switch {
	case c.tool.State != debate.ToolDone:
		state, style, took = th.Symbols.Busy[spin%4], th.Text, lasted(max(now.Sub(c.tool.Began), 0))
	case c.tool.Result.Status != agents.ToolOK:
		state, style, took = th.Symbols.Failed, th.Danger, string(c.tool.Result.Status)
	}
	clock := fit(mark+c.tool.Began.In(now.Location()).Format("15:04:05"), clockWidth)
	return th.Faint.Render(clock) + th.Seat(c.seat).Render(fit(l.owner(c), ownerWidth)) + th.Muted.Render(fit(fmt.Sprint(c.turn.Round), 4)) +
		style.Render(state+" ") + th.Text.Render(fit(safetext.Line(c.tool.Name), 18)) + th.Muted.Render(fit(l.gist(c), l.argsWidth())) +
		th.Faint.Render(fmt.Sprintf("%*s", tookWidth, took))
}

// gist says in short what was called for: of a question to the user how that stands.
func (l *toolLog) gist(c *call) string {
	if asked := l.asks[c.tool.ID]; asked != "" {
		return asked
	}
	return safetext.Line(pane.Gist(c.tool.Args))
}

// lasted writes how long a call took.
func lasted(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
}

// detail shows the call under the cursor, from the line on that was scrolled to.
func (l *toolLog) detail(h int, now time.Time) []string {
	th := l.th
	b := theme.Box{Width: l.w, Height: h}
	if n, ok := l.notice(); ok {
		return l.noticeLines(b, n, now)
	}
	c := l.selected()
	if c == nil {
		return th.Box(b)
	}
	if c.tool.ID != l.open {
		l.open, l.top = c.tool.ID, 0
	}
	b.Title = []theme.Part{{Text: l.owner(c), Style: th.Seat(c.seat)}, {Text: " " + th.Symbols.Focus + " " + safetext.Line(c.tool.Name), Style: th.Text, Cut: 1}}
	state := "done"
	switch {
	case c.tool.State != debate.ToolDone:
		state = "running"
	case c.tool.Result.Status != agents.ToolOK:
		state = th.Symbols.Failed + " " + string(c.tool.Result.Status)
	}
	b.State = []theme.Part{{Text: fmt.Sprintf("%s · call %d · round %d, attempt %d", state, 1+slices.Index(l.calls, c), c.turn.Round, c.turn.Attempt), Style: th.Muted, Cut: 1}}
	lines := l.labelled("arguments", c.tool.Args)
	lines = append(lines, l.labelled("result", c.tool.Result.Text)...)
	l.top = max(0, min(l.top, len(lines)-(h-2)))
	hidden := len(lines) - l.top - (h - 2)
	switch {
	case hidden > 0:
		b.Hint = []theme.Part{{Text: fmt.Sprintf("%d below", hidden), Style: th.Muted}, {Text: " " + th.Symbols.Sep + " d u scroll", Style: th.Muted, Cut: 1}}
	case l.top > 0:
		b.Hint = []theme.Part{{Text: "the end " + th.Symbols.Sep + " d u scroll", Style: th.Muted, Cut: 1}}
	}
	b.Lines = lines[l.top:min(len(lines), l.top+h-2)]
	return th.Box(b)
}

// labelled draws a label and wrapped text beside it.
func (l *toolLog) labelled(label, text string) []string {
	const indent = 12
	text, cut := safetext.Text(text), ""
	if n := len([]rune(text)); n > mostShown {
		text, cut = string([]rune(text)[:mostShown]), fmt.Sprintf("%s %d more characters; y copies all", l.th.Symbols.Cut, n-mostShown)
	}
	var lines []string
	for s := range strings.SplitSeq(ansi.Wrap(text, max(l.w-4-indent, 8), ""), "\n") {
		lines = append(lines, l.th.Muted.Render(fmt.Sprintf("%-*s", indent, label))+l.th.Text.Render(s))
		label = ""
	}
	if cut != "" {
		lines = append(lines, strings.Repeat(" ", indent)+l.th.Muted.Render(cut))
	}
	return lines
}

// mostShown is how many characters of an argument or a result are drawn.
const mostShown = 8000
