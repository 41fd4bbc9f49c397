package pane

import (
	"strings"

	"roundtable/debate"
)

// maxBuffered bounds how much text is held back; no structured block is longer.
const maxBuffered = 16 << 10

// jsonBlockFilter hides the structured JSON block at the end of a statement while it
// streams. It holds text back from an opening fence on, until what follows shows that
// the block is ordinary code. The zero value is ready to use.
type jsonBlockFilter struct {
	buffer  string // held back; starts at the beginning of a line
	midLine bool   // the text passed on so far ends within a line
}

// write adds a piece of text and returns what can be shown now.
func (v *jsonBlockFilter) write(piece string) string {
	v.buffer += piece
	var shown strings.Builder
	for v.buffer != "" {
		n := v.flushable()
		if n == 0 {
			break
		}
		shown.WriteString(v.buffer[:n])
		v.midLine = v.buffer[n-1] != '\n'
		v.buffer = v.buffer[n:]
	}
	return shown.String()
}

// peek returns what write would return for a piece, without adding it. While a block
// is held back it returns "".
func (v *jsonBlockFilter) peek(piece string) string {
	if piece == "" || strings.Contains(v.buffer, "\n") {
		return ""
	}
	copy := *v
	return copy.write(piece)
}

// flushable returns how many bytes of the buffer can be shown now.
func (v *jsonBlockFilter) flushable() int {
	line, _, complete := strings.Cut(v.buffer, "\n")
	end := len(line)
	if complete {
		end++
	}
	switch {
	case v.midLine || !mayOpenBlock(line, complete):
		return end
	case !complete:
		return 0
	case len(v.buffer) > maxBuffered || debate.HideStructuredPart(v.buffer) != "":
		return end
	}
	return 0
}

// mayOpenBlock reports whether a line opens a structured block, or may do so once it
// is complete.
func mayOpenBlock(line string, complete bool) bool {
	rest := strings.TrimLeft(line, " ")
	const fence = "```"
	if !complete && len(rest) < len(fence) {
		return strings.HasPrefix(fence, rest)
	}
	word, isFence := strings.CutPrefix(rest, fence)
	word = strings.ToLower(strings.TrimSpace(word))
	if complete {
		return isFence && (word == "" || word == "json")
	}
	return isFence && strings.HasPrefix("json", word)
}
