package statement

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

const (
	maxBuffered = 16 << 10 // no structured part is longer
	maxPeeked   = 64       // more is held back for a block
	minObject   = 256      // from this length on an open object is read again only where it may end
)

// ProseStream passes on a statement while it streams, without its structured parts. It
// holds text back as long as that may become one, and until the bytes that came pay for
// reading it again. The zero value is ready to use.
type ProseStream struct {
	text   strings.Builder
	finder finder
	shown  int // how much of the prose
}

// Write adds a piece of text and returns what can be shown now.
func (p *ProseStream) Write(piece string) string {
	p.text.WriteString(piece)
	return p.read(p.text.String(), len(piece))
}

// Peek returns what Write would return for a piece, without adding it. While much is
// held back it returns "".
func (p *ProseStream) Peek(piece string) string {
	if piece == "" || len(p.finder.text)-p.finder.from > maxPeeked {
		return ""
	}
	ahead := ProseStream{finder: p.finder, shown: p.shown}
	ahead.finder.blocks, ahead.finder.prose = slices.Clone(p.finder.blocks), bytes.Clone(p.finder.prose)
	text := p.text.String() + piece
	ahead.finder.open = len(text) // nothing of the piece was looked at before
	return ahead.read(text, len(piece))
}

func (p *ProseStream) read(text string, grown int) string {
	f := &p.finder
	if f.names == nil {
		*f = finder{names: statementMembers, grows: true, work: minWork}
	}
	f.text = text
	f.work += workFactor * grown
	held := len(text) - f.from
	switch {
	case held > maxBuffered:
		f.at, f.blocks = len(text), f.blocks[:f.done]
		f.addProse(f.at)
	case f.open < len(text)-grown && held >= minObject && !strings.ContainsAny(text[len(text)-grown:], "}]`~\n") ||
		f.work < workFactor*held:
		return ""
	default:
		end := f.fences.read(text, true)
		f.work -= len(text) - f.fences.at // for a line that is read again
		f.find(max(f.at, end))
	}
	out := bytes.TrimRightFunc(f.prose[min(p.shown, len(f.prose)):], unicode.IsSpace)
	p.shown += len(out)
	return string(out)
}
