package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

const (
	// maxBlock is how much source one block may have before it is cut in two, so
	// that the work for its next line stays small.
	maxBlock = 4096
	// maxOpening is how much of a block's opening is repeated after such a cut.
	maxOpening = 512
)

// piece is the source of a block. It is laid out on its own, so that the lines of
// a block do not depend on what was known of the text when it was closed.
type blockSource struct {
	src    string
	blank  bool // a blank line precedes it
	joined bool // it continues a block that was cut
}

// tail is the end of a text: the last block, of which more may come.
type openTail struct {
	src      []byte
	searched int // how much of src has been searched for the end of a block
	blank    bool
	joined   bool
}

// take moves lines of the text that has arrived to the tail, not more at once
// than are searched well together. It returns how many bytes.
func (t *openTail) feed(arrived []byte) int {
	n := len(arrived)
	if n > 2*maxBlock {
		n = bytes.LastIndexByte(arrived[:2*maxBlock], '\n') + 1
	}
	t.src = append(t.src, arrived[:n]...)
	return n
}

// close removes the blocks that have ended. A block has ended when another has
// begun in a complete line: an incomplete line may still turn out to belong to
// the block before it.
func (t *openTail) closeBlocks(r *Renderer) []blockSource {
	var closed []blockSource
	for {
		t.skipBlank()
		end := bytes.LastIndexByte(t.src, '\n') + 1
		if end <= t.searched {
			return closed
		}
		chunks := t.blockRanges(r.blocks.Parse(text.NewReader(t.src[:end])), end)
		last := chunks[len(chunks)-1]
		for _, c := range chunks {
			if c.to-c.from > maxBlock {
				last = c
				break
			}
		}
		from := 0
		for _, c := range chunks {
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
		at, again := t.split(last.node)
		closed = append(closed, t.blockSource(0, at))
		t.drop(at, again)
		t.joined = true
		if again != nil {
			t.blank = false
		}
	}
}

// chunk is a block and where in the source it stands.
type blockRange struct {
	node     ast.Node
	from, to int
}

// chunks returns the blocks of the source up to an end.
func (t *openTail) blockRanges(root ast.Node, end int) []blockRange {
	all := []blockRange{{node: root.FirstChild(), to: end}}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		// A table and the sentence right before it begin at the same place.
		if last := &all[len(all)-1]; lineStart(t.src, n.Pos()) > last.from {
			last.to = lineStart(t.src, n.Pos())
			all = append(all, blockRange{n, last.to, end})
		}
	}
	return all
}

func (t *openTail) blockSource(from, to int) blockSource {
	p := blockSource{src: string(t.src[from:to]), blank: t.blank, joined: t.joined}
	if from > 0 {
		p.blank, p.joined = endsBlank(t.src[:from]), false
	}
	return p
}

// drop removes the source up to a place, and sets in its stead what opens again
// the block that stood there.
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

// cut returns where the block that begins the tail is cut, after a line and best
// where the next one is not indented, and what opens it again. Where depends on
// its first bytes only, so that it does not matter how much of it is there.
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

// opening returns the lines that open a block, as far as what follows them would
// be another kind of block without them.
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

// lineStart returns where the line that holds a position begins.
func lineStart(src []byte, pos int) int {
	return bytes.LastIndexByte(src[:max(pos, 0)], '\n') + 1
}

// endsBlank reports whether the last line of src, which is complete, is blank.
func endsBlank(src []byte) bool {
	src = bytes.TrimSuffix(src, []byte("\n"))
	return isBlank(src[bytes.LastIndexByte(src, '\n')+1:])
}

func isBlank(line []byte) bool { return len(bytes.Trim(line, " ")) == 0 }
