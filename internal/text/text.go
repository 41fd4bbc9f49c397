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
//   - all other controls (C0, DEL, C1) and every escape sequence are dropped;
//     an unterminated one ends with its line;
//   - bytes that are not UTF-8 are shown as U+FFFD;
//   - characters without a shape of their own are dropped: bidirectional
//     controls, zero-width spaces, tags, fillers, and what joins or colours emoji, so
//     that those are shown one by one, and a flag as its letters. Joiners stay
//     between letters that are spelled with them;
//   - a character carries at most 8 combining marks, and a mark without a base
//     character is shown on a dotted circle.
//
// [Clean] keeps the bytes, for agents, the database, exports and pipes.
//
// [ReadFile] reads a file of text that the user named, whatever that is.
//
// It imports the standard library, golang.org/x/text and x/ansi, and must not know who
// sent a text, what a figure is about or where either will be shown.
package text

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// Sanitize returns s made safe, its lines kept. It is idempotent, and returns plain
// ASCII as it is.
func Sanitize(s string) string {
	if isPlain(s) {
		return s
	}
	return norm.NFC.String(shape(norm.NFC.String(spelling.Replace(Clean(s)))))
}

// Line returns s made safe as one line for a title, a label or a notice: line
// breaks, with the space around them, become one space each, and both ends are
// trimmed.
func Line(s string) string {
	var parts []string
	for line := range strings.SplitSeq(Sanitize(s), "\n") {
		if line = strings.Trim(line, " "); line != "" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, " ")
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
		if n == runes {
			return strings.TrimRight(s[:cut], " \n") + "…"
		}
		if !isMark(r) && !isJoiner(r) {
			cut = i
		}
		n++
	}
	return s
}

// isPlain reports whether a text is printable ASCII and line feeds.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

// Clean returns s as the database, exports and pipes keep it: byte for byte, but without escape
// sequences, bidirectional overrides, and controls other than tab and line feed. It turns CR and
// CRLF into line feeds, and invalid UTF-8 into U+FFFD. It is idempotent. To draw the text, pass
// it through [Sanitize] or [Line].
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	s = lineEnds.Replace(strings.ToValidUTF8(s, "\ufffd"))
	s = strings.Map(func(r rune) rune { // those that terminals execute even within a sequence
		if r < ' ' && !strings.ContainsRune("\t\n\a\x18\x1a\x1b", r) || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if strings.ContainsFunc(s, introduces) {
		s = sequence().ReplaceAllStringFunc(s, func(found string) string {
			if len(found) > maxHidden {
				return found[2:]
			}
			return ""
		})
	}
	return strings.Map(func(r rune) rune {
		reorders := r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 // overrides, embeds or isolates a direction
		if unicode.IsControl(r) && r != '\t' && r != '\n' || reorders {
			return -1
		}
		return r
	}, s)
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// maxHidden bounds how many bytes a string that is never terminated can hide. What is longer is
// shown.
const maxHidden = 4096

// sequence matches escape sequences in their 7-bit and 8-bit form: control sequences, strings (OSC,
// DCS, APC, PM, SOS) and short ones. One that something unexpected breaks off ends there.
var sequence = Regexp(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]?` +
	`|(?:\x1b[PX\]^_]|[\x{90}\x{98}\x{9d}-\x{9f}])` + payload + `[\x07\x{9c}]?|\x1b[ -/]*[0-~]?`)

// payload is what a string may hold.
const payload = `[^\x07\x18\x1a\x1b\n\x{80}-\x{9f}]*`

// Regexp compiles an expression when it is first used, not at every start.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// CleanLines is [Clean] with the number of the lines unchanged: what would begin another line,
// such as a lone carriage return, becomes a space.
func CleanLines(s string) string {
	if isPlain(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if !isPlain(line) {
			lines[i] = strings.ReplaceAll(Clean(strings.TrimSuffix(line, "\r")), "\n", " ")
		}
	}
	return strings.Join(lines, "\n")
}

// HasHidden reports whether a text has characters that cannot be seen, or that change the order
// of others. Those that choose the look of an emoji, or join letters and emoji that are not
// ASCII, are none.
func HasHidden(s string) bool {
	last := rune(0)
	for _, r := range s {
		look := r >= 0xfe00 && r <= 0xfe0f || isTone(r) || isJoiner(r)
		if isShapeless(r) && !(look && last >= 0x80) {
			return true
		}
		last = r
	}
	return false
}
