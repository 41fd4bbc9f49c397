package verdictview

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/list"
	"roundtable/tui/markdown"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// findings is the list of what a review found. What is opened takes its place.
type findings struct {
	list.List
	opened   bool // the finding under the cursor is read
	unfolded bool // those that were refuted are listed
	typing   bool // the filter
	filter   textinput.Model
}

func newFindings() findings {
	f := findings{filter: textinput.New()}
	f.filter.Prompt, f.filter.CharLimit = "", 100
	f.filter.SetVirtualCursor(false)
	return f
}

// reviews reports whether the verdict is that of a review.
func (sc *Screen) reviews() bool { return sc.verdict != nil && sc.verdict.Review != nil }

// onFindings reports whether the findings are shown: the list, or one of them.
func (sc *Screen) onFindings() bool { return sc.reviews() && sc.reads == readFindings }

// listing reports whether the list is shown.
func (sc *Screen) listing() bool { return sc.onFindings() && !sc.found.opened }

// matching returns the findings that the filter leaves and, unless they are folded, those of
// them that were refuted. A filter unfolds them.
func (sc *Screen) matching() (all []report.ReviewFinding, folded int) {
	r := sc.verdict.Review
	words := text.Fold(strings.TrimSpace(sc.found.filter.Value()))
	if words == "" && !sc.found.unfolded {
		return r.Findings, len(r.Refuted)
	}
	return slices.DeleteFunc(r.All(), func(f report.ReviewFinding) bool {
		return !strings.Contains(text.Fold(text.Line(strings.Join([]string{f.Head(), f.By, f.Why}, " "))), words)
	}), 0
}

// entries returns how many rows of the list the cursor can be on: the findings, and the one
// that unfolds those that were refuted.
func (sc *Screen) entries() int {
	all, folded := sc.matching()
	return len(all) + min(folded, 1)
}

// selected returns the finding under the cursor.
func (sc *Screen) selected() (f report.ReviewFinding, ok bool) {
	if !sc.reviews() {
		return f, false
	}
	all, _ := sc.matching()
	if sc.found.At >= len(all) {
		return f, false
	}
	return all[sc.found.At], true
}

// openFinding opens what is under the cursor: a finding, the refuted ones or, of a finding
// that is open, its first place in the evidence.
func (sc *Screen) openFinding() screen.Outcome {
	if !sc.onFindings() {
		return nil
	}
	f, ok := sc.selected()
	switch {
	case !ok && sc.entries() > 0:
		sc.found.unfolded = true
	case !ok:
	case !sc.found.opened:
		sc.found.opened = true
		sc.view.ToEnd(-1)
	default:
		if c := placeOf(f); c.ID != "" {
			return screen.Outcome{OpenCitation{c}}
		}
		return screen.Tell(screen.Info, "The lines of this finding are not in the evidence.")
	}
	return nil
}

// placeOf returns the first place of a finding that is in the evidence; without an id there
// is none.
func placeOf(f report.ReviewFinding) debate.Citation {
	for _, p := range f.Places {
		if !p.Absent && p.Cited.ID != "" {
			return p.Cited
		}
	}
	return debate.Citation{}
}

func (sc *Screen) filterHint() string {
	if sc.listing() && len(sc.verdict.Review.All()) > 0 {
		return "/ filter"
	}
	return ""
}

func (sc *Screen) moveHint() string {
	switch {
	case sc.listing() && sc.entries() == 0:
		return ""
	case sc.listing():
		return "j k move"
	case sc.onFindings():
		return "j k scroll"
	}
	return ""
}

// Back ends the filter, closes the finding that is open, and then leaves for the debate.
func (sc *Screen) Back() screen.Outcome {
	switch f := &sc.found; {
	case f.typing:
		sc.endFilter("")
	case sc.find.End():
		return screen.Outcome{screen.ClearNotice{}}
	case sc.onFindings() && f.opened:
		f.opened = false
	case sc.onFindings() && f.filter.Value() != "":
		sc.endFilter("")
	default:
		return screen.Outcome{screen.Close{}}
	}
	return nil
}

// BackHint says what esc does; while the filter is typed the typing hints do.
func (sc *Screen) BackHint() string {
	switch f := sc.found; {
	case f.typing:
		return ""
	case sc.find.On():
		return sc.find.BackHint()
	case sc.onFindings() && f.opened:
		return "esc list"
	case sc.onFindings() && f.filter.Value() != "":
		return "esc clear filter"
	}
	return "esc debate"
}

func (sc *Screen) startFilter() screen.Outcome {
	sc.reads, sc.found.opened, sc.found.typing = readFindings, false, true
	return screen.Run(sc.found.filter.Focus())
}

func (sc *Screen) endFilter(words string) {
	sc.found.typing = false
	sc.found.filter.Blur()
	sc.setFilter(words)
}

func (sc *Screen) setFilter(words string) {
	sc.found.filter.SetValue(words)
	sc.found.Reset()
}

// Typing reports whether the filter is typed.
func (sc *Screen) Typing() bool { return sc.found.typing }

// TypingHints says how to finish the filter.
func (sc *Screen) TypingHints() []string {
	if !sc.found.typing {
		return nil
	}
	return []string{"enter keep filter", "esc clear"}
}

// HandleKey types into the filter.
func (sc *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	if !sc.found.typing {
		return nil
	}
	if msg.String() == "enter" {
		sc.endFilter(sc.found.filter.Value())
		return nil
	}
	var cmd tea.Cmd
	sc.found.filter, cmd = sc.found.filter.Update(msg)
	sc.found.Reset()
	return screen.Run(cmd)
}

// Paste inserts into the filter.
func (sc *Screen) Paste(content string) screen.Outcome {
	if sc.found.typing {
		sc.setFilter(sc.found.filter.Value() + text.Line(content))
	}
	return nil
}

// Cursor is in the filter while that is typed.
func (sc *Screen) Cursor() *tea.Cursor {
	if !sc.found.typing {
		return nil
	}
	return screen.Offset(input.Cursor(sc.found.filter, sc.th), 4, sc.height-sc.h+2)
}

// findingsBox draws the list and, if there is room below it, the finding under the cursor; or
// the finding that is open.
func (sc *Screen) findingsBox(w, h int) []string {
	if f, ok := sc.selected(); ok && sc.found.opened {
		lines := sc.view.Visible(sc.find.Mark(sc.th, sc.finding(f, max(w-4, 8))), max(h-2, 1))
		return sc.panel(panel{title: sc.found.title(f), lines: lines}, w, h, true, sc.view.Below())
	}
	const least = 8 // rows of a preview
	rows, at := sc.listRows(w - 4)
	all, _ := sc.matching()
	list := theme.Box{Width: w, Height: h, Focused: true, Accent: sc.th.Accent, Title: []theme.Part{{Text: "Findings", Style: sc.th.Text}}}
	count := fmt.Sprint(len(all))
	if sc.found.filter.Value() != "" {
		count = fmt.Sprintf("%d of %d", len(all), len(sc.verdict.Review.All()))
	}
	list.State = []theme.Part{{Text: count, Style: sc.th.Faint}}
	var preview []string
	if f, ok := sc.selected(); ok && h-len(rows)-2 >= least {
		list.Height = len(rows) + 2
		lines, room := sc.finding(f, max(w-4, 8)), h-list.Height-2
		p := panel{title: sc.found.title(f), lines: lines[:min(len(lines), room)]}
		preview = sc.panel(p, w, h-list.Height, false, max(len(lines)-room, 0))
	} else if ok {
		list.Hint = []theme.Part{{Text: sc.found.title(f), Style: sc.th.Muted, Cut: 1}}
	}
	top := at
	if at < list.Height-2 && sc.found.At == 0 { // what stands before the list is shown with its first row
		top = 0
	}
	list.Lines = strings.Split(sc.found.View(sc.th, rows, top, at, w-4, max(list.Height-2, 1)), "\n")
	return append(sc.th.Box(list), preview...)
}

func (findings) title(f report.ReviewFinding) string { return f.ID + ": " + f.State }

// listRows returns the rows of the list and the one with the cursor.
func (sc *Screen) listRows(width int) (rows []string, at int) {
	th, all := sc.th, sc.verdict.Review
	if sc.found.typing || sc.found.filter.Value() != "" {
		rows = append(rows, th.Accent.Render("/ ")+input.Line(sc.found.filter, th))
	}
	shown, folded := sc.matching()
	switch {
	case all.None() != "":
		return append(rows, th.Muted.Render(all.None())), 0
	case len(shown)+folded == 0:
		return append(rows, th.Muted.Render("No finding matches.")), 0
	}
	c := columnsOf(width)
	rows = append(rows, c.head(th))
	for i, f := range shown {
		rows = append(rows, c.row(th, f, text.Line(strings.Join(sc.session.NamesOf(f.FoundBy), ", ")), i == sc.found.At))
	}
	if folded > 0 {
		row, mark := th.ForRow(sc.found.At == len(shown))
		line := mark + " " + all.RefutedTitle() + ", folded"
		rows = append(rows, row.Row([]theme.Part{{Text: line, Style: row.Muted, Cut: 1}}, nil, width))
	}
	return rows, len(rows) - max(sc.entries()-sc.found.At, 1)
}

// columns are the widths of the columns of the list; 0 is a column without room.
type columns struct{ severity, state, where, title, by int }

const (
	titleColumn = 4
	byColumn    = 5
	countWidth  = 3 // of each of the three columns behind it
)

func columnsOf(width int) columns {
	c := columns{severity: 7}
	switch {
	case width >= 120:
		c = columns{severity: 9, state: 24, where: 28, by: 20}
	case width >= 60:
		c = columns{severity: 9, where: min(width/4, 24), by: 11}
	}
	c.title = max(width-2-c.severity-c.state-c.where-c.by-3*countWidth, 4)
	return c
}

func (c columns) head(th *theme.Theme) string {
	severity := "severity"
	if c.severity <= len(severity) {
		severity = "sev."
	}
	return c.draw(th, th.Faint, th.Faint, "", severity, "state", "where", "title", "found by",
		th.Symbols.Done, th.Symbols.Failed, "?")
}

// row draws a finding. Who found it says by that that it is true.
func (c columns) row(th *theme.Theme, f report.ReviewFinding, by string, selected bool) string {
	th, mark := th.ForRow(selected)
	untrue, unsure := fmt.Sprint(f.Untrue), fmt.Sprint(f.Unsure)
	if !f.Judged {
		untrue, unsure = th.Symbols.Missing, th.Symbols.Missing
	}
	if n := len(f.FoundBy); n > 1 && ansi.StringWidth(by) >= c.by {
		by = fmt.Sprintf("%d seats", n)
	}
	return c.draw(th, severityStyle(th, f.Severity), th.Text, mark, string(f.Severity), th.Truncate(f.State, max(c.state-1, 0)),
		c.place(th, text.Line(f.Where)), text.Line(f.Title), by, fmt.Sprint(len(f.FoundBy)+f.True), untrue, unsure)
}

// place shortens a place to its column: the end has the file and the line.
func (c columns) place(th *theme.Theme, where string) string {
	const old = "old:"
	where, removed := strings.CutPrefix(where, old)
	lead := ""
	if removed {
		lead = old
	}
	over := ansi.StringWidth(lead+where) - c.where + 1
	if over <= 0 || c.where == 0 {
		return lead + where
	}
	short := ansi.TruncateLeft(where, over+1, th.Symbols.Cut)
	if ansi.StringWidth(lead+short) >= c.where { // half of a wide character is left
		short = ansi.TruncateLeft(where, over+2, th.Symbols.Cut)
	}
	return lead + short
}

// draw draws the cells of a row: mark, severity, state, where, title, found by and three counts.
func (c columns) draw(th *theme.Theme, severity, title lipgloss.Style, cells ...string) string {
	widths := [...]int{2, c.severity, c.state, c.where, c.title, c.by, countWidth, countWidth, countWidth}
	styles := [...]lipgloss.Style{th.Accent, severity, th.Muted, th.Muted, title, th.Muted, title, title, title}
	cells[titleColumn] = th.Truncate(cells[titleColumn], c.title-1)
	var row []theme.Column
	for i, cell := range cells {
		row = append(row, theme.Column{Text: cell, Width: widths[i], Style: styles[i], Right: i > byColumn})
	}
	return th.Columns(row...)
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
