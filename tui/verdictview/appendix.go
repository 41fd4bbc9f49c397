package verdictview

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/theme"
)

// appendix is what the program adds to the chair's report: sources with who cites them, and
// requests without an answer. Places are the citations of evidence, of which the one with the
// number mark is marked.
func (sc *Screen) appendix(c *report.Conclusion, width, mark int) (lines []string, places []place) {
	ct := &sc.content
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

// unanswered lists the requests that nobody answered.
func (ct *content) unanswered(all []report.OpenRequest, width int) []string {
	var lines []string
	for i, q := range all {
		if i == 0 {
			lines = append(lines, "", ct.th.Accent.Render("Not answered"))
		}
		lines = append(lines, ct.numbered(q.ID, q.Query, q.Asked, width)...)
	}
	return lines
}

// sources lists the answers with their source and who cites them.
func (ct *content) sources(all []report.Answered, width int) []string {
	var lines []string
	for _, s := range all {
		cited := "not cited"
		if s.CitedBy != "" {
			cited = "cited by " + s.CitedBy
		}
		about := cmp.Or(s.Source, "you, no source") + " " + ct.th.Symbols.Sep + " " + cited
		lines = append(lines, ct.numbered(s.ID, s.Text, about, width)...)
	}
	return lines
}

// numbered returns a text with its id before it, and what is to be said of it beside or below it.
func (ct *content) numbered(id, words, about string, width int) []string {
	th := ct.th
	id = "[" + id + "] "
	left := []theme.Part{{Text: id, Style: th.Muted}, {Text: text.Line(words), Style: th.Text, Cut: 1}}
	about = text.Line(about)
	if ansi.StringWidth(id+text.Line(words))+2+ansi.StringWidth(about) <= width {
		return []string{th.Row(left, []theme.Part{{Text: about, Style: th.Faint}}, width)}
	}
	rows := []string{th.Row(left, nil, width)}
	for _, row := range wrapped(th.Faint.Render, about, width-len(id)) {
		rows = append(rows, strings.Repeat(" ", len(id))+row)
	}
	return rows
}
