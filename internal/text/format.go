package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLabel is the most cells of a Label.
const maxLabel = 60

// Label makes foreign text fit into a line of a message.
func Label(s string) string { return Clip(Line(s), maxLabel) }

// Capitalize returns s with its first letter in upper case.
func Capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Sentence returns a text as a whole sentence: with a capital at its beginning and a full
// stop at its end.
func Sentence(s string) string {
	s = Capitalize(strings.TrimSpace(s))
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".?!") {
		return s
	}
	return s + "."
}

// Uncapitalize returns a sentence for the middle of another: its first letter is in lower
// case if the sentence begins with a word that is no name, as those written here do.
func Uncapitalize(s string) string {
	word, _, _ := strings.Cut(s, " ")
	switch word {
	case "A", "An", "Cancelled", "Cannot", "Cut", "Event", "Internal", "It", "Its", "Line", "Looking", "Named", "No", "Nobody", "Nothing",
		"Stopped", "That", "The", "There", "This", "Too", "Your":
		return strings.ToLower(word) + s[len(word):]
	}
	return s
}

// Indent indents every line of s by two spaces.
func Indent(s string) string {
	return "  " + strings.ReplaceAll(strings.Trim(s, "\n"), "\n", "\n  ")
}

// List joins names as in a sentence: "Ada, Brook and Cy".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// NumberLines returns the lines of a text with their numbers, the first of which is from.
func NumberLines(s string, from int) string {
	if s == "" {
		return "(empty)"
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(from))
		b.WriteByte('|')
		if line != "" {
			b.WriteByte(' ')
			b.WriteString(line)
		}
		from++
	}
	return b.String()
}
