package verdictview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// place is a citation of evidence that can be opened, and its line in the report.
type place struct {
	line     int
	citation debate.Citation
}

// maxExcerpt is how many lines of one citation are shown.
const maxExcerpt = 3

// evidence lists the evidence with the lines that are cited and who cites them.
func (ct *content) evidence(width, mark int) (lines []string, places []place) {
	for _, e := range ct.session.Evidence {
		var all []cite.Cited
		for _, c := range ct.cited {
			if c.Citation.ID == e.ID && c.Problem == "" {
				all = append(all, c)
			}
		}
		places = append(places, place{len(lines), debate.Citation{ID: e.ID}})
		lines = append(lines, ct.evidenceRow(e, all, width, len(places) == mark))
		for _, c := range all {
			if c.Citation.From > 0 {
				places = append(places, place{len(lines), c.Citation})
				lines = append(lines, ct.citedRows(c, width, len(places) == mark)...)
			}
		}
	}
	return lines, places
}

// files lists the files of the workspace with the lines that are cited.
func (ct *content) files(width int) (lines []string) {
	name := ""
	for _, c := range ct.cited {
		if c.SHA256 == "" || c.Problem != "" {
			continue
		}
		if c.Citation.ID != name {
			name = c.Citation.ID
			about := "   workspace"
			if c.ChangedSince {
				about += " " + ct.th.Symbols.Sep + " changed since"
			}
			lines = append(lines, ct.th.Row([]theme.Part{
				{Text: "[" + text.Line(name) + "]", Style: ct.th.Muted, Cut: 2}, {Text: about, Style: ct.th.Faint, Cut: 1},
			}, nil, width))
		}
		lines = append(lines, ct.citedRows(c, width, false)...)
	}
	return lines
}

func (ct *content) evidenceRow(e debate.Evidence, all []cite.Cited, width int, marked bool) string {
	var by []agents.ID
	report := false
	for _, c := range all {
		by, report = append(by, c.CitedBy...), report || c.InReport
	}
	cited := "not cited"
	if names := ct.names(by, report); names != "" {
		cited = "cited by " + names
	}
	th, mark := ct.th.ForRow(marked)
	sep := " " + th.Symbols.Sep + " "
	about := text.Line(string(e.Kind)) + sep + text.Bytes(int64(e.Size)) + sep + text.Count(e.Lines(), "line")
	return th.Row([]theme.Part{
		{Text: "[" + e.ID + "]" + mark, Style: th.Muted},
		{Text: text.Line(e.Name), Style: th.Text, Cut: 3},
		{Text: "   " + about, Style: th.Faint, Cut: 1},
	}, []theme.Part{{Text: " " + cited, Style: th.Muted, Cut: 2}}, width)
}

// citedRows are the lines of one citation, of which the first says who cites them.
func (ct *content) citedRows(c cite.Cited, width int, marked bool) []string {
	const indent = 5
	th, mark := ct.th.ForRow(marked)
	where := fmt.Sprintf("%d-%d", c.Citation.From, c.Citation.To)
	if c.Citation.From == c.Citation.To {
		where = fmt.Sprint(c.Citation.From)
	}
	excerpt := strings.Split(c.Text, "\n")
	if len(excerpt) > maxExcerpt+1 { // a note about one line takes as much room as the line
		excerpt = excerpt[:maxExcerpt]
	}
	hidden := c.Citation.To - c.Citation.From + 1 - len(excerpt)
	var rows []string
	for i, l := range excerpt {
		lead, by := strings.Repeat(" ", 10), ""
		if i == 0 {
			lead, by = fmt.Sprintf("%-10s", where+" "), " "+ct.names(c.CitedBy, c.InReport)
			if c.Place != "" {
				by = " " + text.Line(c.Place) + " " + th.Symbols.Sep + by
			}
		}
		l = strings.ReplaceAll(text.Sanitize(strings.ReplaceAll(l, "\t", "  ")), "\n", " ")
		rows = append(rows, th.Row([]theme.Part{
			{Text: strings.Repeat(" ", indent-1) + mark + lead, Style: th.Muted}, {Text: l, Style: th.Text, Cut: 1},
		}, []theme.Part{{Text: by, Style: th.Muted, Cut: 2}}, width))
		th, mark = ct.th, " "
	}
	if hidden > 0 {
		rows = append(rows, ct.th.Faint.Render(strings.Repeat(" ", indent+10)+ct.th.Symbols.Cut+" "+text.Count(hidden, "more line")))
	}
	return rows
}

// names names members in the order of their seats, and the chair's report.
func (ct *content) names(ids []agents.ID, report bool) string {
	var out []string
	for _, p := range ct.session.Seats {
		if slices.Contains(ids, p.ID) {
			out = append(out, text.Line(p.Name))
		}
	}
	if report {
		out = append(out, "the verdict")
	}
	return text.List(out)
}

// nextCitation marks the next citation, or with -1 the one before, and shows it.
func (sc *Screen) nextCitation(n int) screen.Outcome {
	sc.reads, sc.lines = readReport, nil
	sc.body(time.Time{})
	k := len(sc.places)
	switch {
	case sc.mark == 0 && n < 0:
		sc.mark = k
	case sc.mark == 0:
		sc.mark = 1
	default:
		sc.mark = (sc.mark-1+n+k)%k + 1
	}
	at := sc.places[sc.mark-1].line
	sc.lines = nil
	if at < sc.view.Top() || at >= sc.view.Top()+sc.rows() {
		sc.view.ScrollTo(at - sc.rows()/3)
	}
	return nil
}

func (sc *Screen) noCitation() string {
	if sc.verdict == nil || len(sc.session.Evidence) == 0 {
		return "You brought no evidence, such as a file, that this verdict could cite."
	}
	return ""
}
