package textview

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"roundtable/tui/theme"
)

// Query is a text that is searched for, in lower case. An empty one finds nothing.
type Query []rune

// NewQuery returns the query for a text.
func NewQuery(words string) Query { return Query(lowered(words)) }

func lowered(s string) string { return strings.Map(unicode.ToLower, s) }

// First returns the characters of the first match in a line; ok is false if there is none.
func (q Query) First(line string) (from, to int, ok bool) {
	low := lowered(line)
	at := strings.Index(low, string(q))
	if at < 0 || len(q) == 0 {
		return 0, 0, false
	}
	from = len([]rune(low[:at]))
	return from, from + len(q), true
}

// Span is a range of characters within a line.
type Span struct{ Line, From, To int }

// Matches returns where the query occurs in wrapped lines, each match with its part of
// every line.
func (q Query) Matches(lines []string) [][]Span {
	if len(q) == 0 {
		return nil
	}
	var all []rune
	var at []Span // the position of each character of all
	for i, l := range lines {
		plain := []rune(strings.TrimRight(ansi.Strip(l), " "))
		lead := 0
		for lead < len(plain) && plain[lead] == ' ' {
			lead++
		}
		if len(all) > 0 {
			all, at = append(all, ' '), append(at, Span{Line: i, From: lead, To: lead})
		}
		for j := lead; j < len(plain); j++ {
			all, at = append(all, unicode.ToLower(plain[j])), append(at, Span{Line: i, From: j, To: j + 1})
		}
	}
	var found [][]Span
	for i := 0; i+len(q) <= len(all); i++ {
		if !slices.Equal(all[i:i+len(q)], []rune(q)) {
			continue
		}
		found = append(found, mergeSpans(at[i:i+len(q)]))
		i += len(q) - 1
	}
	return found
}

func mergeSpans(chars []Span) []Span {
	var out []Span
	for _, c := range chars {
		if n := len(out); n > 0 && out[n-1].Line == c.Line {
			out[n-1].To = max(out[n-1].To, c.To)
			continue
		}
		out = append(out, c)
	}
	return out
}

// Highlight returns wrapped lines with all matches highlighted.
func (q Query) Highlight(th *theme.Theme, lines []string) []string {
	out := slices.Clone(lines)
	for _, x := range slices.Backward(slices.Concat(q.Matches(lines)...)) {
		chars := []rune(ansi.Strip(lines[x.Line]))
		a, b := ansi.StringWidth(string(chars[:x.From])), ansi.StringWidth(string(chars[:x.To]))
		rest := ansi.TruncateLeft(out[x.Line], b, "")
		out[x.Line] = ansi.Truncate(out[x.Line], a, "") + th.Match(string(chars[x.From:x.To])) + rest
	}
	return out
}
