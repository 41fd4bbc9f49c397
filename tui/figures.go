package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/tui/picker"
	"roundtable/tui/theme"
)

// panels are the figures beside the report.
func (r *verdictReport) panels() []panel {
	v := r.session.Verdict
	if v == nil {
		return nil
	}
	_, right := r.split()
	width := right - 4
	ps := []panel{{"Without it", "Without the debate", "computed, no model", r.baseline(v, width)}}
	ps = append(ps, r.results(v, width)...)
	return append(ps,
		panel{"Consensus", "Consensus by round", r.threshold(), r.consensus(width)},
		panel{"Changes", "Change ledger", "stance, confidence", r.ledger(v, width)},
		panel{"Spent", "Spent", budgetOf(r.session), r.spent(v, width)},
	)
}

// figures draws all panels in a column of exactly h rows. Where they do not all
// fit they give up their blank lines, and then those around the panel in focus
// are shown.
func (r *verdictReport) figures(w, h int) []string {
	ps := r.panels()
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
		if i+1 == r.focus {
			top, bottom = len(rows), len(rows)+n-1
		}
		rows = append(rows, r.panel(p, w, n, i+1 == r.focus, 0)...)
	}
	for len(rows) < h {
		rows = append(rows, strings.Repeat(" ", w))
	}
	if bottom >= r.from+h {
		r.from = bottom - h + 1
	}
	r.from = max(0, min(min(r.from, top), len(rows)-h))
	return r.hiding(rows, w, h)
}

func total(ps []panel) int {
	n := 0
	for _, p := range ps {
		n += len(p.lines) + 2
	}
	return n
}

// hiding returns the rows that are shown; the first and the last of them say
// what is not.
func (r *verdictReport) hiding(rows []string, w, h int) []string {
	shown := slices.Clone(rows[r.from : r.from+h])
	mark := func(n int, where string) string {
		return r.th.Fit(r.th.Muted.Render(fmt.Sprintf("  %d rows %s %s tab goes there", n, where, r.th.Symbols.Sep)), w)
	}
	if r.from > 0 {
		shown[0] = mark(r.from+1, "above")
	}
	if below := len(rows) - r.from - h; below > 0 {
		shown[h-1] = mark(below+1, "below")
	}
	return shown
}

// panel draws one box, of which some lines may be hidden below.
func (r *verdictReport) panel(p panel, w, h int, focused bool, below int) []string {
	b := theme.Box{Width: w, Height: h, Focused: focused, Accent: r.th.Accent, Lines: p.lines, Title: []theme.Part{{Text: p.title, Style: r.th.Text}}}
	if below > 0 {
		b.Hint = []theme.Part{{Text: fmt.Sprintf("%d below", below), Style: r.th.Muted}}
	}
	if p.state != "" {
		b.State = []theme.Part{{Text: p.state, Style: r.th.Faint, Cut: 1}}
	}
	return r.th.Box(b)
}

// prose wraps a sentence in the panel's muted style.
func (r *verdictReport) prose(text string, width int) []string {
	var lines []string
	for l := range strings.SplitSeq(ansi.Wrap(safetext.Line(text), max(width, 8), ""), "\n") {
		lines = append(lines, r.th.Muted.Render(l))
	}
	return lines
}

// baseline compares the vote before the debate with that after it.
func (r *verdictReport) baseline(v *debate.Verdict, width int) []string {
	if v.Baseline.None {
		return append(r.prose(report.BaselineLine(*v), width), "")
	}
	lines := append(r.poll("Round 1 vote", tally(v.Baseline.Votes, func(n int) string { return fmt.Sprint(n) }), v.Baseline.Majority, width),
		r.poll("Weighted", tally(v.Baseline.Weights, func(w float64) string { return fmt.Sprintf("%.2f", w) }), v.Baseline.Weighted, width)...)
	lines = append(lines, "")
	lines = append(lines, r.prose(report.BaselineLine(*v), width)...)
	if v.ExtraSpending.Calls > 0 {
		price := " and " + tokens(v.ExtraSpending.Usage)
		if c := v.ExtraSpending.Cost; c == nil || *c > 0 {
			price = ", " + tokens(v.ExtraSpending.Usage) + " and " + dollars(c)
		}
		lines = append(lines, r.prose(fmt.Sprintf("It took %s%s more than round 1 alone.", count(v.ExtraSpending.Calls, "call", "calls"), price), width)...)
	}
	return append(lines, "")
}

// poll is a row of what each side has and what that comes to, or several where one
// has no room for all sides.
func (r *verdictReport) poll(name string, sides []string, to debate.Stance, width int) []string {
	th := r.th
	answer := cmp.Or(safetext.Line(string(to)), "split")
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

// tally writes what each side has, the most first.
func tally[N int | float64](sides map[debate.Stance]N, write func(N) string) []string {
	order := []debate.Stance{debate.Yes, debate.No, debate.Neutral}
	slices.SortStableFunc(order, func(a, b debate.Stance) int {
		switch {
		case sides[a] > sides[b]:
			return -1
		case sides[a] < sides[b]:
			return 1
		}
		return 0
	})
	var parts []string
	for _, s := range order {
		if n, ok := sides[s]; ok {
			parts = append(parts, string(s)+" "+write(n))
		}
	}
	return parts
}

// spent lists what the calls took.
func (r *verdictReport) spent(v *debate.Verdict, width int) []string {
	th := r.th
	var lines []string
	for _, s := range v.Spending {
		name := map[debate.Purpose]string{debate.ForMember: "members", debate.ForChair: "chair", debate.ForLight: "light", "": "total"}[s.Purpose]
		style := th.Muted
		if s.Purpose == "" {
			style = th.Text
		}
		lines = append(lines, th.Fit(style.Render(fmt.Sprintf("%-8s %4d %-5s %11s   %s", name, s.Calls, plural(s.Calls, "call"), tokens(s.Usage), dollars(s.Cost))), width))
	}
	return lines
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func budgetOf(s debate.Session) string {
	if s.Budget.USD > 0 {
		return "of " + picker.Money(&s.Budget.USD)
	}
	return ""
}

// percent writes a share.
func percent(f float64) string { return fmt.Sprintf("%.0f%%", 100*f) }

// tokens counts what went in and out.
func tokens(u agents.Usage) string {
	n, mark := u.Input+u.Output, ""
	if u.Estimated {
		mark = "~"
	}
	switch {
	case n < 1000:
		return fmt.Sprintf("%s%d tok", mark, n)
	case n < 99_950:
		return fmt.Sprintf("%s%.1fk tok", mark, float64(n)/1000)
	default:
		return fmt.Sprintf("%s%.0fk tok", mark, float64(n)/1000)
	}
}

// dollars writes a cost; what is unknown is "?".
func dollars(usd *float64) string { return picker.Money(usd) }
