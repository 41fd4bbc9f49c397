package verdictview

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// appendix is what the program adds to the chair's report: views from later phases,
// sources with who cites them, and requests without an answer. Places
// are the citations of evidence, of which the one with the number mark is marked.
func (sc *Screen) appendix(c *report.Conclusion, width, mark int) ([]string, []place) {
	ct := &sc.content
	lines := ct.views(c.Views, width)
	var places []place
	if len(c.Sources)+len(ct.session.Evidence)+len(ct.cited) > 0 {
		lines = append(lines, "", ct.th.Accent.Render("Sources"))
		lines = append(lines, ct.sources(c.Sources, width)...)
		var cited []string
		cited, places = ct.evidence(width, mark)
		for i := range places {
			places[i].line += len(lines)
		}
		lines = append(append(lines, cited...), ct.files(width)...)
	}
	return append(lines, ct.unanswered(c.Open, width)...), places
}

// views lists what the members held in later phases of the last round.
func (ct *content) views(all []report.Opinion, width int) []string {
	th := ct.th
	var lines []string
	for i, x := range all {
		if i == 0 || x.Phase != all[i-1].Phase {
			lines = append(lines, "", th.Row([]theme.Part{{Text: text.Capitalize(text.Line(x.Phase)), Style: th.Accent}},
				[]theme.Part{{Text: "after the last statements", Style: th.Muted, Cut: 1}}, width))
		}
		who := text.Line(x.Name)
		if x.Role != "" {
			who += ", " + text.Line(x.Role)
		}
		who += ", " + text.Line(x.Standing)
		text := th.Symbols.Bullet + " " + who + ": " + cmp.Or(text.Line(x.Position), "no position stated")
		for _, l := range theme.Wrap(text, width) {
			lines = append(lines, th.Text.Render(l))
		}
	}
	return lines
}

// unanswered lists the requests that nobody answered.
func (ct *content) unanswered(all []report.OpenRequest, width int) []string {
	var lines []string
	for i, q := range all {
		if i == 0 {
			lines = append(lines, "", ct.th.Accent.Render("Not answered"))
		}
		lines = append(lines, ct.th.Row([]theme.Part{
			{Text: "[" + q.ID + "] ", Style: ct.th.Muted}, {Text: text.Line(q.Query), Style: ct.th.Text, Cut: 1},
		}, []theme.Part{{Text: " " + text.Line(q.Asked), Style: ct.th.Faint, Cut: 2}}, width))
	}
	return lines
}

// sources lists the answers with their source and who cites them: in columns, or in a
// second row where an answer has no room beside them.
func (ct *content) sources(all []report.Answered, width int) []string {
	th := ct.th
	from, cited := make([]string, len(all)), make([]string, len(all))
	answer, wide, widest := 0, 0, 0
	for i, s := range all {
		from[i], cited[i] = cmp.Or(text.Line(s.Source), "you, no source"), "not cited"
		if s.CitedBy != "" {
			cited[i] = "cited by " + text.Line(s.CitedBy)
		}
		answer = max(answer, ansi.StringWidth("["+s.ID+"] "+text.Line(s.Text)))
		wide, widest = max(wide, ansi.StringWidth(from[i])), max(widest, ansi.StringWidth(cited[i]))
	}
	beside := answer+1+wide+3+widest <= width
	var lines []string
	for i, s := range all {
		left := []theme.Part{{Text: "[" + s.ID + "] ", Style: th.Muted}, {Text: text.Line(s.Text), Style: th.Text, Cut: 1}}
		if !beside {
			lines = append(lines, th.Row(left, nil, width), th.Row(
				[]theme.Part{{Text: strings.Repeat(" ", len(s.ID)+3) + from[i], Style: th.Muted, Cut: 1}},
				[]theme.Part{{Text: " " + cited[i], Style: th.Faint, Cut: 2}}, width))
			continue
		}
		gap := strings.Repeat(" ", wide-ansi.StringWidth(from[i])+3+widest-ansi.StringWidth(cited[i]))
		lines = append(lines, th.Row(left, []theme.Part{
			{Text: " " + from[i], Style: th.Muted}, {Text: gap + cited[i], Style: th.Faint},
		}, width))
	}
	return lines
}
