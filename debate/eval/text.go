package eval

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate/report"
	"roundtable/debate/stats"
	"roundtable/internal/text"
)

// CanShow says what a number of questions can show: how clearly one arm has to win those on
// which the two differ.
func CanShow(n int) string {
	questions := text.Count(n, "question")
	if n < stats.LeastForRate {
		return fmt.Sprintf("With %s, nothing can be shown.", questions)
	}
	if _, ok := stats.Wins(2 * n / 5); !ok {
		return fmt.Sprintf("With %s: if the two differ on fewer than 5, nothing counts; on 5, it takes 5:0 to count (%s).", questions,
			text.Count(points(5, n), "point"))
	}
	var parts []string
	unit := " points"
	for _, differ := range slices.Compact([]int{max(n/10, 1), max(n/5, 1), 2 * n / 5}) {
		won, ok := stats.Wins(differ)
		switch {
		case !ok:
			parts = append(parts, fmt.Sprintf("%d, nothing counts", differ))
		case unit != "":
			parts = append(parts, fmt.Sprintf("%d, it takes %d:%d to count (%d%s)", differ, won, differ-won, points(2*won-differ, n), unit))
			unit = ""
		default:
			parts = append(parts, fmt.Sprintf("%d, %d:%d (%d)", differ, won, differ-won, points(2*won-differ, n)))
		}
	}
	return fmt.Sprintf("With %s: if the two differ on %s.", questions, strings.Join(parts, "; on "))
}

// summary says how panel and baseline compare.
func summary(baseline string, c Comparison) string {
	baseline = text.Line(baseline)
	lost := ""
	if c.Lost > 0 {
		lost = fmt.Sprintf(" A provider failed in %s more.", text.Count(c.Lost, "question"))
	}
	if c.Pairs == 0 {
		return fmt.Sprintf("No question can compare the panel with %s.%s", baseline, lost)
	}
	s := fmt.Sprintf("The panel was right in %d of %d, %s alone in %d; ", c.Right, c.Pairs, baseline, c.Other)
	if c.Better+c.Worse == 0 {
		return s + "they differ on none." + lost
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
	return s + fmt.Sprintf(" (McNemar mid-p %s).", pValue(c.P)) + lost
}

// pValue formats a p-value so that it never seems to be on the other side of stats.Alpha.
func pValue(p float64) string {
	short := strconv.FormatFloat(p, 'f', 3, 64)
	switch {
	case p < 0.001:
		return "<0.001"
	case p < stats.Alpha && short == "0.050":
		return "<0.05"
	case p < 0.1:
		return short
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

// Text returns the report for people.
func (r Report) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", r.Summary)
	line("%s", r.Can)
	if n := len(r.Bad); n > 0 {
		line("%s of the data set cannot be read and %s left out:", text.Count(n, "row"), map[bool]string{true: "is", false: "are"}[n == 1])
	}
	for _, bad := range BadLines(r.Bad) {
		line("  %s", bad)
	}
	baseline := r.Baseline
	for _, g := range r.Groups {
		line("\n%s, facts %s: %s%s", g.Mode, g.Facts, text.Count(g.Played, "question"), openWords(g.Open))
		if g.Played == 0 {
			continue
		}
		g.writeArms(&b, r.Baseline)
		g.writeRest(line)
		if a := g.arm(r.Baseline); a != nil {
			baseline = text.Line(a.Name)
		}
	}
	line("\np: McNemar mid-p against %s. That of the panel%s was named beforehand; all others are adjusted by Holm.", baseline,
		map[bool]string{true: " in the first group"}[len(r.Groups) > 1])
	return b.String()
}

func openWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d not played to the end", n)
}

func (g Group) writeArms(b *strings.Builder, baseline string) {
	rows := [][]string{{"", "right", "95 %", "better:worse", "p", "cost", "tokens", "seconds p50/p90", "notes"}}
	for _, a := range g.Arms {
		right, cost := fmt.Sprintf("%d of %d", a.Right, a.Of), text.Price(a.Dollars)
		row := []string{text.Line(a.Name), right, "", "", "", cost, text.Tokens(a.Tokens), ""}
		if a.Low != nil {
			row[2] = fmt.Sprintf("%.0f-%.0f %%", 100**a.Low, 100**a.High)
		}
		if a.Arm == baseline {
			row[3] = "baseline"
		}
		if c := a.Versus; c != nil && c.Pairs > 0 {
			row[3], row[4] = fmt.Sprintf("%d:%d", c.Better, c.Worse), pValue(c.P)
		}
		if a.Of > 0 {
			row[7] = fmt.Sprintf("%.1f/%.1f", a.P50, a.P90)
		}
		rows = append(rows, append(row, a.notes()))
	}
	for _, line := range text.Columns(rows) {
		b.WriteString("  " + line + "\n")
	}
}

// notes says which answers are missing and why, and what flatters the arm.
func (a Arm) notes() string {
	var out []string
	for _, g := range []Grade{GradeNoMajority, GradeMissing, GradeRefused, GradeUnreadable, GradeLost} {
		if n := a.Grades[g]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, g.Word()))
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
	if g.Same.Of > 0 {
		line("  Where the first votes were unanimous, that vote was right in %d of %d.", g.Same.Right, g.Same.Of)
	}
	if g.Split.Of > 0 {
		line("  Where the first votes were not unanimous, the panel was right in %d of %d.", g.Split.Right, g.Split.Of)
	}
	if s := g.Seats; s.Effective != nil {
		line("  %d seats are worth %.2f independent ones (mean phi of errors %.2f over %d of %d pairs).", len(g.seats()), *s.Effective,
			*s.Rho, s.Pairs, s.Of)
	} else {
		line("  How far the seats err together cannot be said: that needs %d questions and 2 pairs of seats that were each right and\n"+
			"  wrong. There are %d and %d.", leastForCorrelation, s.Questions, s.Pairs)
	}
	line("  Two seats were wrong together %s, %d with the same answer.", text.Count(g.Seats.BothWrong, "time"), g.Seats.SameWrong)
	for _, t := range g.Turns {
		word, by := "became wrong", ""
		if t.Right {
			word = "became right"
		}
		if t.By != "" {
			by = ": " + report.ChangeWord(t.By)
		}
		line("  %s %s in the debate%s.", text.Count(t.Count, "answer"), word, by)
	}
	g.writeComparisons(line)
}

func (g Group) writeComparisons(line func(string, ...any)) {
	if c := g.Consistency; c != nil {
		by, none := "the cost of the debate", ""
		if c.ByTokens {
			by = "the tokens of the debate (by tokens, not money)"
		}
		if c.None > 0 {
			none = fmt.Sprintf("; none to %s", text.Count(c.None, "question"))
		}
		line("  The baseline was asked again for %s: %.1f answers to a question, %d to %d%s.", by, c.Mean, c.Least, c.Most, none)
	}
	if c := g.Against; c != nil && c.Pairs > 0 {
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
					strconv.FormatFloat(o.Seconds, 'f', 3, 64), one.Session,
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
