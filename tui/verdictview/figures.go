package verdictview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

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
	ps := []panel{{"Baseline", "Without the debate", "computed, no model", sc.baseline(c.Baseline, width)}}
	ps = append(ps, sc.results(width)...)
	return append(ps,
		panel{"Consensus", "Consensus by round", sc.threshold(), sc.consensus(width)},
		panel{"Changes", "Change ledger", "stance, confidence", sc.ledger(c.Changes, width)},
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
	for l := range strings.SplitSeq(ansi.Wrap(text.Line(content), max(width, 8), ""), "\n") {
		lines = append(lines, ct.th.Muted.Render(l))
	}
	return lines
}

// baseline compares the vote before the debate with the vote after it.
func (ct *content) baseline(b report.Baseline, width int) []string {
	if b.Before.None {
		return append(ct.prose(b.Line, width), "")
	}
	votes := tally(b.Before.Sides, b.Before.Votes, func(n int) string { return fmt.Sprint(n) })
	weights := tally(b.Before.Sides, b.Before.Weights, func(w float64) string { return fmt.Sprintf("%.2f", w) })
	lines := ct.voteRows("Round 1 vote", votes, b.Before.Majority, width)
	lines = append(lines, ct.voteRows("Weighted", weights, b.Before.Weighted, width)...)
	lines = append(lines, "")
	lines = append(lines, ct.prose(b.Line, width)...)
	if e := b.Extra; e.Calls > 0 {
		took := []string{text.Count(e.Calls, "call"), text.UsedTokens(e.Usage.Total(), e.Usage.Estimated)}
		if e.Cost == nil || *e.Cost > 0 {
			took = append(took, text.Price(e.Cost))
		}
		lines = append(lines, ct.prose("The debate took "+text.List(took)+" more than round 1 alone.", width)...)
	}
	return append(lines, "")
}

// voteRows draws what each side has and which side wins, on several rows if one
// has no room for all sides.
func (ct *content) voteRows(name string, sides []string, to debate.Side, width int) []string {
	th := ct.th
	answer := cmp.Or(text.Line(string(to)), "split")
	right := []theme.Part{{Text: th.Symbols.Right + " " + answer + " ", Style: th.Text}}
	row := func(sides string, right []theme.Part) string {
		left := []theme.Part{{Text: fmt.Sprintf("%-20s", name), Style: th.Muted}, {Text: sides, Style: th.Text, Cut: 1}}
		name = ""
		return th.Row(left, right, width)
	}
	var lines []string
	here := ""
	for _, side := range sides {
		next := side
		if here != "" {
			next = here + " " + th.Symbols.Sep + " " + side
		}
		if here != "" && 20+ansi.StringWidth(next)+1+ansi.StringWidth(right[0].Text) > width {
			lines = append(lines, row(here, nil))
			next = side
		}
		here = next
	}
	return append(lines, row(here, right))
}

// tally writes what each side has, in the order of the sides.
func tally[N int | float64](order []debate.Side, sides map[debate.Side]N, write func(N) string) []string {
	var parts []string
	for _, s := range order {
		if n, ok := sides[s]; ok {
			parts = append(parts, string(s)+" "+write(n))
		}
	}
	return parts
}

// spent lists the calls, tokens and cost by purpose.
func (ct *content) spent(all []debate.Spending, width int) []string {
	th := ct.th
	var lines []string
	for _, s := range all {
		name := map[debate.Purpose]string{
			debate.ForMember: "members", debate.ForChair: "chair", debate.ForLight: "light",
			"": "total",
		}[s.Purpose]
		style := th.Muted
		if s.Purpose == "" {
			style = th.Text
		}
		lines = append(lines, th.Fit(style.Render(fmt.Sprintf("%-8s %4d %-5s %11s   %s", name, s.Calls, text.Plural(s.Calls, "call"),
			text.UsedTokens(s.Usage.Total(), s.Usage.Estimated), text.Price(s.Cost))), width))
	}
	return lines
}
