// Package safetext makes foreign text safe to show, log and export.
//
// Whatever a model, a tool, a file, a server or a clipboard sends may hold
// terminal commands, characters that move, hide or reorder others, and bytes
// that are no text at all. All of it passes [Text], [Line] or a [Stream] before
// anything else of the program keeps it for the screen.
//
// What comes out is valid UTF-8 in normal form C whose only control character
// is the line feed, and whose width in cells does not depend on the terminal as
// far as a character's properties can tell:
//
//   - CR, CRLF and the Unicode line separators are line feeds, tabs are spaces
//     up to the next of the 4-column stops;
//   - all other controls (C0, DEL, C1) and every escape sequence, in its 7-bit
//     and 8-bit form, are dropped; an unterminated one ends with its line;
//   - bytes that are not UTF-8 are shown as U+FFFD;
//   - characters without a shape of their own are dropped: bidirectional
//     controls, joiners, zero-width spaces, variation selectors, tags, fillers,
//     skin tones; a flag becomes its two letters;
//   - a character carries at most 8 combining marks, and a mark that has no
//     character to stand on stands on a dotted circle.
//
// [Own] keeps more of what the user wrote, for agents and not for a screen.
//
// It imports the standard library and golang.org/x/text, and must not know who
// sent the text or where it will be shown.
package safetext

import "strings"

// Text returns s made safe, its lines kept. It is idempotent, and returns plain
// ASCII as it is.
func Text(s string) string {
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
	s = Text(s)
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
