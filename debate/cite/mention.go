package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mention is an @path in a text, such as @main.go or @my\ file.txt. Its file may be called by
// the word as a whole, or by the word without the punctuation that follows it.
type Mention struct {
	From, To int    // in bytes, with the @
	Word     string // without the @; blanks have a backslash
}

const trailing = `.,;:!?)]}"'`

// Paths returns the paths that the word may name, the longest first.
func (m Mention) Paths() []string {
	all := []string{m.Unescaped()}
	if short := strings.TrimRight(m.Word, trailing); short != m.Word && short != "" {
		all = append(all, Mention{Word: short}.Unescaped())
	}
	return all
}

// Unescaped returns the word with blanks in place of escaped ones.
func (m Mention) Unescaped() string { return strings.ReplaceAll(m.Word, `\ `, " ") }

// EscapeMention escapes a path for a mention.
func EscapeMention(path string) string { return strings.ReplaceAll(path, " ", `\ `) }

// Mentions returns all @words of a text, which need not name a file: an @ at the beginning
// of a word, and what follows up to a blank that has no backslash before it.
func Mentions(text string) []Mention {
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

// wordEnd returns where a word ends: at a blank without a backslash.
func wordEnd(text string, at int) int {
	line, _, _ := strings.Cut(text[at:], "\n")
	escaped := false
	for i, r := range line {
		if unicode.IsSpace(r) && (!escaped || r != ' ') {
			return at + i
		}
		escaped = r == '\\'
	}
	return at + len(line)
}

// ReplaceMentions replaces the mentions of paths by their ids. Other mentions stay, and so
// does punctuation after a path.
func ReplaceMentions(text string, all []Mention, ids map[string]string) string {
	var b strings.Builder
	from := 0
	for _, one := range all {
		for _, path := range one.Paths() {
			if id := ids[path]; id != "" {
				b.WriteString(text[from:one.From] + "[" + id + "]")
				from = one.From + 1 + len(EscapeMention(path))
				break
			}
		}
	}
	return b.String() + text[from:]
}
