package markdown

import (
	"bytes"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

const (
	// maxLine is the length after which a line of the source is broken at the next
	// blank, which means the same in prose.
	maxLine = 2048
	// maxWord is how much later the line is broken if there is no blank.
	maxWord = 256
)

// Doc is a growing text. Its lines depend on the text and the width alone, not on how
// the text arrived. The cost of a change is bounded by the size of a block, not by the
// length of the text.
type Doc struct {
	r     *Renderer
	width int

	pending    []byte   // text that has not been searched for blocks
	preview    string   // shown at the end, but not part of the text
	lineLength int      // number of bytes in its last line
	rest       openTail // source of the last block, which may still change

	closed  []block // blocks that no longer change
	laid    int     // number of closed blocks that are laid out
	open    block   // layout of rest
	current bool    // the layout is up to date
	budget  *Budget // nil: no limit
}

// Budget limits how much text is laid out at once, so that a key press need not wait until
// all of a long text is. Documents share it.
type Budget struct {
	left  int
	short bool
}

// Step is how much a screen lays out for one drawing: a tenth of a second of the slowest text.
const Step = 128 << 10

// Refill allows for so many bytes, about, and forgets whether it was too little before.
func (b *Budget) Refill(bytes int) { b.left, b.short = bytes, false }

// Short reports whether a document had to leave text out since the budget was refilled.
func (b *Budget) Short() bool { return b.short }

// Left returns for how many bytes the budget allows yet; less than 0 if a block took more.
func (b *Budget) Left() int { return b.left }

type block struct {
	blockSource
	lines       []string
	first, last blockKind // kinds of the first and last visible child
	top         int       // index of its first line
}

// NewDoc returns an empty text to be shown at a width, of at least 8 cells.
func (r *Renderer) NewDoc(width int) *Doc {
	return &Doc{r: r, width: max(width, minWidth)}
}

// SetBudget limits what a call of Height or Lines lays out. Beyond it the text seems to end;
// later calls lay out more of it.
func (d *Doc) SetBudget(b *Budget) { d.budget = b }

// spend takes what the layout of bytes costs from the budget, if there is any left.
func (d *Doc) spend(bytes int) bool {
	if d.budget == nil {
		return true
	}
	if d.budget.left <= 0 {
		d.budget.short = true
		return false
	}
	d.budget.left -= bytes
	return true
}

// Append adds text at the end. The text may be cut anywhere between two runes.
func (d *Doc) Append(text string) {
	if text == "" {
		return
	}
	d.current = false
	d.pending = slices.Grow(d.pending, len(text))
	for _, r := range text {
		d.appendRune(r)
	}
}

// Preview shows additional text at the end, which does not become part of the text:
// its last character may still change. The next call replaces it.
func (d *Doc) Preview(text string) {
	if text != d.preview {
		d.preview, d.current = text, false
	}
}

// appendRune adds one rune. Control characters are dropped even if the caller has not
// made the text safe.
func (d *Doc) appendRune(r rune) {
	switch {
	case r == '\n':
		d.pending, d.lineLength = append(d.pending, '\n'), 0
		return
	case r == '\t':
		d.pending, d.lineLength = append(d.pending, "    "...), d.lineLength+4
		return
	case unicode.IsControl(r):
		return
	}
	if d.lineLength > maxLine && r == ' ' || d.lineLength > maxLine+maxWord {
		d.pending, d.lineLength = append(d.pending, '\n'), 0
		if r == ' ' {
			return
		}
	}
	d.pending = utf8.AppendRune(d.pending, r)
	d.lineLength += utf8.RuneLen(r)
}

// SetWidth changes the width. The next drawing lays out the whole text.
func (d *Doc) SetWidth(width int) {
	if width = max(width, minWidth); width != d.width {
		d.width, d.laid, d.current = width, 0, false
	}
}

// SetRenderer changes the styles, at the cost of [Doc.SetWidth].
func (d *Doc) SetRenderer(r *Renderer) {
	if r != d.r {
		d.r, d.laid, d.current = r, 0, false
	}
}

// Height returns the number of lines.
func (d *Doc) Height() int {
	d.update()
	return d.open.top + len(d.open.lines)
}

// Closed returns how many of the first lines stay as they are when text is added.
func (d *Doc) Closed() int {
	d.update()
	if d.laid == 0 {
		return 0
	}
	return d.closed[d.laid-1].bottom()
}

// Lines returns the lines in the range [from, to) that exist.
func (d *Doc) Lines(from, to int) []string {
	height := d.Height()
	from, to = max(from, 0), min(to, height)
	if from >= to {
		return nil
	}
	lines := make([]string, to-from) // lines between blocks stay blank
	i := sort.Search(d.laid, func(i int) bool { return d.closed[i].bottom() > from })
	for ; i <= d.laid; i++ {
		b := &d.open
		if i < d.laid {
			b = &d.closed[i]
		}
		if b.top >= to {
			break
		}
		if skip := from - b.top; skip > 0 {
			copy(lines, b.lines[min(skip, len(b.lines)):])
		} else {
			copy(lines[-skip:], b.lines)
		}
	}
	return lines
}

func (b *block) bottom() int { return b.top + len(b.lines) }

// update brings the layout up to date with the text, as far as the budget allows.
func (d *Doc) update() {
	if d.current {
		return
	}
	for from := 0; ; {
		for ; d.laid < len(d.closed); d.laid++ {
			if !d.spend(len(d.closed[d.laid].src)) {
				d.pending = d.pending[from:]
				d.endHere()
				return
			}
			d.layOutBlock(&d.closed[d.laid], d.laid)
		}
		if from == len(d.pending) {
			break
		}
		from += d.rest.feed(d.pending[from:])
		for _, p := range d.rest.closeBlocks(d.r) {
			d.closed = append(d.closed, block{blockSource: p})
		}
	}
	d.pending = d.pending[:0]
	d.open = block{blockSource: d.rest.blockSource(0, len(d.rest.src))}
	d.open.src += d.previewSource()
	d.layOutBlock(&d.open, len(d.closed))
	d.current = true
}

// endHere lets the text end after the blocks that are laid out.
func (d *Doc) endHere() {
	d.open = block{}
	if d.laid > 0 {
		d.open.top = d.closed[d.laid-1].bottom()
	}
}

// previewSource returns the preview as source. It uses the buffer of pending text,
// which is empty when it is called.
func (d *Doc) previewSource() string {
	line := d.lineLength
	for _, r := range d.preview {
		d.appendRune(r)
	}
	src := string(d.pending)
	d.pending, d.lineLength = d.pending[:0], line
	return src
}

// layOutBlock lays out a block that follows the first n closed ones.
func (d *Doc) layOutBlock(b *block, n int) {
	l := layout{r: d.r, src: []byte(b.src), width: d.width}
	root := d.r.parse(l.src)
	b.first, b.last = l.siblings(root.FirstChild(), func(n ast.Node) bool {
		return endsBlank(l.src[:lineStart(l.src, n.Pos())])
	})
	b.lines = l.lines
	d.placeBlock(b, n)
}

// placeBlock sets the position of a block after the first n closed ones. A block
// without lines takes no room and no gap, and passes on the kind of the block above.
func (d *Doc) placeBlock(b *block, n int) {
	if n == 0 {
		b.top = 0
		return
	}
	above := &d.closed[n-1]
	b.top = above.bottom()
	switch {
	case len(b.lines) == 0:
		b.last = above.last
	case b.joined && b.blank, b.top > 0 && !b.joined && needsGap(above.last, b.first, b.blank):
		b.top++
	}
}

const (
	// maxBlock is how many bytes of source a block may have before it is split, so
	// that the cost of its next line stays small.
	maxBlock = 4096
	// maxOpening is how many bytes of the opening of a block are repeated after a
	// split.
	maxOpening = 512
)

// blockSource is the source of a block. It is laid out on its own, so that its lines
// do not depend on how much of the text was known when it was closed.
type blockSource struct {
	src    string
	blank  bool // a blank line precedes it
	joined bool // it continues a block that was split
}

// openTail is the end of the text: the source of the last block, which may still grow.
type openTail struct {
	src      []byte
	searched int // number of bytes of src searched for the end of a block
	blank    bool
	joined   bool
}

// feed moves pending text to the tail, at most as much as can be searched at once. It
// returns how many bytes.
func (t *openTail) feed(arrived []byte) int {
	n := len(arrived)
	if n > 2*maxBlock {
		n = bytes.LastIndexByte(arrived[:2*maxBlock], '\n') + 1
	}
	t.src = append(t.src, arrived[:n]...)
	return n
}

// closeBlocks removes and returns the blocks that have ended. A block ends when a
// complete line begins another one, a paragraph also with a blank line; an incomplete line
// may still turn out to continue the block.
func (t *openTail) closeBlocks(r *Renderer) []blockSource {
	var closed []blockSource
	for {
		t.skipBlank()
		end := bytes.LastIndexByte(t.src, '\n') + 1
		if end <= t.searched {
			return closed
		}
		ranges := t.blockRanges(r.blocks.Parse(text.NewReader(t.src[:end])), end)
		last := ranges[len(ranges)-1]
		if last.node != nil && last.node.Kind() == ast.KindParagraph && endsBlank(t.src[:end]) {
			last = blockRange{from: end, to: end} // no line continues a paragraph after a blank one
		}
		for _, c := range ranges {
			if c.to-c.from > maxBlock {
				last = c
				break
			}
		}
		from := 0
		for _, c := range ranges {
			if c == last {
				break
			}
			closed = append(closed, t.blockSource(from, c.to))
			from = c.to
		}
		t.drop(from, nil)
		if last.to-last.from <= maxBlock {
			t.searched = end - from
			return closed
		}
		at, reopening := t.split(last.node)
		closed = append(closed, t.blockSource(0, at))
		t.drop(at, reopening)
		t.joined = true
		if reopening != nil {
			t.blank = false
		}
	}
}

type blockRange struct {
	node     ast.Node
	from, to int
}

func (t *openTail) blockRanges(root ast.Node, end int) []blockRange {
	all := []blockRange{{node: root.FirstChild(), to: end}}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		// A table and the paragraph right before it have the same position.
		if last := &all[len(all)-1]; lineStart(t.src, n.Pos()) > last.from {
			last.to = lineStart(t.src, n.Pos())
			all = append(all, blockRange{n, last.to, end})
		}
	}
	return all
}

// blockSource returns a range of the tail as the source of a block.
func (t *openTail) blockSource(from, to int) blockSource {
	p := blockSource{src: string(t.src[from:to]), blank: t.blank, joined: t.joined}
	if from > 0 {
		p.blank, p.joined = endsBlank(t.src[:from]), false
	}
	return p
}

// drop removes the source before a position, and puts the lines that reopen a split
// block in its place.
func (t *openTail) drop(to int, again []byte) {
	if to == 0 {
		return
	}
	t.blank, t.joined = endsBlank(t.src[:to]), false
	t.src = append(again, t.src[to:]...)
	t.searched = 0
}

func (t *openTail) skipBlank() {
	to := 0
	for {
		nl := bytes.IndexByte(t.src[to:], '\n')
		if nl < 0 || !isBlank(t.src[to:to+nl]) {
			break
		}
		to += nl + 1
	}
	t.drop(to, nil)
}

// split returns where to split the first block, and the lines that reopen it. It is
// split after a line, preferably before one that is not indented. The position depends
// only on the first bytes of the block, not on how much of it has arrived.
func (t *openTail) split(n ast.Node) (at int, again []byte) {
	again = t.reopening(n)
	flush := 0
	for i := len(again) + 1; i <= maxBlock; i++ {
		if t.src[i-1] != '\n' {
			continue
		}
		if at = i; t.src[i] > ' ' {
			flush = i
		}
	}
	if flush > maxBlock/4 {
		at = flush
	}
	return at, again
}

// reopening returns the opening lines of a block without which the rest would be
// another kind of block.
func (t *openTail) reopening(n ast.Node) []byte {
	lines := 0
	switch n.Kind() {
	case ast.KindFencedCodeBlock:
		lines = 1
	case east.KindTable:
		lines = 2
	}
	at := 0
	for range lines {
		at += bytes.IndexByte(t.src[at:], '\n') + 1
	}
	if at == 0 || at > maxOpening {
		return nil
	}
	return bytes.Clone(t.src[:at])
}

func lineStart(src []byte, pos int) int {
	return bytes.LastIndexByte(src[:max(pos, 0)], '\n') + 1
}

// endsBlank reports whether the last line of src, which is complete, is blank.
func endsBlank(src []byte) bool {
	src = bytes.TrimSuffix(src, []byte("\n"))
	return isBlank(src[bytes.LastIndexByte(src, '\n')+1:])
}

func isBlank(line []byte) bool { return len(bytes.Trim(line, " ")) == 0 }
