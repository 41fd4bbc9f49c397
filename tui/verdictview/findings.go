package verdictview

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// reviews reports whether the verdict is that of a review.
func (sc *Screen) reviews() bool { return sc.verdict != nil && sc.verdict.Review != nil }

// findingColumns are the columns of the findings.
func findingColumns(th *theme.Theme) []reader.Column {
	return []reader.Column{
		{Title: "severity", Width: 9},
		{Title: "state", Width: 24, From: 120},
		{Title: "where", Width: 26, From: 60, Left: true},
		{Title: "title"},
		{Title: "found by", Width: 11, From: 60},
		{Title: th.Symbols.Done, Width: 3, Right: true},
		{Title: th.Symbols.Failed, Width: 3, Right: true},
		{Title: "?", Width: 3, Right: true},
	}
}

// findings returns a row for each finding, and one for all that were refuted.
func (sc *Screen) findings() []reader.Row {
	r := sc.verdict.Review
	rows := text.Each(r.Findings, sc.findingRow)
	if len(r.Refuted) == 0 {
		return rows
	}
	all := func() string {
		return strings.Join(text.Each(r.Refuted, report.ReviewFinding.Text), "\n\n")
	}
	return append(rows, reader.Row{
		ID: "refuted", Title: []theme.Part{{Text: r.RefutedTitle(), Style: sc.th.Text}}, Words: all,
		Cells: func(th *theme.Theme, _ screen.Frame) []reader.Cell {
			return []reader.Cell{{Text: "refuted", Style: th.Muted}, {}, {}, {Text: r.RefutedTitle(), Style: th.Muted}, {}, {}, {}, {}}
		},
		Lines: func(_ *theme.Theme, width int) []reader.Line {
			var lines []string
			for _, f := range r.Refuted {
				lines = append(append(lines, sc.finding(f, width)...), "")
			}
			return drawn(lines)
		},
		Copy: func() screen.Copy { return screen.Copy{Text: text.Sanitize(all()), What: "the refuted findings"} },
	})
}

func (sc *Screen) findingRow(f report.ReviewFinding) reader.Row {
	then := screen.Tell(screen.Info, "The lines of this finding are not in the evidence.")
	for _, p := range f.Places {
		if !p.Absent && p.Cited.ID != "" {
			then = screen.Outcome{screen.OpenCitation{Citation: p.Cited}}
			break
		}
	}
	return reader.Row{
		ID: f.ID, Title: []theme.Part{{Text: f.ID + ": " + f.State, Style: sc.th.Text}}, Then: then,
		Words: func() string { return text.Line(strings.Join([]string{f.Head(), f.By, f.Why}, " ")) },
		Cells: func(th *theme.Theme, _ screen.Frame) []reader.Cell { return sc.cells(th, f) },
		Lines: func(_ *theme.Theme, width int) []reader.Line { return drawn(sc.finding(f, width)) },
		Copy:  func() screen.Copy { return screen.Copy{Text: text.Sanitize(f.Text()), What: "the finding"} },
	}
}

// cells returns what a finding has in the columns. Who found it says by that that it is true.
func (sc *Screen) cells(th *theme.Theme, f report.ReviewFinding) []reader.Cell {
	untrue, unsure := fmt.Sprint(f.Untrue), fmt.Sprint(f.Unsure)
	if !f.Judged {
		untrue, unsure = th.Symbols.Missing, th.Symbols.Missing
	}
	by := text.Line(strings.Join(sc.session.NamesOf(f.FoundBy), ", "))
	if n := len(f.FoundBy); n > 1 && theme.Width(by) >= 11 {
		by = fmt.Sprintf("%d seats", n)
	}
	return []reader.Cell{
		{Text: string(f.Severity), Style: severityStyle(th, f.Severity)},
		{Text: f.State, Style: th.Muted},
		{Text: text.Line(f.Where), Style: th.Muted},
		{Text: text.Line(f.Title), Style: th.Text},
		{Text: by, Style: th.Muted},
		{Text: fmt.Sprint(len(f.FoundBy) + f.True), Style: th.Text},
		{Text: untrue, Style: th.Text},
		{Text: unsure, Style: th.Text},
	}
}

func severityStyle(th *theme.Theme, s debate.Severity) lipgloss.Style {
	switch s {
	case debate.SeverityHigh:
		return th.Danger
	case debate.SeverityMedium:
		return th.Warning
	case debate.SeverityLow:
	}
	return th.Text
}

// finding returns the lines of a finding: where it is, why it is one, how to fix it, the lines
// that it names, and what each seat says of it.
func (sc *Screen) finding(f report.ReviewFinding, width int) []string {
	th := sc.th
	lines := wrapped(th.Text.Bold(true).Render, text.Line(f.Title), width)
	about := text.Line(string(f.Severity) + " " + th.Symbols.Sep + " " + f.Where)
	lines = append(lines, wrapped(severityStyle(th, f.Severity).Render, about, width)...)
	sc.budget.Refill(markdown.Step)
	part := func(title, words string) {
		if strings.TrimSpace(words) != "" {
			lines = append(append(lines, "", th.Accent.Render(title)), sc.rendered(f.ID+title, words, width)...)
		}
	}
	part("Why", f.Why)
	part("How to fix it", f.Fix)
	for _, q := range f.Quotes {
		lines = append(append(lines, ""), sc.prose(q.Caption, width)...)
		for line := range strings.SplitSeq(q.Lines, "\n") {
			if q.Lines != "" {
				lines = append(lines, wrapped(th.Text.Render, strings.ReplaceAll(line, "\t", "    "), width)...)
			}
		}
	}
	lines = append(lines, "", th.Accent.Render("What the seats say"))
	for _, fact := range f.Facts {
		lines = append(lines, wrapped(th.Text.Render, th.Symbols.Bullet+" "+text.Line(fact), width)...)
	}
	return lines
}

// drawn returns lines that have their styles as those of a reader.
func drawn(lines []string) []reader.Line {
	return text.Each(lines, func(l string) reader.Line { return reader.Line{Text: l, Drawn: true} })
}
