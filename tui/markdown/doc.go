package markdown

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

const (
	// maxLine is how long a line of the source may be before it is broken at its
	// next blank, which in prose means the same.
	maxLine = 2048
	// maxWord is how much later it is broken where no blank comes.
	maxWord = 256
)

// Doc is a text that grows. What it shows depends on the text and the width
// alone, not on how the text arrived. The work for a change does not grow with
// the length of the text: it is bounded by the size of a block.
type Doc struct {
	r     *Renderer
	width int

	pending    []byte   // text not yet looked at
	preview    string   // shown at the end, and not part of the text
	lineLength int      // bytes since the last line of it began
	rest       openTail // the source of the last block, which may still change

	closed  []block // what cannot change any more
	open    block   // the layout of rest
	current bool    // the layout is that of the text
	stale   bool    // closed blocks are laid out for another width or style
}

// block is a piece of the text and its lines.
type block struct {
	blockSource
	lines       []string
	first, last blockKind // of what the lines show
	top         int       // where its first line stands
}

// NewDoc returns an empty text to be shown at a width. A width below 8 counts
// as 8.
func (r *Renderer) NewDoc(width int) *Doc {
	return &Doc{r: r, width: max(width, minWidth)}
}

// Append adds text at the end. It may end anywhere between two runes.
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

// Preview shows more text at the end of the last block, until the next Preview or
// without it: text of which the last character may still change. It becomes no
// part of the text.
func (d *Doc) Preview(text string) {
	if text != d.preview {
		d.preview, d.current = text, false
	}
}

// take adds one rune. Controls never reach the lines, whoever forgot to clean
// the text.
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

// SetWidth changes the width. All of the text is laid out again when it is
// shown next.
func (d *Doc) SetWidth(width int) {
	if width = max(width, minWidth); width != d.width {
		d.width, d.stale, d.current = width, true, false
	}
}

// SetRenderer changes the styles, like [Doc.SetWidth] the width.
func (d *Doc) SetRenderer(r *Renderer) {
	if r != d.r {
		d.r, d.stale, d.current = r, true, false
	}
}

// Height returns how many lines the text has.
func (d *Doc) Height() int {
	d.update()
	return d.open.top + len(d.open.lines)
}

// Lines returns the lines from one to before another, as far as they exist.
func (d *Doc) Lines(from, to int) []string {
	height := d.Height()
	from, to = max(from, 0), min(to, height)
	if from >= to {
		return nil
	}
	lines := make([]string, to-from) // what no block fills is a blank line
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

func (b *block) bottom() int { return b.top + len(b.lines) }

// settle brings the layout up to date with the text.
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

// previewed returns the preview as it would be in the source. It takes up the
// place of text that has arrived, of which there is none by then.
func (d *Doc) previewSource() string {
	line := d.lineLength
	for _, r := range d.preview {
		d.appendRune(r)
	}
	src := string(d.pending)
	d.pending, d.lineLength = d.pending[:0], line
	return src
}

// lay lays out a block that stands below the first n closed ones.
func (d *Doc) layOutBlock(b *block, n int) {
	l := layout{r: d.r, src: []byte(b.src), width: d.width}
	root := d.r.parse(l.src)
	b.first, b.last = l.siblings(root.FirstChild(), func(n ast.Node) bool {
		return endsBlank(l.src[:lineStart(l.src, n.Pos())])
	})
	b.lines = l.lines
	d.placeBlock(b, n)
}

// place sets where a block stands below the first n closed ones. One without
// lines takes no room, nor a gap, and passes on what stands above it.
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
