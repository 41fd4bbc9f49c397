package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"roundtable/internal/text"
)

const (
	columnGap = 2
	// wordRoom is how many cells of its longest word every column shows at least.
	wordRoom = 12
)

type table struct {
	head  []richText
	rows  [][]richText
	align []east.Alignment
}

// table writes a table in columns if there is room, else as records.
func (l *layout) table(n *east.Table) {
	t := table{align: n.Alignments}
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		if r.Kind() == east.KindTableHeader {
			t.head = l.cells(r, l.base|strong, len(t.align))
		} else {
			t.rows = append(t.rows, l.cells(r, l.base, len(t.align)))
		}
	}
	if widths, ok := t.widths(l.room()); ok && l.width != Unwrapped {
		l.grid(t, widths)
	} else {
		l.records(t)
	}
}

// cells returns the cells of a row, and empty ones for those missing.
func (l *layout) cells(row ast.Node, st style, columns int) []richText {
	cells := make([]richText, 0, columns)
	for c := row.FirstChild(); c != nil && len(cells) < columns; c = c.NextSibling() {
		cells = append(cells, l.inline(c, st))
	}
	return append(cells, make([]richText, columns-len(cells))...)
}

// widths returns the width of each column; ok is false if there is no room for a table
// whose words stay whole. If room is short, it is shared so that the longest cells of
// all columns have about the same number of lines.
func (t *table) widths(room int) (widths []int, ok bool) {
	n := len(t.align)
	longest, minimum := make([]int, n), make([]int, n)
	for _, row := range append(t.rows, t.head) {
		for i := range row {
			longest[i] = max(longest[i], row[i].longestLine())
			minimum[i] = max(minimum[i], min(row[i].longestWord(), wordRoom))
		}
	}
	room -= columnGap * (n - 1)
	widths = make([]int, n)
	for i := range widths {
		widths[i] = max(minimum[i], 1)
		room -= widths[i]
	}
	if room < 0 {
		return nil, false
	}
	for room > 0 {
		widest := -1 // the column with the most lines
		for i, w := range widths {
			if w < longest[i] && (widest < 0 || longest[i]*widths[widest] > longest[widest]*w) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]++
		room--
	}
	return widths, true
}

// grid writes a table in columns, each with a heading and a line below it.
func (l *layout) grid(t table, widths []int) {
	rules := text.Each(widths, func(w int) string { return l.r.render(strings.Repeat(l.r.styles.horizontal, w), ruleRole) })
	l.gridRow(t.head, t.align, widths)
	l.emit(strings.Join(rules, strings.Repeat(" ", columnGap)))

	spaced := false // rows of several lines are separated by blank lines
	for _, row := range t.rows {
		for i := range row {
			spaced = spaced || len(row[i].wrap(widths[i])) > 1
		}
	}
	for i, row := range t.rows {
		if i > 0 && spaced {
			l.emit("")
		}
		l.gridRow(row, t.align, widths)
	}
}

// gridRow writes a row of a table, whose cells may be wrapped.
func (l *layout) gridRow(row []richText, align []east.Alignment, widths []int) {
	wrapped := make([][]line, len(row))
	height := 0
	for i := range row {
		wrapped[i] = row[i].wrap(widths[i])
		height = max(height, len(wrapped[i]))
	}
	for y := range height {
		var b strings.Builder
		blanks := 0 // blanks before the next text; no line ends with blanks
		for i := range row {
			var ln line
			if y < len(wrapped[i]) {
				ln = wrapped[i][y]
			}
			if ln.from == ln.to {
				blanks += widths[i] + columnGap
				continue
			}
			before := indent(align[i], widths[i]-ln.cells)
			b.WriteString(strings.Repeat(" ", blanks+before))
			row[i].write(&b, l.r, ln.from, ln.to)
			blanks = widths[i] - ln.cells - before + columnGap
		}
		l.emit(b.String())
	}
}

// indent returns how many spare cells of a column are before its text.
func indent(align east.Alignment, spare int) int {
	switch align {
	case east.AlignRight:
		return spare
	case east.AlignCenter:
		return spare / 2
	default:
		return 0
	}
}

// records writes a table that is too wide as one "header: value" line per cell.
func (l *layout) records(t table) {
	for i, row := range t.rows {
		if i > 0 {
			l.emit("")
		}
		for j := range row {
			l.record(t.head[j], row[j])
		}
	}
	if len(t.rows) == 0 {
		for j := range t.head {
			l.record(t.head[j], richText{})
		}
	}
}

func (l *layout) record(head, value richText) {
	var t richText
	if head.text != "" {
		t.appendText(head)
		t.add(": ", l.base)
	}
	t.appendText(value)
	l.withPrefix(prefix{rest: "  ", cells: 2}, func() { l.prose(t) })
}

func (t *richText) longestLine() int {
	longest, cells := 0, 0
	for c := range t.clusters {
		if cells += c.cells; t.text[c.from:c.to] == "\n" {
			cells = 0
		}
		longest = max(longest, cells)
	}
	return longest
}

// longestWord returns the width of the longest part that should not be broken.
func (t *richText) longestWord() int {
	longest, cells := 0, 0
	for c := range t.clusters {
		switch s := t.text[c.from:c.to]; {
		case s == " " || s == "\n":
			cells = 0
		case c.cells == 2:
			cells = 2
		default:
			cells += c.cells
		}
		longest = max(longest, cells)
	}
	return longest
}
