package cli

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
	"roundtable/store"
)

// matchLine is a text in which the words of a search were found, as JSON.
type matchLine struct {
	Place   store.Place `json:"place"`
	Round   int         `json:"round,omitempty"`   // of a statement
	Agent   agents.ID   `json:"agent,omitempty"`   // of a statement
	Request string      `json:"request,omitempty"` // of an answer
	Excerpt string      `json:"excerpt"`
	Words   [][2]int    `json:"words"` // where they are in the excerpt: begin and end, in characters
}

// matchLines returns the matches of a session as JSON; nil without a search.
func matchLines(found store.Found, words []string) []matchLine {
	var out []matchLine
	for _, m := range found.Matches {
		excerpt := excerptOf(m)
		line := matchLine{Place: m.Place, Round: m.Round, Agent: m.Agent, Request: m.Request, Excerpt: excerpt, Words: [][2]int{}}
		for _, at := range findWords(excerpt, words) {
			line.Words = append(line.Words, [2]int{len([]rune(excerpt[:at[0]])), len([]rune(excerpt[:at[1]]))})
		}
		out = append(out, line)
	}
	return out
}

// formatMatches returns the matches of a session, one a line, with > and < around the words.
func formatMatches(found store.Found, words []string) string {
	var b strings.Builder
	for _, m := range found.Matches {
		excerpt := excerptOf(m)
		for _, at := range slices.Backward(findWords(excerpt, words)) {
			excerpt = excerpt[:at[0]] + ">" + excerpt[at[0]:at[1]] + "<" + excerpt[at[1]:]
		}
		fmt.Fprintf(&b, "    %s: %s\n", text.Line(matchPlace(found.SessionSummary, m)), excerpt)
	}
	if more := found.Total - len(found.Matches); more > 0 {
		fmt.Fprintf(&b, "    and %d more\n", more)
	}
	return b.String()
}

// excerptOf returns the text around a match as one safe line.
func excerptOf(m store.Match) string { return text.Line(m.Before + m.Hit + m.After) }

// findWords returns where words occur in a text, in bytes: begin and end of each place.
// Places that touch are one.
func findWords(content string, words []string) [][2]int {
	folded, offsets := text.FoldWithOffsets(content)
	offsets = append(offsets, len(content))
	var all [][2]int
	for _, word := range words {
		for from := 0; ; {
			i := strings.Index(folded[from:], word)
			if i < 0 {
				break
			}
			begin := from + i
			from = begin + len(word)
			end := from
			for end < len(folded) && offsets[end] == offsets[from-1] { // a character that folds to several
				end++
			}
			all = append(all, [2]int{offsets[begin], offsets[end]})
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	var merged [][2]int
	for _, at := range all {
		if n := len(merged); n > 0 && at[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], at[1])
			continue
		}
		merged = append(merged, at)
	}
	return merged
}
