// Package text is the one place that makes foreign text safe to show, folds text for
// comparison, and formats counts, tokens, money and time.
//
// # Safe text
//
// Whatever a model, a tool, a file, a server or a clipboard sends may hold
// terminal commands, characters that move, hide or reorder others, and bytes
// that are no text at all. All of it passes [Sanitize], [Line] or a [Stream] before
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
//   - a character carries at most 8 combining marks, and a mark without a base
//     character is shown on a dotted circle.
//
// [SanitizeInput] keeps more of what the user wrote, for agents and not for a screen.
//
// [ReadFile] reads a file of text that the user named, whatever that is.
//
// It imports the standard library, golang.org/x/text and x/ansi, and must not know who
// sent a text, what a figure is about or where either will be shown.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
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

// Width returns how many cells a line of safe text takes.
func Width(line string) int { return ansi.StringWidth(line) }

// Truncate cuts a safe line to a width in cells, with a mark at its end.
func Truncate(line string, width int) string { return ansi.Truncate(line, width, "…") }

// Wrap breaks the lines of safe text between words, so that they have at most the given
// width in cells.
func Wrap(s string, width int) string { return ansi.Wordwrap(s, width, "") }

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

// SanitizeLines returns s made safe with the number of its lines unchanged: what would
// begin another line, such as a lone carriage return, becomes a space.
func SanitizeLines(s string) string {
	if isPlain(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if !isPlain(line) {
			lines[i] = strings.ReplaceAll(Sanitize(line), "\n", " ")
		}
	}
	return strings.Join(lines, "\n")
}

// SanitizeInput returns text that the user wrote, made safe to store and to send. It is
// [Sanitize], but for what changes the look of the character before it: joiners, which
// emoji and several scripts are written with, variation selectors, skin tones and
// flags stay where such a character is. They have no width that all terminals
// agree on, so what is shown of the text passes [Sanitize] or [Line] all the same.
func SanitizeInput(s string) string {
	if strings.IndexFunc(s, isStyling) < 0 {
		return Sanitize(s)
	}
	var b strings.Builder
	based := false // the character before can be changed
	for i, r := range s {
		switch {
		case r >= privateUse && r < privateUse+privateCount:
			continue // it would be mistaken for a hidden character
		case !isStyling(r):
			b.WriteRune(r)
			based = hasShape(r) || based && unicode.Is(unicode.M, r)
			continue
		case isFlag(r):
			based = true
		case !based:
			continue
		case isJoiner(r):
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); !hasShape(next) {
				continue
			}
			based = false // it joins once
		}
		b.WriteRune(hide(r))
	}
	return strings.Map(unhide, Sanitize(b.String()))
}

// Sanitize drops joiners, selectors, skin tones and flags, so characters of the private use
// area replace those to keep while it runs.
const (
	privateUse   = 0x100000
	privateCount = 2 + 2 + 5 + 26
)

func hide(r rune) rune {
	switch {
	case isJoiner(r):
		return privateUse + r - 0x200c
	case r <= 0xfe0f:
		return privateUse + 2 + r - 0xfe0e
	case isFlag(r):
		return privateUse + 9 + r - 0x1f1e6
	}
	return privateUse + 4 + r - 0x1f3fb
}

func unhide(r rune) rune {
	switch n := r - privateUse; {
	case n < 0 || n >= privateCount:
		return r
	case n < 2:
		return 0x200c + n
	case n < 4:
		return 0xfe0e + n - 2
	case n < 9:
		return 0x1f3fb + n - 4
	default:
		return 0x1f1e6 + n - 9
	}
}

func isStyling(r rune) bool {
	return isJoiner(r) || r == '\ufe0e' || r == '\ufe0f' || r >= 0x1f3fb && r <= 0x1f3ff || isFlag(r)
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// isFlag reports whether r is half a flag.
func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func hasShape(r rune) bool {
	return r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.M, r) && !isShapeless(r)
}

// HasHidden reports whether a text has characters that cannot be seen, or that change the order
// of others. Those that choose the look of an emoji, or join letters and emoji that are not
// ASCII, are none.
func HasHidden(s string) bool {
	last := rune(0)
	for _, r := range s {
		look := r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || isJoiner(r)
		if isShapeless(r) && !(look && last >= 0x80) {
			return true
		}
		last = r
	}
	return false
}
