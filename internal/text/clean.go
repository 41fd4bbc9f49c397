package text

import (
	"strings"
)

// Sanitize returns s made safe, its lines kept. It is idempotent, and returns plain
// ASCII as it is.
func Sanitize(s string) string {
	if isPlain(s) {
		return s
	}
	var t Stream
	return string(t.end(t.feed(make([]byte, 0, len(s)+8), s)))
}

// Line returns s made safe as one line for a title, a label or a notice: line
// breaks, with the space around them, become one space each, and both ends are
// trimmed.
func Line(s string) string {
	s = Sanitize(s)
	if strings.IndexByte(s, '\n') < 0 {
		return strings.Trim(s, " ")
	}
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.Trim(line, " ")
		if line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// Clip cuts safe text to at most the given number of runes; where something is
// cut, the last of them is "…". A character is never parted from its marks.
func Clip(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	if runes <= 0 {
		return ""
	}
	cut, n := 0, 0 // cut: where the last character that leaves room for … ends
	for i, r := range s {
		if n < runes && !isMark(r) {
			cut = i
		}
		if n == runes {
			return strings.TrimRight(s[:cut], " \n") + "…"
		}
		n++
	}
	return s
}

// isPlain reports whether s is printable ASCII and line feeds only.
func isPlain(s string) bool {
	return plainPrefix(s) == len(s)
}

// plainPrefix returns how many bytes at the start of s are printable ASCII or
// line feeds.
func plainPrefix(s string) int {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && c != '\n' {
			return i
		}
	}
	return len(s)
}
