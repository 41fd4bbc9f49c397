package evidenceview

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// headRows is the number of rows above the text of evidence.
const headRows = 2

func (sc *Screen) textRows() int { return max(sc.h-headRows, 1) }

// gutter returns the width of the line numbers with the mark before them.
func (sc *Screen) gutter() int { return len(fmt.Sprint(len(sc.open.lines))) + 4 }

// layout gives the open text its room. A match that is marked without colour takes two
// cells more.
func (sc *Screen) layout() {
	if sc.open != nil {
		sc.open.setSize(sc.w-sc.gutter()-2, sc.textRows(), sc.th.Symbols.Cut)
	}
}

// Title counts the evidence.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	total := 0
	for _, e := range sc.session.Evidence {
		total += e.Size
	}
	words := fmt.Sprintf("%s %s %s ", plural(len(sc.session.Evidence)), sc.th.Symbols.Sep, text.Bytes(int64(total)))
	return []theme.Part{
		{Text: " Evidence", Style: sc.th.Accent},
		{Text: "   " + text.Line(sc.session.Name()), Style: sc.th.Muted, Cut: 1},
	}, []theme.Part{{Text: words, Style: sc.th.Muted, Cut: 2}}
}

// plural counts pieces of evidence.
func plural(n int) string {
	if n == 1 {
		return "1 piece"
	}
	return fmt.Sprintf("%d pieces", n)
}

// View draws the list, or the text that is open.
func (sc *Screen) View(screen.Frame) string {
	if sc.open == nil {
		return sc.list()
	}
	rows := append(sc.head(), sc.text()...)
	for len(rows) < sc.h {
		rows = append(rows, "")
	}
	rows = rows[:sc.h]
	for i := range rows {
		rows[i] = sc.th.Fit(rows[i], sc.w)
	}
	return strings.Join(rows, "\n")
}

// Widths of the columns of the list.
const (
	idWidth    = 6
	kindWidth  = 8
	sizeWidth  = 9
	linesWidth = 8
)

// list draws a row for each piece of evidence, and below the selected one its note.
func (sc *Screen) list() string {
	th := sc.th
	fixed := 3 + idWidth + kindWidth + sizeWidth + linesWidth + 2
	nameWidth := max((sc.w-fixed)*6/10, 8)
	citedWidth := max(sc.w-fixed-nameWidth, 0)
	row := func(th *theme.Theme, mark, id, name, kind, size, lines, cited string) string {
		return th.Columns(theme.Column{Text: " " + mark, Width: 3, Style: th.Accent},
			theme.Column{Text: id, Width: idWidth, Style: th.Text},
			theme.Column{Text: name, Width: nameWidth, Style: th.Text},
			theme.Column{Text: " " + kind, Width: kindWidth, Style: th.Muted},
			theme.Column{Text: size, Width: sizeWidth, Style: th.Muted, Right: true},
			theme.Column{Text: lines, Width: linesWidth, Style: th.Muted, Right: true},
			theme.Column{Text: "  " + cited, Width: citedWidth + 2, Style: th.Muted})
	}
	rows := []string{th.Faint.Render(ansi.Strip(row(th, "", "id", "name", "kind", "size", "lines", "cited by")))}
	top, bottom := 0, 0
	for i, e := range sc.session.Evidence {
		shown, mark := th.ForRow(i == sc.pieces.At)
		if i == sc.pieces.At && i > 0 { // the heads of the columns are shown with the first row
			top = len(rows)
		}
		rows = append(rows, row(shown, mark, "["+e.ID+"]", text.Line(e.Name), text.Line(string(e.Kind)), text.Bytes(int64(e.Size)),
			text.Number(e.Lines()), sc.citedBy(e)))
		if i == sc.pieces.At {
			for _, l := range sc.about(e) {
				rows = append(rows, th.Muted.Render(strings.Repeat(" ", 3+idWidth)+l))
			}
			bottom = len(rows) - 1
		}
	}
	if sc.Empty() {
		rows = []string{th.Muted.Render(" This debate has no evidence. @path in a message attaches a file.")}
	}
	return sc.pieces.View(th, rows, top, bottom, sc.w, sc.h)
}

// about returns the details of evidence that have no column.
func (sc *Screen) about(e debate.Evidence) []string {
	var words []string
	if by := sc.citedBy(e); by != notCited {
		words = append(words, "Cited by "+by+".")
	}
	if about := e.About(); about != "" {
		words = append(words, text.Line(about))
	}
	if round := cite.EvidenceRound(sc.session, e.ID); round > 1 {
		words = append(words, fmt.Sprintf("It came with round %d.", round))
	} else if round == 0 && len(sc.session.History) > 0 {
		words = append(words, "It goes with the next round.")
	}
	if len(e.SHA256) > 12 {
		words = append(words, "sha256 "+text.Line(e.SHA256[:12])+sc.th.Symbols.Cut)
	}
	return theme.Wrap(strings.Join(words, " "), max(sc.w-3-idWidth-1, 8))
}

const notCited = "not cited"

func (sc *Screen) citedBy(e debate.Evidence) string {
	var all cite.Cited
	for _, l := range sc.citedIn(e.ID) {
		all.CitedBy = append(all.CitedBy, l.CitedBy...)
		all.InReport = all.InReport || l.InReport
	}
	if names := sc.names(all.CitedBy, all.InReport); names != "" {
		return names
	}
	return notCited
}

// head names the open evidence and the marked lines; below it is the note of the
// evidence.
func (sc *Screen) head() []string {
	th, d := sc.th, sc.open
	sep := " " + th.Symbols.Sep + " "
	about := text.Line(string(d.evidence.Kind)) + sep + text.Bytes(int64(d.evidence.Size)) + sep + text.Count(len(d.lines), "line")
	left := []theme.Part{
		{Text: " [" + d.evidence.ID + "] ", Style: th.Accent},
		{Text: text.Line(d.evidence.Name), Style: th.Text, Cut: 2},
		{Text: sep + about, Style: th.Muted, Cut: 1},
	}
	var right []theme.Part
	if d.from > 0 {
		words := d.where()
		if d.place != "" {
			words += sep + text.Line(d.place)
		}
		if c, ok := d.marked(); ok {
			if who := sc.names(c.CitedBy, c.InReport); who != "" {
				words += ", cited by " + who
			}
		}
		right = []theme.Part{{Text: "  " + words + " ", Style: th.Muted, Cut: 3}}
	}
	below := th.Row([]theme.Part{{Text: " " + text.Line(d.evidence.About()), Style: th.Muted, Cut: 1}}, nil, sc.w)
	return []string{th.Row(left, right, sc.w), below}
}

// text draws the visible lines with their numbers.
func (sc *Screen) text() []string {
	d, width := sc.open, sc.gutter()-4
	d.limit()
	var rows []string
	for n := d.Top(); n < len(d.lines) && len(rows) < d.h; n++ {
		th, mark := sc.th, " "
		switch {
		case d.from > 0 && d.isMarked(n):
			th, mark = sc.th.Selected(), sc.th.Symbols.Focus
		case d.isCited(n):
			mark = sc.th.Symbols.Bullet
		}
		number := fmt.Sprintf("%*d", width, n+1)
		for _, content := range d.rows(n) {
			line := sc.highlight(th, content)
			pad := strings.Repeat(" ", max(sc.w-width-4-theme.Width(line), 0))
			rows = append(rows, th.Accent.Render(" "+mark)+th.Faint.Render(number+"  ")+line+th.Text.Render(pad))
			number = strings.Repeat(" ", width)
		}
	}
	if len(rows) > d.h {
		rows = rows[:d.h]
	}
	return rows
}

// highlight draws a row with its first match highlighted.
func (sc *Screen) highlight(th *theme.Theme, content string) string {
	from, to, ok := sc.open.search.First(content)
	if !ok {
		return th.Text.Render(content)
	}
	runes := []rune(content)
	return th.Text.Render(string(runes[:from])) + sc.th.Match(string(runes[from:to])) + th.Text.Render(string(runes[to:]))
}
