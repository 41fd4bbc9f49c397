package eval

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/debate/report"
	"roundtable/debate/stats"
	"roundtable/internal/text"
)

// CanShow says what a number of questions can show: how clearly one arm has to win those on
// which the two differ.
func CanShow(n int) string {
	if _, ok := stats.Wins(max(2*n/5, 1)); !ok {
		if n < stats.LeastForRate {
			return fmt.Sprintf("With %s, nothing can be shown.", text.Count(n, "question"))
		}
		return fmt.Sprintf("With %s: only five differences, all for one of the two, would count (%d points).", text.Count(n, "question"),
			points(5, n))
	}
	var parts []string
	for _, differ := range slices.Compact([]int{max(n/10, 1), max(n/5, 1), max(2*n/5, 1)}) {
		won, ok := stats.Wins(differ)
		switch {
		case !ok:
			parts = append(parts, fmt.Sprintf("%d, nothing would count", differ))
		case !strings.Contains(strings.Join(parts, ""), "only"):
			parts = append(parts, fmt.Sprintf("%d, only %d:%d would count (%d points)", differ, won, differ-won, points(2*won-differ, n)))
		default:
			parts = append(parts, fmt.Sprintf("%d, %d:%d (%d)", differ, won, differ-won, points(2*won-differ, n)))
		}
	}
	return fmt.Sprintf("With %s: if the two differ on %s.", text.Count(n, "question"), strings.Join(parts, "; on "))
}

func summary(baseline string, c Comparison) string {
	s := fmt.Sprintf("The panel was right in %d of %d, %s alone in %d; ", c.Right, c.Pairs, text.Line(baseline), c.Other)
	if c.Better+c.Worse == 0 {
		return s + "they differ on none."
	}
	s += fmt.Sprintf("they differ on %s, %d to %d: ", text.Count(c.Better+c.Worse, "question"), max(c.Better, c.Worse),
		min(c.Better, c.Worse))
	switch {
	case c.P >= stats.Alpha:
		s += "no difference can be shown"
	case c.Better > c.Worse:
		s += "the panel is better"
	default:
		s += "the panel is worse"
	}
	return s + fmt.Sprintf(" (McNemar mid-p %s).", pValue(c.P))
}

func pValue(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return strconv.FormatFloat(p, 'f', 2+map[bool]int{true: 1}[p < 0.1], 64)
}

// Text returns the report for people.
func (r Report) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", r.Summary)
	line("%s", r.Can)
	for _, bad := range r.Bad {
		line("%s", bad)
	}
	for _, g := range r.Groups {
		line("\n%s, facts %s: %s%s", g.Mode, g.Facts, text.Count(g.Played, "question"), openWords(g.Open))
		g.writeArms(&b, r.Baseline)
		g.writeRest(line)
	}
	line("\np: McNemar mid-p against %s, adjusted by Holm for all comparisons but the first one, which was named beforehand.", r.Baseline)
	return b.String()
}

func openWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d not played to the end", n)
}

func (g Group) writeArms(b *strings.Builder, baseline string) {
	rows := [][]string{{"", "right", "95 %", "better:worse", "p", "cost", "tokens", "seconds p50/p90", "not answered"}}
	for _, a := range g.Arms {
		row := []string{text.Line(a.Name), fmt.Sprintf("%d of %d", a.Right, a.Of), "", "", "", text.Price(a.Dollars), text.Tokens(a.Tokens)}
		if a.Low != nil {
			row[2] = fmt.Sprintf("%.0f-%.0f %%", 100**a.Low, 100**a.High)
		}
		if a.Arm == baseline {
			row[3] = "baseline"
		}
		if c := a.Versus; c != nil {
			row[3], row[4] = fmt.Sprintf("%d:%d", c.Better, c.Worse), pValue(c.P)
		}
		row = append(row, fmt.Sprintf("%.1f/%.1f", a.P50, a.P90), a.notes())
		rows = append(rows, row)
	}
	for _, line := range text.Columns(rows) {
		b.WriteString("  " + line + "\n")
	}
}

// notes says which answers are missing and why, and what flatters the arm.
func (a Arm) notes() string {
	var out []string
	for _, g := range []struct {
		grade Grade
		word  string
	}{
		{GradeNoMajority, "no majority"},
		{GradeMissing, "missing"},
		{GradeRefused, "refused"},
		{GradeUnreadable, "unreadable"},
		{GradeLost, "lost by the provider"},
	} {
		if n := a.Grades[g.grade]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, g.word))
		}
	}
	if a.Flatter {
		out = append(out, "best seat, chosen afterwards: flattered")
	}
	return strings.Join(out, ", ")
}

func (g Group) writeRest(line func(string, ...any)) {
	for _, a := range g.Arms {
		if c := a.Sure; c != nil && c.Brier != nil {
			line("  %s: Brier %.3f over %s, %d not stated; %d of %d above 0.9 were wrong", text.Line(a.Name), *c.Brier,
				text.Count(c.Stated, "stated confidence"), c.Unstated, c.Wrong, c.Sure)
		}
	}
	line("  First votes unanimous: right in %d of %d. Split: the panel right in %d of %d.", g.Same.Right, g.Same.Of,
		g.Split.Right, g.Split.Of)
	if s := g.Seats; s.Effective != nil {
		line("  %d seats are worth %.2f independent ones (mean phi of errors %.2f over %d of %d pairs).", len(g.seats()), *s.Effective,
			*s.Rho, s.Pairs, s.Of)
	} else {
		line("  How far the seats err together cannot be said: %d of %d pairs, %s; it needs 2 and %d.", s.Pairs, s.Of,
			text.Count(g.Played, "question"), leastForCorrelation)
	}
	line("  Two seats were wrong together %s, %d with the same answer.", text.Count(g.Seats.BothWrong, "time"), g.Seats.SameWrong)
	for _, t := range g.Turns {
		word := "became wrong"
		if t.Right {
			word = "became right"
		}
		line("  %s %s in the debate: %s.", text.Count(t.Count, "answer"), word, report.ChangeWord(t.By))
	}
	if c := g.Consistency; c != nil {
		by := "the cost of the debate"
		if c.ByTokens {
			by = "the tokens of the debate (by tokens, not money)"
		}
		line("  The baseline was asked again for %s: %.1f answers to a question, %d to %d; %s allowed none.", by, c.Mean, c.Least, c.Most,
			text.Count(c.None, "question"))
	}
	if c := g.Against; c != nil {
		line("  Its panel against that of the first group: right in %d and %d of %d, %d to %d, p %s.", c.Right, c.Other, c.Pairs, c.Better,
			c.Worse, pValue(c.P))
	}
}

// seats returns the arms that are seats.
func (g Group) seats() []Arm {
	return slices.DeleteFunc(slices.Clone(g.Arms), func(a Arm) bool { return a.Sure == nil })
}

// WriteCSV writes a row for each question and arm.
func (r Report) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"mode", "facts", "line", "question", "arm", "grade", "answer", "confidence", "dollars", "tokens", "seconds",
		"debate",
	}}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	for _, g := range r.Groups {
		for _, one := range g.Results {
			for _, o := range one.Outcomes {
				rows = append(rows, []string{
					g.Mode, g.Facts, strconv.Itoa(one.Item.Line), cell(one.Item.Question), o.Arm, string(o.Grade), cell(o.Answer),
					number(o.Confidence), number(o.Dollars), strconv.Itoa(o.Tokens),
					strconv.FormatFloat(time.Duration(o.Seconds*float64(time.Second)).Seconds(), 'f', 3, 64), one.Session,
				})
			}
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// cell returns foreign text for a table: in one line, and not as a formula of a spreadsheet.
func cell(s string) string {
	s = text.Line(s)
	if s != "" && strings.ContainsAny(s[:1], "=+-@") {
		return "'" + s
	}
	return s
}
