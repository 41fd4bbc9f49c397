package pane

import (
	"cmp"
	"slices"
	"strings"

	"roundtable/debate/statement"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
)

// safeStream makes foreign text safe as it arrives, and counts its tokens.
type safeStream struct {
	text text.Stream
	tokenCounter
}

// write returns the safe part of a piece of text.
func (s *safeStream) write(piece string) string {
	s.add(piece)
	return s.text.Write(piece)
}

// tone says what a text means for the debate.
type tone uint8

const (
	toneStatement tone = iota // the statement as others will see it, or its beginning
	toneWorking               // text before a tool call, which nobody else sees
	toneDiscarded             // text of an unused attempt, which nobody else sees
)

// textBlock shows the text of one completion.
type textBlock struct {
	static
	safe   safeStream
	prose  statement.ProseStream
	whole  string // the text, if it was complete from the start; it may be large and is not copied
	shown  strings.Builder
	doc    *markdown.Doc
	docLen int // number of bytes of the text that doc has
	tone   tone
	note   string // why the text was not used; "" if it was

	section *section // of the stored statement that this is; nil if it is none
}

// write adds the next piece as it arrives.
func (t *textBlock) write(piece string) { t.shown.WriteString(t.prose.Write(t.safe.write(piece))) }

// peek returns the last character, which the next piece may still change.
func (t *textBlock) peek() string { return t.prose.Peek(t.safe.text.Peek()) }

// newTextBlock returns a block for a complete text. Its structured block is hidden; a
// statement no longer has one.
func newTextBlock(words string, tone tone) *textBlock {
	t := &textBlock{tone: tone}
	words = strings.TrimSpace(text.Sanitize(words))
	if tone != toneStatement {
		words = statement.HideStructuredPart(words)
	}
	t.whole = words
	return t
}

// content returns what there is of the text.
func (t *textBlock) content() string { return cmp.Or(t.whole, t.shown.String()) }

// blank reports whether there is nothing to show.
func (t *textBlock) blank() bool { return strings.TrimSpace(t.content()) == "" && t.peek() == "" }

func (t *textBlock) draw(f frame) lazyLines {
	if t.blank() {
		return eagerLines{}
	}
	if f.changes && t.section != nil {
		if before, ok := f.statementBefore(t.section); ok {
			return eagerLines(f.changedLines(before, t.content()))
		}
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
	t.doc.Append(t.content()[t.docLen:])
	t.docLen = len(t.content())
	t.doc.Preview(t.peek())
	if t.note == "" {
		return t.doc
	}
	return headedLines{append(styleLines(wrapIndented(t.note, f.width, "", ""), f.th.Muted), ""), t.doc}
}

// headedLines are lines below a heading.
type headedLines struct {
	heading []string
	lazyLines
}

// Height returns the number of lines with the heading.
func (h headedLines) Height() int { return len(h.heading) + h.lazyLines.Height() }

// Lines returns the lines of a range; the heading comes first.
func (h headedLines) Lines(from, to int) []string {
	n := len(h.heading)
	lines := slices.Clone(h.heading[min(from, n):min(to, n)])
	return append(lines, h.lazyLines.Lines(max(from-n, 0), max(to-n, 0))...)
}
