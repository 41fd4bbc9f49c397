package toollog

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/textview"
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

// head shows the filter with its keys, and how many rows are hidden.
func (sc *Screen) head(hidden string) string {
	th := sc.th
	left := []theme.Part{{Text: " / filter", Style: th.Muted}}
	if sc.typing || sc.field.Value() != "" {
		left = []theme.Part{{Text: " / ", Style: th.Accent}, {Text: sc.field.Value(), Style: th.Text, Cut: 4}}
	}
	var seat, round, tool, status string
	if sc.only.seat > 0 {
		seat = text.Line(sc.seats[sc.only.seat-1].Name)
	}
	if sc.only.round > 0 {
		round = fmt.Sprint(sc.only.round)
	}
	if sc.only.tool != "" {
		tool = text.Line(sc.only.tool)
	}
	if sc.only.state != anyState {
		status = sc.only.state.String()
	}
	for i, part := range []struct{ label, value string }{
		{"tab seat", seat}, {"[ ] round", round}, {"n tool", tool}, {"w status", status},
	} {
		switch {
		case part.value != "":
			left = append(left, theme.Part{Text: "   " + part.label + " " + part.value, Style: th.Text, Cut: 5})
		case !sc.typing: // the keys are text otherwise
			left = append(left, theme.Part{Text: "   " + part.label, Style: th.Muted, Cut: 2 + i%2})
		}
	}
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

// list draws the calls around the cursor, and the notices below the last one. Rows out
// of sight are not drawn. It also returns how many are above and below.
func (sc *Screen) list(now time.Time, spin int, h int) (rows []string, hidden string) {
	sc.selected()
	told := sc.shownNotices()
	calls := max(len(sc.matches()), 1) // without calls a row says so
	all := calls
	if len(told) > 0 {
		all += 2 + len(told)
	}
	top, bottom := sc.rows.At, sc.rows.At
	if sc.rows.At >= len(sc.matches()) && len(told) > 0 {
		top = sc.rows.At - len(sc.matches()) + calls + 2
		bottom = top
	}
	if sc.follow { // the notices get the rows that the calls leave, and a few at least
		bottom = min(all-1, sc.rows.At+max(h-len(sc.matches()), min(fewNotices, h/3)))
	}
	from, to := sc.rows.Range(top, bottom, all, h)
	hidden = sc.th.HiddenNote(from, all-to)
	for i := from; i < to; i++ {
		rows = append(rows, sc.listRow(i, calls, told, now, spin))
	}
	for len(rows) < h {
		rows = append(rows, "")
	}
	return rows, hidden
}

// fewNotices is how many rows below the last call show that there are notices: a blank
// one, their heading and the first two.
const fewNotices = 4

// listRow draws a row of the list: of the calls, and then of the notices.
func (sc *Screen) listRow(i, calls int, told []screen.Notice, now time.Time, spin int) string {
	switch {
	case i < len(sc.matches()):
		return sc.row(sc.matches()[i], i == sc.rows.At, now, spin)
	case i < calls && len(sc.calls) == 0:
		return sc.th.Muted.Render(" No tool calls.")
	case i < calls:
		return sc.th.Muted.Render(" No calls match.")
	case i == calls:
		return ""
	case i == calls+1:
		return sc.th.Muted.Render(" Notices")
	}
	n := i - calls - 2
	return sc.noticeRow(told[n], !sc.follow && len(sc.matches())+n == sc.rows.At, now)
}

func (sc *Screen) noticeRow(n screen.Notice, selected bool, now time.Time) string {
	th, mark := sc.th.ForRow(selected)
	return th.Row([]theme.Part{
		{Text: mark + n.At.In(now.Location()).Format("15:04:05") + " ", Style: th.Faint},
		{Text: n.Text, Style: n.Tone.Style(th), Cut: 1},
	}, nil, sc.w)
}

func (sc *Screen) noticeLines(b theme.Box, n screen.Notice, now time.Time) []string {
	th := sc.th
	b.Title = []theme.Part{{Text: "Notice", Style: th.Text}}
	b.State = []theme.Part{{Text: n.At.In(now.Location()).Format("2 Jan 15:04:05"), Style: th.Muted, Cut: 1}}
	for _, s := range theme.Wrap(strings.TrimSpace(n.Text+" "+n.Keys), max(sc.w-4, 8)) {
		b.Lines = append(b.Lines, th.Text.Render(s))
	}
	return th.Box(b)
}

func (sc *Screen) row(c *call, selected bool, now time.Time, spin int) string {
	th, mark := sc.th.ForRow(selected)
	fit := func(s string, w int) string {
		s = ansi.Truncate(s, max(w-1, 0), th.Symbols.Cut)
		return s + strings.Repeat(" ", max(w-ansi.StringWidth(s), 0))
	}
	sign, style, took := sc.sign(th, c, now, spin)
	begun := strings.Repeat(" ", len("15:04:05"))
	if !c.tool.Began.IsZero() {
		begun = c.tool.Began.In(now.Location()).Format("15:04:05")
	}
	return th.Faint.Render(fit(mark+begun, clockWidth)) + th.Seat(c.seat).Render(fit(sc.owner(c), ownerWidth)) +
		th.Muted.Render(fit(fmt.Sprint(c.turn.Round), 4)) + style.Render(sign+" ") + th.Text.Render(fit(text.Line(c.tool.Name), 18)) +
		th.Muted.Render(fit(sc.arguments(c), sc.argsWidth())) + th.Faint.Render(fmt.Sprintf("%*s", tookWidth, took))
}

// sign returns the symbol of a call, and the text of the last column: how long it took
// or has run, or its state.
func (sc *Screen) sign(th *theme.Theme, c *call, now time.Time, spin int) (string, lipgloss.Style, string) {
	y := th.Symbols
	switch s := c.state(); s {
	case pending:
		return y.Queued, th.Muted, "pending"
	case waiting:
		return y.Waits, th.Warning, "waits: A"
	case running:
		since := c.tool.Began
		if c.decided.After(since) { // the wait for the user does not count
			since = c.decided
		}
		return y.Busy[spin%4], th.Text, text.Duration(max(now.Sub(since), 0))
	case failed, denied, aborted:
		return y.Failed, th.Danger, s.String()
	case done, anyState:
	}
	return y.Done, th.Success, text.Duration(c.tool.Took)
}

// arguments returns the arguments of a call in short; for a question to the user,
// the request and its priority.
func (sc *Screen) arguments(c *call) string {
	if asked := sc.requests[c.tool.ID]; asked != "" {
		return asked
	}
	return c.args()
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
	sc.opened.lay(sc, c)
	b.Title = []theme.Part{
		{Text: sc.owner(c), Style: th.Seat(c.seat)},
		{Text: " " + th.Symbols.Sep + " " + text.Line(c.tool.Name), Style: th.Text, Cut: 1},
	}
	state := c.state().String()
	if c.state() >= failed {
		state = th.Symbols.Failed + " " + state
	}
	b.State = []theme.Part{{Text: fmt.Sprintf("%s · call %d · round %d, attempt %d", state, 1+slices.Index(sc.calls, c), c.turn.Round,
		c.turn.Attempt), Style: th.Muted, Cut: 1}}
	d := &sc.opened
	first, last := d.Range(len(d.lines), h-2)
	switch hidden := d.Below(); {
	case hidden > 0:
		b.Hint = []theme.Part{
			{Text: fmt.Sprintf("%d below", hidden), Style: th.Muted},
			{Text: " " + th.Symbols.Sep + " d u scroll", Style: th.Muted, Cut: 1},
		}
	case first > 0:
		b.Hint = []theme.Part{{Text: "the end " + th.Symbols.Sep + " d u scroll", Style: th.Muted, Cut: 1}}
	}
	for _, l := range d.lines[first:last] {
		b.Lines = append(b.Lines, th.Muted.Render(fmt.Sprintf("%-*s", detailIndent, l.label))+th.Text.Render(l.text))
	}
	return th.Box(b)
}

// detail is the call that is open, laid out. Only this one is.
type detail struct {
	id    string
	state state
	width int
	th    *theme.Theme
	lines []labeled
	textview.Text
}

// labeled is a line with the label before it.
type labeled struct{ label, text string }

// detailIndent is the width of the labels.
const detailIndent = 12

// lay lays out a call, unless that was done.
func (d *detail) lay(sc *Screen, c *call) {
	if d.id != c.tool.ID {
		*d = detail{}
	}
	if d.lines != nil && d.state == c.state() && d.width == sc.w && d.th == sc.th {
		return
	}
	d.id, d.state, d.width, d.th = c.tool.ID, c.state(), sc.w, sc.th
	d.lines = append(sc.labeledText("arguments", c.tool.Args), sc.labeledText("result", c.tool.Result.Text)...)
}

// labeledText wraps a text beside a label.
func (sc *Screen) labeledText(label, content string) []labeled {
	shown, cut := text.Sanitize(text.Head(content, mostShown)), ""
	if len(content) > mostShown {
		if n := utf8.RuneCountInString(content) - mostShown; n > 0 {
			cut = fmt.Sprintf("%s %d more characters; y copies all", sc.th.Symbols.Cut, n)
		}
	}
	var lines []labeled
	for _, s := range theme.Wrap(shown, max(sc.w-4-detailIndent, 8)) {
		lines = append(lines, labeled{label, s})
		label = ""
	}
	if cut != "" {
		lines = append(lines, labeled{"", cut})
	}
	return lines
}

// mostShown is how many characters of an argument or a result are drawn.
const mostShown = 8000
