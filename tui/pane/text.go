package pane

import (
	"slices"
	"strings"

	"roundtable/agents/safetext"
	"roundtable/tui/markdown"
)

// stream makes foreign text safe that arrives in pieces.
type safeStream struct {
	text safetext.Stream
	tokenCounter
}

func (s *safeStream) write(piece string) string {
	s.add(piece)
	return s.text.Write(piece)
}

// tone says what a text is to the debate.
type tone uint8

const (
	toneStatement tone = iota // what the others will see, as far as it has come
	toneWorking               // said before a tool was called: passed to nobody
	toneDiscarded                  // of an attempt that came to nothing: passed to nobody
)

// text is prose of one completion.
type textBlock struct {
	static
	safe    safeStream
	filter  jsonBlockFilter
	shown strings.Builder
	doc   *markdown.Doc
	docLen   int // bytes of shown that doc has
	tone  tone
	note  string // why a kept text is one
}

// write takes the next piece as it comes off the wire.
func (t *textBlock) write(piece string) { t.shown.WriteString(t.filter.write(t.safe.write(piece))) }

// peek returns the last character, which the next piece may still change.
func (t *textBlock) peek() string { return t.filter.peek(t.safe.text.Peek()) }

// settled returns a text that is whole. Only a statement has been parted from
// its structured block before.
func newTextBlock(words string, as tone) *textBlock {
	t := &textBlock{tone: as}
	words = strings.TrimSpace(safetext.Text(words))
	if as != toneStatement {
		words = t.filter.write(words)
	}
	t.shown.WriteString(words)
	return t
}

func (t *textBlock) blank() bool { return strings.TrimSpace(t.shown.String()) == "" && t.peek() == "" }

func (t *textBlock) draw(f frame) lazyLines {
	if t.blank() {
		return eagerLines{}
	}
	style := f.faint
	if t.tone == toneStatement {
		style = f.prose
	}
	if t.doc == nil {
		t.doc = style.NewDoc(f.width)
	}
	t.doc.SetRenderer(style)
	t.doc.SetWidth(f.width)
	t.doc.Append(t.shown.String()[t.docLen:])
	t.docLen = t.shown.Len()
	t.doc.Preview(t.peek())
	if t.note == "" {
		return t.doc
	}
	return headedLines{append(styleLines(wrapIndented(t.note, f.width, "", ""), f.th.Muted), ""), t.doc}
}

// headed is a sheet with lines above it.
type headedLines struct {
	heading []string
	lazyLines
}

func (h headedLines) Height() int { return len(h.heading) + h.lazyLines.Height() }

func (h headedLines) Lines(from, to int) []string {
	n := len(h.heading)
	lines := slices.Clone(h.heading[min(from, n):min(to, n)])
	return append(lines, h.lazyLines.Lines(max(from-n, 0), max(to-n, 0))...)
}
