package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/tui/theme"
)


// receipt shows what was sent with one request, the part under the cursor open below.
type receipt struct {
	th    *theme.Theme
	w, h  int
	from  place // where it was opened
	paper paper

	cursor int
	first  int      // page in the top row of the list
	top    int      // line of the open page in the top row of its box
	lines  []string // of the open page, wrapped; nil: not yet
}

func newReceipt(th *theme.Theme) *receipt { return &receipt{th: th} }

func (r *receipt) setTheme(th *theme.Theme) { r.th = th }

// setSize sets the room between the top line and the notice row.
func (r *receipt) setSize(w, h int) {
	if w != r.w {
		r.lines = nil
	}
	r.w, r.h = w, h
}

// load shows another request. The cursor stays on the part of the same kind.
func (r *receipt) load(p paper) {
	was := page{role: "user"}
	if r.cursor < len(r.paper.pages) {
		was = r.paper.pages[r.cursor]
	}
	r.paper, r.first = p, 0
	for i, g := range p.pages {
		if g.role == was.role && (g.title == was.title || g.number == was.number && g.number != "") {
			r.open(i)
			return
		}
	}
	r.open(min(1, len(p.pages)-1))
}

func (r *receipt) open(page int) { r.cursor, r.top, r.lines = page, 0, nil }

// move opens the part so many rows further down.
func (r *receipt) move(n int) { r.open(max(0, min(r.cursor+n, len(r.paper.pages)-1))) }

// scroll moves within the open part.
func (r *receipt) scroll(n int) { r.top += n }

// half is about half as many lines of the open part as are seen.
func (r *receipt) half() int { return max((r.h-r.listed()-8)/2, 1) }

// listed is how many rows the list has.
func (r *receipt) listed() int { return max(2, min(len(r.paper.pages), r.h/2-4)) }

// view draws the screen.
func (r *receipt) view(now time.Time) string {
	rows := r.head(now)
	rows = append(rows, r.list(r.listed())...)
	if r.h-len(rows) > 4 {
		rows = append(rows, r.th.Muted.Render(strings.TrimRight("   "+r.th.OutOfSight(r.first, len(r.paper.pages)-r.first-r.listed()), " ")))
	}
	rows = append(rows, r.box(r.h-len(rows))...)
	for len(rows) < r.h {
		rows = append(rows, "")
	}
	for i, row := range rows[:r.h] {
		rows[i] = r.th.Fit(row, r.w)
	}
	return strings.Join(rows[:r.h], "\n")
}

// head says whose request it is, and what is known of it.
func (r *receipt) head(now time.Time) []string {
	th, p := r.th, r.paper
	name, what := safetext.Line(p.speaker.Name), fmt.Sprintf(" · %s (%s)", safetext.Line(p.speaker.Model), safetext.Line(p.speaker.Provider))
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
		kept, good = th.Symbols.Failed+" does not fit its hash", th.Danger
	case !p.known:
		kept, good = th.Symbols.Done+" as it was stored; its parts cannot be told apart", th.Muted
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
		th.Row([]theme.Part{{Text: " " + name, Style: style}, {Text: what, Style: th.Text, Cut: 3}, {Text: "   " + where, Style: th.Muted, Cut: 2}, {Text: "   " + p.about.Sent.In(now.Location()).Format("15:04:05"), Style: th.Faint, Cut: 1, Whole: true}}, nil, r.w),
		th.Row([]theme.Part{
			{Text: " about " + grouped(p.tokens) + " tok", Style: th.Muted},
			{Text: sep + "sha256 " + hash, Style: th.Faint, Cut: 1, Whole: true},
			{Text: sep, Style: th.Muted},
			{Text: kept, Style: good, Cut: 3},
			{Text: sep + patches, Style: th.Muted, Cut: 2},
		}, nil, r.w),
		th.Row([]theme.Part{{Text: " " + r.came(), Style: th.Muted, Cut: 1}}, nil, r.w),
		"", r.columns(),
	}
	if r.h >= 21 {
		rows = append([]string{""}, rows...)
	}
	if r.h < 14 {
		rows = rows[:2]
	}
	return rows
}

// came says what the request came to.
func (r *receipt) came() string {
	a := r.paper.about
	text := a.State
	if u := a.Usage; u.Input+u.Output > 0 {
		said := ""
		if u.Estimated {
			said = " (estimated)"
		}
		text += fmt.Sprintf(": %s tok read, %s written%s, %s", grouped(u.Input), grouped(u.Output), said, dollars(a.Cost))
	}
	if a.Failure != nil {
		text += ": " + safetext.Line(a.Failure.Cause)
	}
	return text
}

// Widths of the columns beside the title.
const (
	pageRole   = 12
	pageTokens = 8
	pageNote   = 16
)

func (r *receipt) titleWidth() int { return max(min(r.w-5-pageRole-pageTokens-pageNote, 70), 8) }

func (r *receipt) columns() string {
	return r.th.Faint.Render(fmt.Sprintf("   %-*s%*s", r.titleWidth()+pageRole+1, "message", pageTokens, "tok"))
}

// list draws the parts around the cursor.
func (r *receipt) list(h int) []string {
	r.first = max(0, min(r.first, r.cursor, len(r.paper.pages)-h))
	if r.cursor >= r.first+h {
		r.first = r.cursor - h + 1
	}
	var rows []string
	for i := r.first; i < len(r.paper.pages) && len(rows) < h; i++ {
		rows = append(rows, r.row(r.paper.pages[i], i == r.cursor))
	}
	return rows
}

func (r *receipt) row(g page, selected bool) string {
	th, mark := r.th, " "
	if selected {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	title := ansi.Truncate(g.title, r.titleWidth()-1, th.Symbols.Cut)
	title += strings.Repeat(" ", max(r.titleWidth()-ansi.StringWidth(title), 0))
	return th.Accent.Render(" "+mark+" ") + th.Muted.Render(fmt.Sprintf("%-2s%-*s", g.number, pageRole, g.role)) + th.Text.Render(title) +
		th.Muted.Render(fmt.Sprintf("%*s", pageTokens-1, grouped(g.tokens))) + th.Faint.Render("   "+g.note)
}

// box draws the open part.
func (r *receipt) box(h int) []string {
	th := r.th
	if h < 3 || r.cursor >= len(r.paper.pages) {
		return nil
	}
	g := r.paper.pages[r.cursor]
	if r.lines == nil {
		r.lines = strings.Split(ansi.Wrap(g.text, max(r.w-4, 1), ""), "\n")
	}
	r.top = max(0, min(r.top, len(r.lines)-(h-2)))
	name := "message " + g.number
	switch g.number {
	case "":
		name = "message 2"
	case "+":
		name = g.role
	}
	b := theme.Box{
		Width: r.w, Height: h, Title: []theme.Part{{Text: name + " · " + g.title, Style: th.Text, Cut: 1}},
		State: []theme.Part{{Text: grouped(g.tokens) + " tok", Style: th.Muted, Cut: 2, Whole: true}},
	}
	var hint []string
	if r.top > 0 {
		hint = append(hint, fmt.Sprintf("%d above", r.top))
	}
	if below := len(r.lines) - r.top - (h - 2); below > 0 {
		hint = append(hint, fmt.Sprintf("%d below", below))
	}
	if len(hint) > 0 {
		b.Hint = []theme.Part{{Text: strings.Join(hint, ", "), Style: th.Muted}}
	}
	for _, l := range r.lines[r.top:min(len(r.lines), r.top+h-2)] {
		b.Lines = append(b.Lines, th.Text.Render(l))
	}
	return th.Box(b)
}

// grouped writes a number with its thousands apart: 2,850.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
