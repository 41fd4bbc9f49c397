package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// windowTitle names topic and state; it changes with the state, not with the stream.
func (m *Model) windowTitle() string {
	title := "Roundtable"
	if m.stack.open != nil {
		title = m.stack.open.debate.WindowTitle()
	}
	if m.deps.ASCII {
		return toASCII(title)
	}
	return withoutTerminator(title)
}

// narrow spells signs of ambiguous width in ASCII, one cell each: what asks for
// ASCII symbols would draw them two cells wide, or not at all.
var narrow = strings.NewReplacer("·", "-", "…", "~", "–", "-", "—", "-", "•", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'",
	"→", ">", "←", "<", "↑", "^", "↓", "v", "×", "x", "«", "<", "»", ">")

// withoutTerminator returns a title without characters that have the byte 0x9C in them, as
// Ü and М do: a terminal that looks for it byte by byte would take it for the end
// of the title, and draw the rest wherever its cursor is.
func withoutTerminator(title string) string {
	return strings.Map(func(r rune) rune {
		if strings.Contains(string(r), "\x9c") {
			return '?'
		}
		return r
	}, title)
}

// toASCII returns text for a terminal that does not speak UTF-8: to it the bytes of
// other characters than those of ASCII may be commands.
func toASCII(text string) string {
	i := strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
	if i < 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:i])
	for rest := narrow.Replace(text[i:]); rest != ""; {
		if rest[0] <= unicode.MaxASCII {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		char, cells := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		b.WriteString(strings.Repeat("?", cells))
		rest = rest[len(char):]
	}
	return b.String()
}
