package markdown

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
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
	open    block   // layout of rest
	current bool    // the layout is up to date
	stale   bool    // closed blocks are laid out for another width or style
}

// block is a block of the text with its lines.
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
		d.width, d.stale, d.current = width, true, false
	}
}

// SetRenderer changes the styles, at the cost of [Doc.SetWidth].
func (d *Doc) SetRenderer(r *Renderer) {
	if r != d.r {
		d.r, d.stale, d.current = r, true, false
	}
}

// Height returns the number of lines.
func (d *Doc) Height() int {
	d.update()
	return d.open.top + len(d.open.lines)
}

// Lines returns the lines in the range [from, to), as far as they exist.
func (d *Doc) Lines(from, to int) []string {
	height := d.Height()
	from, to = max(from, 0), min(to, height)
	if from >= to {
		return nil
	}
	lines := make([]string, to-from) // lines between blocks stay blank
	i := sort.Search(len(d.closed), func(i int) bool { return d.closed[i].bottom() > from })
	for ; i <= len(d.closed); i++ {
		b := &d.open
		if i < len(d.closed) {
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

// bottom returns the index of the line after the block.
func (b *block) bottom() int { return b.top + len(b.lines) }

// update brings the layout up to date with the text.
func (d *Doc) update() {
	if d.current {
		return
	}
	if d.stale {
		for i := range d.closed {
			d.layOutBlock(&d.closed[i], i)
		}
		d.stale = false
	}
	for len(d.pending) > 0 {
		n := d.rest.feed(d.pending)
		d.pending = d.pending[:copy(d.pending, d.pending[n:])]
		for _, p := range d.rest.closeBlocks(d.r) {
			d.closed = append(d.closed, block{blockSource: p})
			d.layOutBlock(&d.closed[len(d.closed)-1], len(d.closed)-1)
		}
	}
	d.open = block{blockSource: d.rest.blockSource(0, len(d.rest.src))}
	d.open.src += d.previewSource()
	d.layOutBlock(&d.open, len(d.closed))
	d.current = true
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
