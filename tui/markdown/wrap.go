package markdown

import "strings"

// line is one line of a wrapped text: a range of its bytes, and its width.
type line struct {
	from, to int
	cells    int
}

// wrap breaks a text into lines of at most width cells: at blanks, between wide
// characters, and within a word only if it is longer than a line. It returns at least
// one line.
func (t *richText) wrap(width int) []line {
	w := wrapper{text: t.text, width: width}
	for c := range t.clusters {
		w.add(c)
	}
	w.end(len(t.text), w.cells)
	return w.lines
}

// wrapper is the state of wrapping: the current line and where it may end.
type wrapper struct {
	text  string
	width int
	lines []line

	start, cells int    // of the current line
	last         string // the last character
	lastCells    int

	wordBreak breakpoint // after a word
	soft      breakpoint // within a long word, after punctuation
}

// breakpoint is a position where a line may end and the next one begin. The zero value
// is none.
type breakpoint struct {
	end, next           int
	endCells, nextCells int
}

// add adds a character to the current line.
func (w *wrapper) add(c cluster) {
	s := w.text[c.from:c.to]
	switch {
	case s == "\n":
		w.end(c.from, w.cells)
		w.begin(c.to, 0)
		return
	case s == " ":
		w.addBlank(c)
		return
	}
	if w.cells > 0 && w.last != " " && (c.cells == 2 || w.lastCells == 2) && mayBreak(w.last, s) {
		w.wordBreak = breakpoint{c.from, c.from, w.cells, w.cells}
	}
	for w.cells > 0 && w.cells+c.cells > w.width {
		w.breakLine(c.from)
	}
	w.cells += c.cells
	w.last, w.lastCells = s, c.cells
	if strings.Contains("/-_.,;:?&=", s) {
		w.soft = breakpoint{c.to, c.to, w.cells, w.cells}
	}
}

// addBlank adds a blank. Blanks at the start of a line and at a line break are
// dropped.
func (w *wrapper) addBlank(c cluster) {
	if w.cells == 0 {
		w.start = c.to
		return
	}
	if w.last != " " {
		w.wordBreak = breakpoint{end: c.from, endCells: w.cells}
	}
	w.cells++
	w.wordBreak.next, w.wordBreak.nextCells = c.to, w.cells
	w.last, w.lastCells = " ", 1
}

// breakLine ends the line at the best position before a character that does not fit.
func (w *wrapper) breakLine(at int) {
	b := breakpoint{at, at, w.cells, w.cells}
	switch {
	case w.wordBreak.next > w.start:
		b = w.wordBreak
	case w.soft.next > w.start && w.soft.nextCells*2 >= w.width:
		b = w.soft
	}
	w.end(b.end, b.endCells)
	w.begin(b.next, w.cells-b.nextCells)
}

// end ends the current line, without trailing blanks.
func (w *wrapper) end(to, cells int) {
	if w.last == " " && to > w.start && w.text[to-1] == ' ' {
		to, cells = w.wordBreak.end, w.wordBreak.endCells
	}
	w.lines = append(w.lines, line{w.start, max(to, w.start), cells})
}

// begin starts a line of which some cells are already filled.
func (w *wrapper) begin(start, cells int) {
	w.soft.nextCells -= w.cells - cells
	w.soft.endCells -= w.cells - cells
	w.start, w.cells = start, cells
	if cells == 0 {
		w.last, w.lastCells = "", 0
	}
}

// mayBreak reports whether a line may end between two characters: not before closing
// and not after opening punctuation.
func mayBreak(before, after string) bool {
	const closing = "、。，．・：；？！）］｝」』】〉》〕…ー" +
		"々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]}"
	return !strings.Contains(closing, after) && !strings.Contains("（［｛「『【〈《〔([{", before)
}
