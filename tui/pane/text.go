package pane

import (
	"slices"
	"strings"

	"roundtable/agents/safetext"
	"roundtable/tui/markdown"
)


// stream makes foreign text safe that arrives in pieces.
type stream struct {
	safe safetext.Stream
	counter
}

func (s *stream) write(piece string) string {
	s.count(piece)
	return s.safe.Write(piece)
}

// tone says what a text is to the debate.
type tone uint8

const (
	statement tone = iota // what the others will see, as far as it has come
	working               // said before a tool was called: passed to nobody
	kept                  // of an attempt that came to nothing: passed to nobody
)

// text is prose of one completion.
type text struct {
	constant
	in    stream
	veil  veil
	shown strings.Builder
	doc   *markdown.Doc
	fed   int // bytes of shown that doc has
	tone  tone
	mark  string // why a kept text is one
}

// write takes the next piece as it comes off the wire.
func (t *text) write(piece string) { t.shown.WriteString(t.veil.write(t.in.write(piece))) }

// peek returns the last character, which the next piece may still change.
func (t *text) peek() string { return t.veil.peek(t.in.safe.Peek()) }

// settled returns a text that is whole. Only a statement has been parted from
// its structured block before.
func settled(words string, as tone) *text {
	t := &text{tone: as}
	words = strings.TrimSpace(safetext.Text(words))
	if as != statement {
		words = t.veil.write(words)
	}
	t.shown.WriteString(words)
	return t
}

func (t *text) blank() bool { return strings.TrimSpace(t.shown.String()) == "" && t.peek() == "" }

func (t *text) draw(f frame) sheet {
	if t.blank() {
		return rows{}
	}
	style := f.faint
	if t.tone == statement {
		style = f.prose
	}
	if t.doc == nil {
		t.doc = style.NewDoc(f.width)
	}
	t.doc.SetRenderer(style)
	t.doc.SetWidth(f.width)
	t.doc.Append(t.shown.String()[t.fed:])
	t.fed = t.shown.Len()
	t.doc.Preview(t.peek())
	if t.mark == "" {
		return t.doc
	}
	return headed{append(paint(hang(t.mark, f.width, "", ""), f.th.Muted), ""), t.doc}
}

// headed is a sheet with lines above it.
type headed struct {
	head []string
	sheet
}

func (h headed) Height() int { return len(h.head) + h.sheet.Height() }

func (h headed) Lines(from, to int) []string {
	n := len(h.head)
	lines := slices.Clone(h.head[min(from, n):min(to, n)])
	return append(lines, h.sheet.Lines(max(from-n, 0), max(to-n, 0))...)
}
