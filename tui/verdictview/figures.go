package verdictview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// panels are the boxes of figures beside the report.
func (sc *Screen) panels() []panel {
	c := sc.verdict
	if c == nil {
		return nil
	}
	_, right := sc.split()
	width := right - 4
	title := c.Baseline.Title
	if sc.round != 0 {
		title = fmt.Sprintf("Votes in round %d", sc.round)
	}
	ps := []panel{{"Votes", title, "counted, no model", sc.votes(c, width)}}
	ps = append(ps, sc.results(width)...)
	return append(ps,
		panel{"Consensus", "Consensus by round", sc.threshold(), sc.consensus(width)},
		panel{"Changes", "Change ledger", "side, confidence in %", sc.ledger(c.Changes, width)},
		panel{"Spent", "Spent", screen.Budget(sc.session), sc.spent(c.Spending, width)},
	)
}

// figures draws all panels in a column of exactly h rows. If they do not fit, it
// drops their blank lines first, and then shows those around the panel in focus.
func (sc *Screen) figures(w, h int) []string {
	ps := sc.panels()
	if total(ps) > h {
		for i := range ps {
			ps[i].lines = slices.DeleteFunc(ps[i].lines, func(l string) bool { return l == "" })
		}
	}
	var rows []string
	top, bottom := 0, 0
	for i, p := range ps {
		n := len(p.lines) + 2
		if i == len(ps)-1 {
			n = max(n, h-len(rows))
		}
		if i+1 == sc.focus {
			top, bottom = len(rows), len(rows)+n-1
		}
		rows = append(rows, sc.panel(p, w, n, i+1 == sc.focus, 0)...)
	}
	for len(rows) < h {
		rows = append(rows, strings.Repeat(" ", w))
	}
	if bottom >= sc.from+h {
		sc.from = bottom - h + 1
	}
	sc.from = max(0, min(min(sc.from, top), len(rows)-h))
	return sc.visibleRows(rows, w, h)
}

func total(ps []panel) int {
	n := 0
	for _, p := range ps {
		n += len(p.lines) + 2
	}
	return n
}

// visibleRows returns the rows in sight; the first and the last of them count
// what is out of sight.
func (sc *Screen) visibleRows(rows []string, w, h int) []string {
	shown := slices.Clone(rows[sc.from : sc.from+h])
	mark := func(n int, where string) string {
		return sc.th.Fit(sc.th.Muted.Render(fmt.Sprintf("  %d rows %s %s tab: go there", n, where, sc.th.Symbols.Sep)), w)
	}
	if sc.from > 0 {
		shown[0] = mark(sc.from+1, "above")
	}
	if below := len(rows) - sc.from - h; below > 0 {
		shown[h-1] = mark(below+1, "below")
	}
	return shown
}

// panel draws one box, of which some lines may be hidden below.
func (sc *Screen) panel(p panel, w, h int, focused bool, below int) []string {
	b := theme.Box{
		Width: w, Height: h, Focused: focused, Accent: sc.th.Accent, Lines: p.lines,
		Title: []theme.Part{{Text: p.title, Style: sc.th.Text}},
	}
	if below > 0 {
		b.Hint = []theme.Part{{Text: fmt.Sprintf("%d below", below), Style: sc.th.Muted}}
	}
	if p.state != "" {
		b.State = []theme.Part{{Text: p.state, Style: sc.th.Faint, Cut: 1}}
	}
	return sc.th.Box(b)
}

// prose wraps a sentence in the panel's muted style.
func (ct *content) prose(content string, width int) []string {
	var lines []string
	for _, l := range theme.Wrap(text.Line(content), max(width, 8)) {
		lines = append(lines, ct.th.Muted.Render(l))
	}
	return lines
}

// votes shows the count of the round that the user has chosen, or else the first votes
// and the last, what the debate changed, and which labels
// count as the same.
func (ct *content) votes(c *report.Conclusion, width int) []string {
	for _, r := range ct.sides {
		if r.Round == ct.round && r.Votes != "" {
			return append(ct.tally("Votes", r.Votes, r.Tally, width), "")
		}
	}
	if ct.round != 0 {
		return append(ct.prose("No votes on sides.", width), "")
	}
	b := c.Baseline
	var lines []string
	last := "Votes"
	if b.Votes != "" {
		lines, last = ct.tally("First votes", b.Votes, b.Before, width), "Last votes"
	}
	if b.Final != "" {
		lines = append(lines, ct.tally(last, b.Final, b.After, width)...)
	}
	if lines != nil {
		lines = append(lines, "")
	}
	if b.Line != "" {
		for _, l := range theme.Wrap(text.Line(b.Line), max(width, 8)) {
			lines = append(lines, ct.th.Text.Bold(true).Render(l))
		}
	}
	for _, line := range append([]string{b.Cost}, c.Labels...) {
		if line != "" {
			lines = append(lines, ct.prose(line, width)...)
		}
	}
	return append(lines, "")
}

// tally draws a count of votes, plain and weighted by confidence, with what it came to.
func (ct *content) tally(name, counts string, t debate.Tally, width int) []string {
	if t.Median != nil || len(t.Sides) == 0 {
		return ct.voteRows(name, []string{text.Line(counts)}, "", width)
	}
	sum := 0.0
	for _, w := range t.Weights {
		sum += w
	}
	var votes, weights []string
	for _, side := range t.Sides {
		votes = append(votes, fmt.Sprintf("%s %d", text.Line(string(side)), t.Votes[side]))
		if sum > 0 && len(t.Sides) > 1 {
			weights = append(weights, text.Line(string(side))+" "+text.Percent(t.Weights[side]/sum))
		}
	}
	if t.Undecided > 0 {
		votes = append(votes, fmt.Sprintf("undecided %d", t.Undecided))
	}
	if t.Unread > 0 {
		votes = append(votes, fmt.Sprintf("unreadable %d", t.Unread))
	}
	lines := ct.voteRows(name, votes, cmp.Or(string(t.Majority), "split"), width)
	if weights == nil {
		return lines
	}
	return append(lines, ct.voteRows("  by confidence", weights, cmp.Or(string(t.Weighted), "split"), width)...)
}

// voteNameWidth is the width of the names of counts.
const voteNameWidth = 17

// voteRows draws what each side has and which side wins, on several rows if one
// has no room for all sides.
func (ct *content) voteRows(name string, sides []string, wins string, width int) []string {
	th := ct.th
	var right []theme.Part
	room := width - voteNameWidth
	if wins != "" {
		right = []theme.Part{{Text: " " + th.Symbols.Right + " " + text.Line(wins), Style: th.Text}}
		room -= ansi.StringWidth(right[0].Text)
	}
	var rows []string
	for _, side := range sides {
		n := len(rows) - 1
		if next := ""; n >= 0 {
			next = rows[n] + " " + th.Symbols.Sep + " " + side
			if ansi.StringWidth(next) <= room {
				rows[n] = next
				continue
			}
		}
		rows = append(rows, side)
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		left := []theme.Part{{Text: fmt.Sprintf("%-*s", voteNameWidth, name), Style: th.Muted}, {Text: row, Style: th.Text, Cut: 1}}
		name = ""
		if i < len(rows)-1 {
			lines[i] = th.Row(left, nil, width)
		} else {
			lines[i] = th.Row(left, right, width)
		}
	}
	return lines
}

// spent lists the calls, tokens and cost by purpose.
func (ct *content) spent(all []debate.Spending, width int) []string {
	th := ct.th
	var lines []string
	footnote := false
	for _, s := range all {
		style := th.Muted
		if s.Purpose == "" {
			style = th.Text
		}
		used := text.Number(s.Usage.Total()) + " tok" // in full, so that they add up to the total
		if s.Usage.Estimated {
			used = "~" + used
		}
		line := fmt.Sprintf("%-11s %3d %-5s %13s   ", report.PurposeName(s.Purpose), s.Calls, text.Plural(s.Calls, "call"), used)
		price := text.Price(s.Cost)
		words := agents.CostText(price, s.Cost, ct.session.SpeakersFor(s.Purpose)...)
		if words != price && theme.Width(line+words) > width && *s.Cost > 0 {
			words, footnote = price+" +", true
		}
		lines = append(lines, th.Fit(style.Render(line+words), width))
	}
	if footnote {
		lines = append(lines, th.Fit(th.Faint.Render("+ and what is included in a subscription"), width))
	}
	return lines
}
