package tui

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/debate"
)


// windowTitle names topic and state; it changes with the state, not with the stream.
func (m *Model) windowTitle() string {
	title := "Roundtable"
	if m.board != nil {
		title = m.board.windowTitle(m.th.Symbols.Waits, m.th.Symbols.Ready, m.th.Symbols.Paused)
	}
	if m.deps.ASCII {
		return spell(title)
	}
	return endless(title)
}

func (b *board) windowTitle(waits, ready, paused string) string {
	s, name := b.session, safetext.Clip(b.title(), 60)
	switch open := len(s.Unanswered()); {
	case b.live != nil:
		return fmt.Sprintf("%s · round %d/%d", name, len(s.History), s.Rounds)
	case s.Verdict == nil && open > 0 && s.Status() == debate.NeedsContext:
		return fmt.Sprintf("%s %s · %d required", waits, name, open)
	case s.Verdict != nil:
		return fmt.Sprintf("%s %s · verdict", ready, name)
	default:
		return paused + " " + name
	}
}

// endless returns a title without characters that have the byte 0x9C in them, as
// Ü and М do: a terminal that looks for it byte by byte would take it for the end
// of the title, and draw the rest wherever its cursor is.
func endless(title string) string {
	return strings.Map(func(r rune) rune {
		if strings.Contains(string(r), "\x9c") {
			return '?'
		}
		return r
	}, title)
}

// spell returns text for a terminal that does not speak UTF-8: to it the bytes of
// other characters than those of ASCII may be commands.
func spell(text string) string {
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
