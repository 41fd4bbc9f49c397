package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// windowTitle names topic and state. It does not change while text streams in.
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

// narrow replaces characters of ambiguous width by one ASCII character each: a
// terminal that needs ASCII symbols draws them two cells wide, or not at all.
var narrow = strings.NewReplacer("·", "-", "…", "~", "–", "-", "—", "-", "•", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'",
	"→", ">", "←", "<", "↑", "^", "↓", "v", "×", "x", "«", "<", "»", ">")

// withoutTerminator replaces characters whose UTF-8 form contains the byte 0x9C,
// such as Ü and М. Some terminals take that byte for the end of the title, and
// draw the rest of it on the screen.
func withoutTerminator(title string) string {
	return strings.Map(func(r rune) rune {
		if strings.Contains(string(r), "\x9c") {
			return '?'
		}
		return r
	}, title)
}

// toASCII returns text for a terminal that does not speak UTF-8, which may take
// the bytes of other characters for commands.
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
