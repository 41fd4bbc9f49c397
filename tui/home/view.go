package home

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Rows of the head: a blank one, the search, and a line.
const (
	searchRow = 1
	headRows  = 3
)

const (
	markWidth = 1
	// titleAt is the column of the title, after the mark of the selection and the symbol of the state.
	titleAt  = 3
	ageWidth = 11
	// oneRowFrom is the least width at which a debate takes one row, titleOnlyBelow the least
	// one with its verdict and its age.
	oneRowFrom     = 110
	titleOnlyBelow = 60
)

func (h *Screen) rowHeight() int {
	if h.width >= oneRowFrom || h.width < titleOnlyBelow {
		return 1
	}
	return 2
}

func (h *Screen) titleWidth(short string) int {
	switch room := h.width - titleAt; {
	case h.width >= oneRowFrom:
		return min(max(h.longest+2, (room-ageWidth)*2/5), (room-ageWidth)*3/5)
	case h.width >= titleOnlyBelow:
		return room - ageWidth
	default:
		return room - min(ansi.StringWidth(short)+2, room/2)
	}
}

// View draws the list.
func (h *Screen) View(f screen.Frame) string {
	if h.width <= 0 || h.height <= headRows {
		return ""
	}
	head := []string{"", h.searchLine(), h.th.Line.Render(" " + strings.Repeat(h.th.Border.Horizontal, max(h.width-2, 0)))}
	height := h.height - headRows
	foot := ""
	if h.searching && height > 6 {
		height--
		foot = "\n" + h.th.Fit(h.th.Faint.Render(" Filters  "+h.filters()), h.width)
	}
	lines, top, bottom := h.lines(f.Now)
	if bottom-top+1 >= height && len(lines) > height { // prefer the session to the rows above it
		if top = min(h.selectedLine, bottom); h.match > 0 && bottom-top+1 >= height {
			top = bottom
		}
	}
	for i, l := range head {
		head[i] = h.th.Fit(l, h.width)
	}
	h.list.Count = h.debatesIn
	return strings.Join(head, "\n") + "\n" + h.list.View(h.th, lines, top, bottom, h.width, height) + foot
}

// debatesIn returns how many debates have their first line among some of the last drawing.
func (h *Screen) debatesIn(from, to int) int {
	n := 0
	for i := from; i < min(to, len(h.rowAt)); i++ {
		if row := h.rowAt[i]; row >= h.leadRows() && (i == 0 || h.rowAt[i-1] != row) {
			n++
		}
	}
	return n
}

func (h *Screen) filters() string {
	mode, agent := "MODE", "NAME"
	if len(h.all) > 0 {
		mode = h.all[0].Mode
		if seats := h.all[0].Seats; len(seats) > 0 {
			agent = string(seats[0].ID)
		}
	}
	return strings.Join([]string{"mode:" + mode, "status:needs", "since:7d", "agent:" + text.Line(agent)}, "   ")
}

func (h *Screen) searchLine() string {
	th := h.th
	left := " " + h.config.Keys.Of("search") + " searches titles and full text"
	count := fmt.Sprintf("%s, newest first ", text.Count(len(h.all), "debate"))
	typed := h.search.Value() != ""
	if !h.searching && !typed {
		return th.Row([]theme.Part{{Text: left, Style: th.Muted, Cut: 2}},
			[]theme.Part{{Text: count, Style: th.Faint, Cut: 1, Whole: true}},
			h.width)
	}
	matches := 0
	for _, i := range h.shown {
		matches += len(h.found[h.all[i].ID])
	}
	count = text.Count(len(h.shown), "debate") + " "
	if matches > 0 && h.width >= 70 { // else there is no room beside the query
		count = fmt.Sprintf("%s, %s ", text.Count(len(h.shown), "debate"), text.Count(matches, "match"))
	}
	line := th.Accent.Render(" / ") + input.Line(h.search, th)
	return th.Fit(th.Fit(line, h.width-lipgloss.Width(count))+th.Faint.Render(count), h.width)
}

func (h *Screen) lines(now time.Time) (lines []string, top, bottom int) {
	h.rowAt = h.rowAt[:0]
	switch {
	case h.leadRows() > 0:
		lines = append(lines, h.newDebateRow(), "")
		h.rowAt = append(h.rowAt, 0)
	case h.height > 14:
		lines = append(lines, "")
	}
	if text := h.emptyText(); text != "" {
		for _, l := range theme.Wrap(text, h.width-2) {
			lines = append(lines, " "+h.th.Muted.Render(l))
		}
		return lines, 0, 0
	}
	first := make([]int, len(h.shown)) // the first line of each row
	for n, i := range h.shown {
		e := h.all[i]
		at := len(lines)
		for len(h.rowAt) < at {
			h.rowAt = append(h.rowAt, -1)
		}
		first[n] = at
		if n+h.leadRows() == h.list.At {
			lines = append(lines, h.rowLines(e, true, now)...)
		} else {
			lines = append(lines, make([]string, h.rowHeight())...)
			if h.search.Value() != "" { // its matches, and a blank line
				lines = append(lines, make([]string, len(h.found[e.ID])+1)...)
			}
		}
		for len(h.rowAt) < len(lines) {
			h.rowAt = append(h.rowAt, n+h.leadRows())
		}
		if n+h.leadRows() == h.list.At {
			h.selectedLine, top, bottom = at, at, len(lines)-1
			if h.match > 0 {
				bottom = at + h.rowHeight() - 1 + h.match
			}
			if n == 0 {
				top = 0 // show the rows above the first session too
			}
		}
	}
	for n, i := range h.shown {
		if n+h.leadRows() != h.list.At && isNear(first[n], 2*h.height, h.list.Line(0), top, bottom, len(lines)) {
			copy(lines[first[n]:], h.rowLines(h.all[i], false, now))
		}
	}
	return lines, top, bottom
}

func isNear(line, distance int, places ...int) bool {
	return slices.ContainsFunc(places, func(at int) bool { return line > at-distance && line < at+distance })
}

func (h *Screen) emptyText() string {
	switch {
	case !h.loaded && h.unreadable:
		return "The debates cannot be read."
	case !h.loaded:
		return "Loading debates" + h.th.Symbols.Cut
	case len(h.all) == 0 && h.search.Value() == "":
		return "No debates yet. " + cmp.Or(h.start, "Press "+h.config.Keys.Of("new-debate")+" to start one.")
	case len(h.shown) == 0:
		key := "esc"
		if h.searching {
			key = "ctrl+u"
		}
		return strings.TrimSpace(fmt.Sprintf("No match for \"%s\". Press %s to clear the search. %s", h.search.Value(), key,
			h.filterHelp(h.search.Value())))
	}
	return ""
}

// filterHelp returns the possible values of filters that match nothing; it is "" if
// each of them matches something.
func (h *Screen) filterHelp(query string) string {
	q := ParseQuery(query)
	modes, agents := map[string]bool{}, map[string]bool{}
	for _, e := range h.all {
		modes[e.Mode] = true
		for _, p := range e.Seats {
			agents[text.Line(strings.ToLower(string(p.ID)))], agents[text.Line(strings.ToLower(p.Name))] = true, true
		}
	}
	var out []string
	addHelp := func(filter, begins string, of []string) {
		if begins != "" && !slices.ContainsFunc(of, func(w string) bool { return strings.HasPrefix(w, begins) }) {
			out = append(out, fmt.Sprintf("No %s starts with \"%s\". Choose from: %s.", filter, begins, strings.Join(of, ", ")))
		}
	}
	addHelp("status", q.Status, statuses())
	addHelp("mode", q.Mode, slices.Sorted(maps.Keys(modes)))
	addHelp("agent", q.Agent, slices.Sorted(maps.Keys(agents)))
	for w := range strings.FieldsSeq(q.Text) {
		if name, _, ok := strings.Cut(strings.ToLower(w), ":"); ok && name == "since" {
			out = append(out, fmt.Sprintf("Invalid age %s; use m, h, d or w, as in since:7d.", w))
		}
	}
	return strings.Join(out, " ")
}

func (h *Screen) newDebateRow() string {
	th, mark := h.th.ForRow(h.list.At == 0)
	key := h.config.Keys.Of("new-debate") + " "
	return th.Columns(theme.Column{Text: mark, Width: markWidth, Style: th.Accent},
		theme.Column{Text: "+ New debate", Width: h.width - 2 - len(key), Style: th.Accent},
		theme.Column{Text: key, Width: 1 + len(key), Style: th.Faint, Right: true})
}

// rowLines draws a debate: what is debated and what was decided. The selected one also
// shows who sits there and what it cost, and a search shows the matches.
func (h *Screen) rowLines(e entry, selected bool, now time.Time) []string {
	th, match := h.th, 0
	if selected {
		match = h.match
	}
	if selected && match == 0 {
		th = th.Selected()
	}
	lines := h.row(th, e, selected && match == 0, now)
	if matches := h.found[e.ID]; h.search.Value() != "" {
		for i, m := range matches {
			lines = append(lines, m.render(h.th, h.width, match == i+1))
		}
		return append(lines, "")
	}
	if !selected {
		return lines
	}
	facts := fmt.Sprintf("%s · round %d/%d", e.Mode, e.Round, e.Rounds)
	if cost := costOf(e.SessionSummary); cost != "" {
		facts += " · " + cost
	}
	return append(lines, h.th.Row([]theme.Part{
		{Text: strings.Repeat(" ", titleAt) + facts, Style: h.th.Faint, Cut: 3},
		{Text: " · " + e.seats, Style: h.th.Faint, Cut: 2},
		{Text: settled(e.SessionSummary), Style: h.th.Faint, Cut: 5, Whole: true},
		{Text: " · " + e.ID, Style: h.th.Faint},
		{Text: e.origin, Style: h.th.Faint, Cut: 1},
	}, nil, h.width))
}

func settled(s debate.SessionSummary) string {
	if s.Settled == debate.ResultNone {
		return ""
	}
	words := " · outcome " + string(s.Settled)
	if by := s.SettledBy.Note(); by != "" {
		words += " (" + text.Line(by) + ")"
	}
	return words
}

// decided returns what was decided, or else what the debate waits for, as it is written in so
// many columns.
func (h *Screen) decided(e entry, waits string, room int) string {
	if e.brief != "" {
		return e.brief.Within(room)
	}
	return h.truncateQuotation(waits, room)
}

// truncateQuotation cuts a line that ends with a quotation before its closing
// quotation mark.
func (h *Screen) truncateQuotation(text string, room int) string {
	if !strings.HasSuffix(text, `"`) || ansi.StringWidth(text) <= room {
		return text
	}
	return strings.TrimRight(ansi.Truncate(text, room-2, ""), " ") + h.th.Symbols.Cut + `"`
}

func (h *Screen) row(th *theme.Theme, e entry, selected bool, now time.Time) []string {
	mark := " "
	if selected {
		mark = th.Symbols.Focus
	}
	st := h.status(th, e.SessionSummary)
	short, decided, decidedStyle := st.word, st.word, st.style
	switch {
	case e.brief != "":
		short = cmp.Or(e.side, st.word)
		switch debate.Side(e.side) {
		case debate.SideNo:
			decidedStyle = th.Danger
		case debate.Undecided: // a split, no majority, a demo
			decidedStyle = th.Muted
		case debate.SideYes: // as what is done
		}
	case h.detail(e.SessionSummary) != "":
		decided += ": " + h.detail(e.SessionSummary)
	}
	if e.brief == "" && slices.ContainsFunc(e.Seats, func(p agents.Profile) bool { return p.Provider == debate.DemoProvider }) {
		short, decided = "demo", "Demo · "+decided
	}
	width := h.titleWidth(short)
	title := th.Columns(theme.Column{Text: e.name, Width: width - 2, Style: th.Text}, theme.Column{Width: 2, Style: th.Text})
	first := th.Columns(theme.Column{Text: mark, Width: markWidth, Style: th.Accent},
		theme.Column{Text: st.symbol, Width: titleAt - markWidth, Style: st.style}) + title
	age := theme.Column{Text: text.ShortDate(now, e.Updated) + " ", Width: ageWidth, Style: th.Faint, Right: true}
	rest := theme.Column{Text: decided, Width: h.width - titleAt - 1, Style: decidedStyle}
	switch {
	case h.width < titleOnlyBelow:
		rest = theme.Column{Text: short + " ", Width: h.width - titleAt - width, Style: decidedStyle, Right: true}
		return []string{first + th.Columns(rest)}
	case h.rowHeight() == 1:
		rest.Width += 1 - width - ageWidth
		rest.Text = h.decided(e, decided, rest.Width)
		return []string{first + th.Columns(rest, age)}
	}
	rest.Text = h.decided(e, decided, rest.Width)
	lead, end := theme.Column{Width: titleAt, Style: th.Text}, theme.Column{Width: 1, Style: th.Text}
	return []string{first + th.Columns(age), th.Columns(lead, rest, end)}
}

func (h *Screen) status(th *theme.Theme, s debate.SessionSummary) status {
	live := h.config.Live(s.ID)
	if live == NotOpen {
		return statusOf(th, s)
	}
	s.Running = live == Running || live == AsksApproval || live == AsksQuestion
	out := statusOf(th, s)
	switch live {
	case AsksApproval, AsksQuestion:
		out = status{th.Symbols.Waits, "needs you", th.Warning}
	case Queued:
		out = status{th.Symbols.Queued, "waits its turn", th.Muted}
	case Running, Open, NotOpen:
	}
	return out
}

func costOf(s debate.SessionSummary) string {
	if s.Tokens == 0 && s.Cost == nil && s.Round == 0 {
		return ""
	}
	if s.Cost != nil && *s.Cost == 0 && slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return p.Included }) {
		return "incl."
	}
	return text.Price(s.Cost)
}

// Cursor returns the position of the cursor relative to the top left of the last view;
// it is nil if nothing is typed.
func (h *Screen) Cursor() *tea.Cursor {
	if !h.searching {
		return nil
	}
	return screen.Offset(input.Cursor(h.search, h.th), 3, searchRow)
}

type status struct {
	symbol, word string
	style        lipgloss.Style
}

func statusOf(th *theme.Theme, s debate.SessionSummary) status {
	y := th.Symbols
	state := s.State()
	out := status{y.Queued, state.Word(), th.Muted}
	switch state {
	case debate.StateRunning:
		out.symbol, out.style = y.Busy[0], th.Success
	case debate.StateWaiting, debate.StateRoundOpen:
		out.symbol, out.style = y.Waits, th.Warning
	case debate.StateFailed:
		out.symbol, out.style = y.Failed, th.Danger
	case debate.StateInterrupted:
		out.symbol = y.Paused
	case debate.StateEndedByUser, debate.StateOutOfBudget, debate.StateGone:
		out.symbol = y.Blocked
	case debate.StateNoReport:
		out.symbol = y.Warning
	case debate.StateComplete:
		out.symbol, out.style = y.Done, th.Success
	case debate.StateDraft, debate.StateReady:
	}
	return out
}

// detail says what an unfinished debate waits for; "" for one that does not.
func (h *Screen) detail(s debate.SessionSummary) string {
	switch live := h.config.Live(s.ID); {
	case live == Running:
		return "enter returns to it."
	case live == AsksApproval:
		return "a command waits for your approval."
	case live == AsksQuestion:
		return "a question waits for your answer; enter returns to it."
	case live == Queued:
		return "begins when fewer debates run."
	case live != NotOpen:
	case s.Running:
		return report.ProgressOfListed(s).Now() + ", in another Roundtable."
	case s.Holder != (debate.Holder{}):
		return text.Line(fmt.Sprintf("open in another Roundtable%s.", s.Holder.Aside()))
	}
	if now := h.config.Now(); s.WaitUntil.After(now) {
		return debate.WaitText(now, s.WaitUntil) + "."
	}
	switch s.State() {
	case debate.StateWaiting:
		return s.Asking
	case debate.StateComplete, debate.StateNoReport, debate.StateEndedByUser, debate.StateOutOfBudget:
		return ""
	default:
		return report.ProgressOfListed(s).Now() + "."
	}
}
