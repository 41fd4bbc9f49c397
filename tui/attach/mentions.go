package attach

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/debate/cite"
	"roundtable/tui/screen"
)

// Mentions are the @paths that the user typed in a text. A word that was pasted is none
// until a key changes it. The zero value has none.
type Mentions struct{ words []string }

// Typed notes, after a key, that the word which ends at the cursor or has it was typed.
// Line and column count from 0, the column in characters.
func (m *Mentions) Typed(text string, line, column int) {
	if at, ok := mentionAt(text, line, column); ok && at.Word != "" && !slices.Contains(m.words, at.Word) {
		m.words = append(m.words, at.Word)
	}
}

// Add notes that a word was typed in another way.
func (m *Mentions) Add(words ...string) { m.words = append(m.words, words...) }

// Field returns the path of the typed mention that ends at the cursor, to complete it. An
// @ alone is the beginning of any path.
func (m *Mentions) Field(state func() (text string, line, column int), insert func(string) screen.Outcome) *Field {
	return &Field{
		At: func() (string, bool) {
			text, line, column := state()
			at, ok := mentionAt(text, line, column)
			if !ok || at.To != offset(text, line, column) || at.Word != "" && !slices.Contains(m.words, at.Word) {
				return "", false
			}
			if quoted, ok := strings.CutPrefix(at.Word, `"`); ok {
				return quoted, !strings.Contains(quoted, `"`)
			}
			return at.Unescaped(), true
		},
		Insert: func(more string) screen.Outcome {
			text, line, column := state()
			if at, ok := mentionAt(text, line, column); ok && !strings.HasPrefix(at.Word, `"`) {
				more = cite.EscapeMention(more)
			}
			return insert(more)
		},
	}
}

// In returns the mentions in a text, in order.
func (m *Mentions) In(text string) []cite.Mention {
	return slices.DeleteFunc(cite.Mentions(text), func(one cite.Mention) bool {
		return one.Word == "" || !slices.Contains(m.words, one.Word)
	})
}

// Whole returns the only mention of a text that has nothing else.
func (m *Mentions) Whole(text string) (cite.Mention, bool) {
	all := m.In(text)
	if len(all) != 1 || strings.TrimSpace(text) != text[all[0].From:all[0].To] {
		return cite.Mention{}, false
	}
	return all[0], true
}

// mentionAt returns the @word that has the cursor in it or at its end.
func mentionAt(text string, line, column int) (cite.Mention, bool) {
	at := offset(text, line, column)
	for _, one := range cite.Mentions(text) {
		if one.From < at && at <= one.To {
			return one, true
		}
	}
	return cite.Mention{}, false
}

// offset returns the byte at a line and a character in it.
func offset(text string, line, column int) int {
	at := 0
	for range line {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	for range column {
		if at == len(text) || text[at] == '\n' {
			break
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}

// Beginning returns what begins a mention at the cursor: an @, after a blank where a word
// is before it.
func Beginning(text string, line, column int) string {
	at := offset(text, line, column)
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && !unicode.IsSpace(before) {
		return " @"
	}
	return "@"
}
