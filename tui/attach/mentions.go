package attach

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/tui/screen"
)

// Mentions are the @paths that the user typed in a text. A word that was pasted is none
// until a key changes it. The zero value has none.
type Mentions struct{ words []string }

// Mention is an @path in a text, such as @main.go or @"my file.txt". Without quotation
// marks, its file may be called by the word as a whole or by the word without the
// punctuation that follows it.
type Mention struct {
	From, To int    // in bytes, with the @
	Word     string // without the @; blanks outside of quotation marks have a backslash
}

// trailing is punctuation that may follow a path and may be a part of it.
const trailing = `.,;:!?)]}"'`

// Paths returns the paths that the word may stand for, the longest first.
func (m Mention) Paths() []string {
	if quoted, ok := strings.CutPrefix(m.Word, `"`); ok {
		inner, closed := strings.CutSuffix(quoted, `"`)
		if !closed || inner == "" {
			return nil
		}
		return []string{inner}
	}
	all := []string{unescape(m.Word)}
	if short := strings.TrimRight(m.Word, trailing); short != m.Word && short != "" {
		all = append(all, unescape(short))
	}
	return all
}

// end returns where the part of a mention ends that stands for one of its paths.
func (m Mention) end(path string) int {
	if strings.HasPrefix(m.Word, `"`) {
		return m.To
	}
	return m.From + 1 + len(escape(path))
}

func unescape(word string) string { return strings.ReplaceAll(word, `\ `, " ") }

func escape(path string) string { return strings.ReplaceAll(path, " ", `\ `) }

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
			return unescape(at.Word), true
		},
		Insert: func(more string) screen.Outcome {
			text, line, column := state()
			if at, ok := mentionAt(text, line, column); ok && !strings.HasPrefix(at.Word, `"`) {
				more = escape(more)
			}
			return insert(more)
		},
	}
}

// In returns the mentions in a text, in order.
func (m *Mentions) In(text string) []Mention {
	return slices.DeleteFunc(scan(text), func(one Mention) bool { return one.Word == "" || !slices.Contains(m.words, one.Word) })
}

// Whole returns the only mention of a text that has nothing else.
func (m *Mentions) Whole(text string) (Mention, bool) {
	all := m.In(text)
	if len(all) != 1 || strings.TrimSpace(text) != text[all[0].From:all[0].To] {
		return Mention{}, false
	}
	return all[0], true
}

// mentionAt returns the @word that has the cursor in it or at its end.
func mentionAt(text string, line, column int) (Mention, bool) {
	at := offset(text, line, column)
	for _, one := range scan(text) {
		if one.From < at && at <= one.To {
			return one, true
		}
	}
	return Mention{}, false
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

// scan returns all @words of a text: an @ at the beginning of a word, and what follows
// up to a blank that has no backslash before it.
func scan(text string) []Mention {
	var out []Mention
	begins := true
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r != '@' || !begins {
			begins = unicode.IsSpace(r) || strings.ContainsRune(`([{"'`, r)
			i += n
			continue
		}
		end := wordEnd(text, i+1)
		out = append(out, Mention{From: i, To: end, Word: text[i+1 : end]})
		i, begins = end, false
	}
	return out
}

// wordEnd returns where the word ends that begins at a byte: behind its second quotation
// mark, at the end of the line without one, or at a blank.
func wordEnd(text string, at int) int {
	line, _, _ := strings.Cut(text[at:], "\n")
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		if n := strings.IndexByte(quoted, '"'); n >= 0 {
			return at + 1 + n + 1
		}
		return at + len(line)
	}
	escaped := false
	for i, r := range line {
		if unicode.IsSpace(r) && (!escaped || r != ' ') {
			return at + i
		}
		escaped = r == '\\'
	}
	return at + len(line)
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

// replaceAll replaces the mentions of paths by their ids. Other mentions stay, and so
// does punctuation after a path.
func replaceAll(text string, all []Mention, ids map[string]string) string {
	var b strings.Builder
	from := 0
	for _, one := range all {
		for _, path := range one.Paths() {
			if id := ids[path]; id != "" {
				b.WriteString(text[from:one.From] + "[" + id + "]")
				from = one.end(path)
				break
			}
		}
	}
	return b.String() + text[from:]
}
