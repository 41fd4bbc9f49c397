package markdown

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// layout writes blocks as lines of a given width.
type layout struct {
	r     *Renderer
	src   []byte
	width int
	base  style // style of text

	prefixes []*prefix // written before every line, outermost first
	hidden   int       // number of outermost prefixes omitted for lack of room
	lines    []string
}

type prefix struct {
	first, rest string // before the first line, before the others
	cells       int
	used        bool
}

type blockKind uint8

const (
	otherKind blockKind = iota
	headingKind
	tightKind // the text of an item in a list without blank lines
	paragraphKind
	listKind
)

func kindOf(n ast.Node) blockKind {
	switch n.Kind() {
	case ast.KindHeading:
		return headingKind
	case ast.KindTextBlock:
		return tightKind
	case ast.KindParagraph:
		return paragraphKind
	case ast.KindList:
		return listKind
	default:
		return otherKind
	}
}

// needsGap reports whether a blank line separates two blocks. None follows a heading;
// between a paragraph and a list it depends on the source.
func needsGap(prev, next blockKind, blankBetween bool) bool {
	switch {
	case prev == headingKind || prev == tightKind:
		return false
	case prev == paragraphKind && next == listKind:
		return blankBetween
	default:
		return true
	}
}

// siblings writes the blocks from n on. It returns the kinds of the first and the last
// one that has any lines.
func (l *layout) siblings(n ast.Node, blankBefore func(ast.Node) bool) (first, last blockKind) {
	start := len(l.lines)
	for ; n != nil; n = n.NextSibling() {
		before, k := len(l.lines), kindOf(n)
		if before > start && needsGap(last, k, blankBefore(n)) {
			l.emit("")
		}
		content := len(l.lines)
		l.block(n)
		if len(l.lines) == content {
			l.lines = l.lines[:before]
			continue
		}
		if before == start {
			first = k
		}
		last = k
	}
	return first, last
}

func (l *layout) children(n ast.Node) {
	l.siblings(n.FirstChild(), ast.Node.HasBlankPreviousLines)
}

func (l *layout) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		l.prose(l.inline(n, l.base))
	case *ast.Heading:
		if n.HasChildren() {
			l.prose(l.inline(n, headingRole))
		}
	case *ast.List:
		l.list(n)
	case *ast.Blockquote:
		l.quote(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		l.code(n)
	case *ast.HTMLBlock:
		l.html(n)
	case *ast.ThematicBreak:
		l.emit(l.r.render(strings.Repeat(l.r.styles.horizontal, min(l.proseRoom(), proseWidth)), ruleRole))
	case *east.Table:
		l.table(n)
	default:
		l.children(n)
	}
}

func (l *layout) prose(t richText) { l.wrapped(t, l.proseRoom()) }

func (l *layout) wrapped(t richText, width int) {
	t.styleCitations()
	for _, ln := range t.wrap(width) {
		var b strings.Builder
		t.write(&b, l.r, ln.from, ln.to)
		l.emit(b.String())
	}
}

func (l *layout) quote(n *ast.Blockquote) {
	bar := l.r.render(l.r.styles.bar, ruleRole) + " "
	base := l.base
	l.base = quoteRole
	l.withPrefix(prefix{first: bar, rest: bar, cells: 2}, func() { l.children(n) })
	l.base = base
}

// code writes code without wrapping at words. A line that is too long continues on the
// next one, after a mark.
func (l *layout) code(n ast.Node) {
	indent := prefix{first: "  ", rest: "  ", cells: 2}
	if l.room() < 2*minWidth {
		indent = prefix{}
	}
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(l.src))
	}
	colors := newHighlighter(language)
	l.withPrefix(indent, func() {
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			l.codeLine(colors.line(strings.TrimRight(string(seg.Value(l.src)), " \n")))
		}
	})
}

func (l *layout) codeLine(t richText) {
	room, cells, from := l.room(), 0, 0
	piece := func(to int) string {
		var b strings.Builder
		t.write(&b, l.r, from, from+len(strings.TrimRight(t.text[from:to], " ")))
		return b.String()
	}
	lead, mark := "", l.r.render(l.r.styles.cut, markRole)
	for c := range t.clusters {
		if cells+c.cells > room {
			l.emit(lead + piece(c.from))
			lead, cells, from = mark, 1, c.from
		}
		cells += c.cells
	}
	l.emit(lead + piece(len(t.text)))
}

func (l *layout) html(n *ast.HTMLBlock) {
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		l.htmlLine(seg.Value(l.src))
	}
	if n.HasClosure() {
		l.htmlLine(n.ClosureLine.Value(l.src))
	}
}

func (l *layout) htmlLine(v []byte) {
	var t richText
	t.add(strings.TrimRight(string(v), " \n"), l.base)
	l.prose(t)
}

func (l *layout) proseRoom() int {
	if l.width == Unwrapped {
		return l.room()
	}
	return l.remaining(min(l.width, proseWidth))
}

// room returns the width available to code and tables.
func (l *layout) room() int { return l.remaining(l.width) }

// remaining subtracts the visible prefixes from a width.
func (l *layout) remaining(width int) int {
	for _, p := range l.prefixes[l.hidden:] {
		width -= p.cells
	}
	return width
}

// withPrefix calls f with an additional prefix before each line. If deep nesting
// leaves less than half of the width, outer prefixes are omitted.
func (l *layout) withPrefix(p prefix, f func()) {
	hidden := l.hidden
	l.prefixes = append(l.prefixes, &p)
	for l.proseRoom() < (min(l.width, proseWidth)+1)/2 {
		l.hidden++
	}
	f()
	l.prefixes = l.prefixes[:len(l.prefixes)-1]
	l.hidden = hidden
}

// emit writes one line with its prefixes.
func (l *layout) emit(content string) {
	var b strings.Builder
	for i, p := range l.prefixes {
		s := p.rest
		if !p.used {
			p.used, s = true, p.first
		}
		if i >= l.hidden {
			b.WriteString(s)
		}
	}
	if content == "" {
		l.lines = append(l.lines, strings.TrimRight(b.String(), " "))
		return
	}
	b.WriteString(content)
	l.lines = append(l.lines, b.String())
}

// list writes a list. Numbers are right-aligned, so that the text of all items begins
// in the same column.
func (l *layout) list(n *ast.List) {
	digits := len(strconv.Itoa(n.Start + n.ChildCount() - 1))
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := l.r.styles.bullet
		if n.IsOrdered() {
			s := strconv.Itoa(number)
			marker = strings.Repeat(" ", max(digits-len(s), 0)) + s + string(n.Marker)
			number++
		}
		if box := taskBox(item); box != "" {
			marker = strings.TrimPrefix(marker+" "+box, l.r.styles.bullet+" ")
		}
		if item != n.FirstChild() && !n.IsTight {
			l.emit("")
		}
		l.item(item, marker)
	}
}

func (l *layout) item(n ast.Node, marker string) {
	cells := ansi.StringWidth(marker) + 1
	p := prefix{first: l.r.render(marker, markRole) + " ", rest: strings.Repeat(" ", cells), cells: cells}
	l.withPrefix(p, func() {
		before := len(l.lines)
		l.children(n)
		if len(l.lines) == before {
			l.emit("")
		}
	})
}

// taskBox returns the check box of a task list item; "" if it has none.
func taskBox(item ast.Node) string {
	text := item.FirstChild()
	if text == nil {
		return ""
	}
	switch box, ok := text.FirstChild().(*east.TaskCheckBox); {
	case !ok:
		return ""
	case box.IsChecked:
		return "[x]"
	default:
		return "[ ]"
	}
}

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
