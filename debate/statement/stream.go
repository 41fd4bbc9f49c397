package statement

import (
	"slices"
	"strings"
)

// Limits of the text that is held back.
const (
	maxBuffered = 16 << 10 // no structured part is longer
	minObject   = 256      // from this length on an open object is read again only where it may end
)

// ProseStream passes on a statement while it streams, without its structured parts. It
// holds text back as long as that may become one. The zero value is ready to use.
type ProseStream struct {
	buffer string // held back
	fence  string // line that opens the code block in which the buffer begins; "" outside code
	inLine bool   // the buffer begins within a line
	open   bool   // the buffer is an object that has not ended
}

// Write adds a piece of text and returns what can be shown now.
func (p *ProseStream) Write(piece string) string {
	if p.open && len(p.buffer) >= minObject && len(p.buffer) < maxBuffered && !strings.ContainsAny(piece, "}]`~\n") {
		p.buffer += piece
		return ""
	}
	before := p.fence
	if p.inLine {
		before += "."
	}
	text := before + p.buffer + piece
	f := findBlocks(text, statementMembers, workFactor*len(text)+minWork)
	end := f.decided()
	if len(text)-len(before) > maxBuffered {
		end = len(text)
	}
	end = max(end, len(before))
	shown, from := "", len(before)
	for _, b := range f.blocks {
		if b.end <= end && b.start >= from {
			shown += text[from:b.start]
			from = b.end
		}
	}
	shown += text[from:end]
	p.buffer, p.open = text[end:], end == f.pending
	p.inLine = end > len(p.fence) && text[end-1] != '\n'
	p.fence = f.openFence(end)
	return shown
}

// Peek returns what Write would return for a piece, without adding it. While much is
// held back it returns "".
func (p *ProseStream) Peek(piece string) string {
	if piece == "" || strings.Contains(p.buffer, "\n") {
		return ""
	}
	copied := *p
	return copied.Write(piece)
}

// decided returns up to where a growing text is certain: its end cannot become a block or
// a fence, and a block at its end is not yet followed by prose.
func (f *blockFinder) decided() int {
	end := f.pending
	for _, b := range slices.Backward(f.blocks) {
		if b.end <= end && strings.TrimSpace(f.text[b.end:end]) != "" {
			break
		}
		end = min(end, b.start)
	}
	line := strings.LastIndexByte(f.text, '\n') + 1
	if _, ok := parseFence(f.text[line:]); ok {
		end = min(end, line)
	}
	return end
}

// openFence returns the line that opens the code block in which an offset is.
func (f *blockFinder) openFence(at int) string {
	for i := len(f.fences) - 1; i >= 0; i-- {
		if fence := f.fences[i]; fence.start < at {
			if !fence.opens {
				return ""
			}
			line, _, _ := strings.Cut(f.text[fence.start:fence.content], "\n")
			return line + "\n"
		}
	}
	return ""
}
