package pane

import (
	"strings"

	"roundtable/debate"
)

// maxVeiled bounds how much is held back: more than this is no structured part.
const maxVeiled = 16 << 10

// veil keeps the structured part at the end of a statement off the screen while
// it streams: from its opening fence on, until what follows shows that it was
// an ordinary block of code. The zero value is ready for use.
type veil struct {
	held string // begins at the start of a line
	mid  bool   // what was shown last ended within a line
}

// write takes the next piece and returns what may be shown.
func (v *veil) write(piece string) string {
	v.held += piece
	var shown strings.Builder
	for v.held != "" {
		n := v.passable()
		if n == 0 {
			break
		}
		shown.WriteString(v.held[:n])
		v.mid = v.held[n-1] != '\n'
		v.held = v.held[n:]
	}
	return shown.String()
}

// peek returns what of a piece could be shown, without taking it. Behind an
// opening fence that is nothing.
func (v *veil) peek(piece string) string {
	if piece == "" || strings.Contains(v.held, "\n") {
		return ""
	}
	ahead := *v
	return ahead.write(piece)
}

// passable returns how many bytes of what is held can be shown now.
func (v *veil) passable() int {
	line, _, whole := strings.Cut(v.held, "\n")
	end := len(line)
	if whole {
		end++
	}
	switch {
	case v.mid || !mayOpen(line, whole):
		return end
	case !whole:
		return 0
	case len(v.held) > maxVeiled || debate.HideStructuredPart(v.held) != "":
		return end
	}
	return 0
}

// mayOpen reports whether a line opens a fence as the structured part has it, or
// may still become one.
func mayOpen(line string, whole bool) bool {
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
