package picker

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/input"
	"roundtable/tui/theme"
)


// Rows of the list's head: a blank one, the search, a rule.
const (
	searchRow = 1
	headRows  = 3
)

// Columns of a row: the cursor, symbol and word of its state, and the title at 15.
const (
	markWidth  = 1
	stateWidth = 14
	titleAt    = markWidth + stateWidth
)

// columns are the widths of what stands behind the title; 0 is left out.
type columns struct{ mode, round, age, cost int }

func (h *Home) columns() columns {
	switch {
	case h.width >= 100:
		return columns{mode: 19, round: 5, age: 9, cost: 9}
	case h.width >= 72:
		return columns{mode: 14, round: 3, age: 7, cost: 7}
	default:
		return columns{age: 7}
	}
}

func (h *Home) titleWidth() int {
	c := h.columns()
	return h.width - titleAt - 2 - c.mode - c.round - c.age - c.cost
}

// View draws the list as it is at the time given.
func (h *Home) View(now time.Time) string {
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
	lines, top, bottom := h.lines(now)
	if bottom-top+1 >= height && len(lines) > height { // the session counts, not what is above it
		top = min(h.line, bottom)
	}
	for i, l := range head {
		head[i] = h.th.Fit(l, h.width)
	}
	return strings.Join(head, "\n") + "\n" + page(h.th, lines, &h.window, top, bottom, h.width, height) + foot
}

// filters shows how a search is narrowed, with names that there are.
func (h *Home) filters() string {
	mode, agent := "MODE", "NAME"
	if len(h.all) > 0 {
		mode = h.all[0].Mode
		if seats := h.all[0].Seats; len(seats) > 0 {
			agent = string(seats[0].ID)
		}
	}
	return strings.Join([]string{"mode:" + mode, "status:needs", "since:7d", "agent:" + safetext.Line(agent)}, "   ")
}

// searchLine is the search and what it found.
func (h *Home) searchLine() string {
	th := h.th
	left, count := " / searches titles and full text", fmt.Sprintf("%s, newest first ", plural(len(h.all), "session"))
	if !h.searching && h.search.Value() == "" {
		return th.Row([]theme.Part{{Text: left, Style: th.Muted, Cut: 2}}, []theme.Part{{Text: count, Style: th.Faint, Cut: 1, Whole: true}}, h.width)
	}
	matches := 0
	for _, i := range h.shown {
		matches += len(h.found[h.all[i].ID])
	}
	count = fmt.Sprintf("%s, %s ", plural(len(h.shown), "session"), plural(matches, "match"))
	switch {
	case h.width < 70: // the query needs the room
		count = plural(len(h.shown), "session") + " "
	case h.found != nil:
		count = fmt.Sprintf("%s· %d ms ", count, h.took.Milliseconds())
	}
	line := th.Accent.Render(" / ") + input.Line(h.search, th)
	return th.Fit(th.Fit(line, h.width-lipgloss.Width(count))+th.Faint.Render(count), h.width)
}

func plural(n int, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "ch"):
		return fmt.Sprintf("%d %ses", n, word)
	default:
		return fmt.Sprintf("%d %ss", n, word)
	}
}

// lines draws the whole list and tells which lines the cursor's row takes.
func (h *Home) lines(now time.Time) (lines []string, top, bottom int) {
	h.rowAt = h.rowAt[:0]
	switch {
	case h.lead() > 0:
		lines = append(lines, h.newLine(), "")
		h.rowAt = append(h.rowAt, 0)
	case h.height > 14:
		lines = append(lines, "")
	}
	if text := h.empty(); text != "" {
		for _, l := range wrap(text, h.width-2) {
			lines = append(lines, " "+h.th.Muted.Render(l))
		}
		return lines, 0, 0
	}
	group := ""
	for n, i := range h.shown {
		e := h.all[i]
		if g := groupOf(now, e.Updated); g != group && h.search.Value() == "" {
			if group != "" {
				lines = append(lines, "")
			}
			lines = append(lines, " "+h.th.Muted.Render(g))
			group = g
		}
		at := len(lines)
		for len(h.rowAt) < at {
			h.rowAt = append(h.rowAt, -1)
		}
		lines = append(lines, h.rowLines(e, n+h.lead() == h.cursor, now)...)
		for len(h.rowAt) < len(lines) {
			h.rowAt = append(h.rowAt, n+h.lead())
		}
		if n+h.lead() == h.cursor {
			h.line, top, bottom = at, at, len(lines)-1
			if n == 0 {
				top = 0 // the rows above the first session come along
			}
		}
	}
	return lines, top, bottom
}

// empty says why there is nothing to see.
func (h *Home) empty() string {
	switch {
	case !h.loaded:
		return "Reading the sessions" + h.th.Symbols.Cut
	case len(h.all) == 0 && h.search.Value() == "":
		return "No debates yet. n starts one."
	case len(h.shown) == 0:
		key := "esc"
		if h.searching {
			key = "ctrl+u"
		}
		return strings.TrimSpace(fmt.Sprintf("Nothing matches %q. %s clears the search. %s", h.search.Value(), key, h.advice(h.search.Value())))
	}
	return ""
}

func (h *Home) newLine() string {
	th, mark := h.th, " "
	if h.cursor == 0 {
		th, mark = th.Selected(), th.Symbols.Focus
	}
	return cells(th, cell{text: mark, width: markWidth, style: th.Accent}, cell{text: "+ New debate", width: h.width - 4, style: th.Accent},
		cell{text: "n ", width: 3, style: th.Faint, right: true})
}

func groupOf(now, then time.Time) string {
	then = then.In(now.Location())
	switch {
	case sameDay(now, then):
		return "Today"
	case thisWeek(now, then):
		return "This week"
	default:
		return "Older"
	}
}

// rowLines draws a session: one row, and under the cursor what is to be done with it.
func (h *Home) rowLines(e entry, selected bool, now time.Time) []string {
	th := h.th
	if selected {
		th = th.Selected()
	}
	lines := []string{h.row(th, e, selected, now)}
	if matches := h.found[e.ID]; h.search.Value() != "" {
		for _, m := range matches {
			lines = append(lines, m.draw(h.th, h.width))
		}
		return append(lines, "")
	}
	if !selected {
		return lines
	}
	text := h.th.Text
	if e.Status == debate.NeedsContext && !(e.ID == h.here && h.plays) {
		text = h.th.Warning
	}
	return append(lines, h.th.Fit("    "+text.Render(h.quoted(h.detail(e.SessionSummary))), h.width), h.th.Row([]theme.Part{{Text: "    " + e.seats, Style: h.th.Faint, Cut: 1}, {Text: " · " + e.ID, Style: h.th.Faint}}, nil, h.width))
}

// quoted cuts a line that ends with a quotation before the mark of its end.
func (h *Home) quoted(text string) string {
	room := h.width - 4
	if !strings.HasSuffix(text, `"`) || ansi.StringWidth(text) <= room {
		return text
	}
	return strings.TrimRight(ansi.Truncate(text, room-2, ""), " ") + h.th.Symbols.Cut + `"`
}

func (h *Home) row(th *theme.Theme, e entry, selected bool, now time.Time) string {
	mark := " "
	if selected {
		mark = th.Symbols.Focus
	}
	st, c := h.standing(th, e.SessionSummary), h.columns()
	style := map[kind]lipgloss.Style{calm: th.Muted, good: th.Success, wants: th.Warning}[st.kind]
	state := cells(th, cell{text: mark, width: markWidth, style: th.Accent}, cell{text: st.symbol + " " + st.word, width: stateWidth, style: style})
	title := cells(th, cell{text: e.name, width: h.titleWidth(), style: th.Text})
	if selected && h.renaming == e.ID {
		title = th.Fit(input.Line(h.name, th), h.titleWidth())
	}
	round := fmt.Sprintf("%d/%d", e.Round, e.Rounds)
	return state + title + cells(th, cell{width: 2, style: th.Text}, cell{text: fit(th, e.Mode, c.mode-1), width: c.mode, style: th.Muted},
		cell{text: round, width: c.round, style: th.Muted}, cell{text: Age(now, e.Updated), width: c.age, style: th.Faint, right: true},
		cell{text: costOf(e.SessionSummary), width: c.cost, style: th.Faint, right: true})
}

func costOf(s debate.SessionSummary) string {
	if s.Tokens == 0 && s.Cost == nil && s.Round == 0 {
		return ""
	}
	return Money(s.Cost)
}

// Cursor returns where text is typed, relative to the top left of the last view.
func (h *Home) Cursor() *tea.Cursor {
	switch {
	case h.renaming != "":
		c := input.Cursor(h.name, h.th)
		if c != nil {
			c.X += titleAt
			c.Y = headRows + h.window.row(h.line)
		}
		return c
	case h.searching:
		c := input.Cursor(h.search, h.th)
		if c != nil {
			c.X += 3
			c.Y = searchRow
		}
		return c
	}
	return nil
}
