package pane

import (
	"strings"

	"roundtable/debate"
)

// maxVeiled bounds how much is held back: more than this is no structured part.
const maxBuffered = 16 << 10

// veil keeps the structured part at the end of a statement off the screen while
// it streams: from its opening fence on, until what follows shows that it was
// an ordinary block of code. The zero value is ready for use.
type jsonBlockFilter struct {
	buffer string // begins at the start of a line
	midLine  bool   // what was shown last ended within a line
}

// write takes the next piece and returns what may be shown.
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

// peek returns what of a piece could be shown, without taking it. Behind an
// opening fence that is nothing.
func (v *jsonBlockFilter) peek(piece string) string {
	if piece == "" || strings.Contains(v.buffer, "\n") {
		return ""
	}
	ahead := *v
	return ahead.write(piece)
}

// passable returns how many bytes of what is held can be shown now.
func (v *jsonBlockFilter) flushable() int {
	line, _, whole := strings.Cut(v.buffer, "\n")
	end := len(line)
	if whole {
		end++
	}
	switch {
	case v.midLine || !mayOpenBlock(line, whole):
		return end
	case !whole:
		return 0
	case len(v.buffer) > maxBuffered || debate.HideBlock(v.buffer) != "":
		return end
	}
	return 0
}

// mayOpen reports whether a line opens a fence as the structured part has it, or
// may still become one.
func mayOpenBlock(line string, whole bool) bool {
	rest := strings.TrimLeft(line, " ")
	const fence = "```"
	if !whole && len(rest) < len(fence) {
		return strings.HasPrefix(fence, rest)
	}
	word, is := strings.CutPrefix(rest, fence)
	word = strings.ToLower(strings.TrimSpace(word))
	if whole {
		return is && (word == "" || word == "json")
	}
	return is && strings.HasPrefix("json", word)
}
