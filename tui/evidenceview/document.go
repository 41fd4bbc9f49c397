package evidenceview

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// document is the text of evidence as it is read: which lines are shown, marked and
// found. Lines count from 0 here but for the marked ones.
type document struct {
	evidence debate.Evidence
	cited    []cite.Cited
	lines    []string // as stored; a line is made safe when it is drawn
	w, h     int      // of the text
	mark     string   // of what is cut

	textview.Text
	from, to int    // the lines that are marked, from 1; 0: none
	place    string // of marked lines of a diff
	search   textview.Search
}

func (d *document) setSize(w, h int, mark string) {
	d.w, d.h, d.mark = max(w, 1), max(h, 1), mark
	d.limit()
}

// limit scrolls back to the line from which the rest is shown.
func (d *document) limit() {
	last, left := len(d.lines)-1, d.h
	for last >= 0 {
		if left -= len(d.rows(last)); left < 0 {
			break
		}
		last--
	}
	d.Limit(min(last+1, len(d.lines)-1))
}

// rows returns a line as rows of the screen. Of a line that would take more than all of
// them the rest is counted.
func (d *document) rows(n int) []string {
	content, limit := d.lines[n], d.h
	cut := ""
	if most := 4 * limit * d.w; len(content) > most { // a minified file has lines of megabytes
		content, cut = content[:most], content[most:]
	}
	rows := theme.Wrap(safeLine(content), d.w)
	if len(rows) <= limit && cut == "" {
		return rows
	}
	hidden := utf8.RuneCountInString(cut)
	for _, r := range rows[min(limit, len(rows)):] {
		hidden += utf8.RuneCountInString(r)
	}
	rows = rows[:min(limit, len(rows))]
	note := fmt.Sprintf(" %s %s more characters in this line", d.mark, text.Number(hidden))
	last := &rows[len(rows)-1]
	*last = ansi.Truncate(*last, max(d.w-ansi.StringWidth(note), 0), "") + note
	if d.w < ansi.StringWidth(note) {
		*last = d.mark
	}
	return rows
}

// safeLine makes a line safe; tabs are four blanks.
func safeLine(content string) string {
	return strings.TrimRight(strings.ReplaceAll(text.Sanitize(strings.ReplaceAll(content, "\t", "    ")), "\n", " "), " ")
}

// goTo marks lines and shows them a few rows below the top.
func (d *document) goTo(from, to int) {
	d.from, d.to = from, to
	d.place = cite.Place(debate.Citation{ID: d.evidence.ID, From: from, To: to}, d.evidence)
	if from > 0 {
		d.show(from - 1)
	}
}

func (d *document) show(line int) {
	d.ScrollTo(line - min(3, d.h/3))
	d.limit()
}

// isMarked reports whether a line is one of those that are marked.
func (d *document) isMarked(line int) bool { return d.from <= line+1 && line+1 <= d.to }

func (d *document) isCited(line int) bool {
	return slices.ContainsFunc(d.cited, func(c cite.Cited) bool {
		return c.Citation.From <= line+1 && line+1 <= c.Citation.To
	})
}

func (d *document) marked() (cite.Cited, bool) {
	i := slices.IndexFunc(d.cited, func(c cite.Cited) bool { return c.Citation.From == d.from && c.Citation.To == d.to })
	if i < 0 {
		return cite.Cited{}, false
	}
	return d.cited[i], true
}

// where names the marked lines.
func (d *document) where() string {
	if d.from == d.to {
		return fmt.Sprintf("line %d", d.from)
	}
	return fmt.Sprintf("lines %d-%d", d.from, d.to)
}

// nextCited marks the next cited lines, or with -1 those before. It reports whether
// there are any.
func (d *document) nextCited(n int) bool {
	var places []debate.Citation
	for _, c := range d.cited {
		if c.Citation.From > 0 {
			places = append(places, c.Citation)
		}
	}
	if len(places) == 0 {
		return false
	}
	at := slices.IndexFunc(places, func(c debate.Citation) bool { return c.From == d.from && c.To == d.to })
	switch {
	case at >= 0:
		at = (at + n + len(places)) % len(places)
	case n > 0:
		at = max(0, slices.IndexFunc(places, func(c debate.Citation) bool { return c.From > d.Top() }))
	default:
		at = len(places) - 1
	}
	d.goTo(places[at].From, places[at].To)
	return true
}

// find searches for a text, ignoring case; "" ends the search.
func (d *document) find(query string) {
	d.search.Find(query, len(d.lines), func(i int) string { return safeLine(d.lines[i]) })
}

// match shows the next match, with -1 the one before, with 0 the first from the top. It
// returns its line, its index and the number of matches.
func (d *document) match(n int) (line, at, of int) {
	if line, at, of = d.search.Next(n, d.Top()); of > 0 {
		d.show(line)
	}
	return line, at, of
}
