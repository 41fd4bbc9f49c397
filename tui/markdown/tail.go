package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

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
// complete line begins another one; an incomplete line may still turn out to continue
// the block.
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

// blockRange is a block and its range in the source.
type blockRange struct {
	node     ast.Node
	from, to int
}

// blockRanges returns the blocks of the source before end.
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

// skipBlank removes blank lines at the start.
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

// lineStart returns the start of the line that contains a position.
func lineStart(src []byte, pos int) int {
	return bytes.LastIndexByte(src[:max(pos, 0)], '\n') + 1
}

// endsBlank reports whether the last line of src, which is complete, is blank.
func endsBlank(src []byte) bool {
	src = bytes.TrimSuffix(src, []byte("\n"))
	return isBlank(src[bytes.LastIndexByte(src, '\n')+1:])
}

// isBlank reports whether a line contains only spaces.
func isBlank(line []byte) bool { return len(bytes.Trim(line, " ")) == 0 }
