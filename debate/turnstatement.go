package debate

import (
	"strings"
)

// ParseTurn returns the statement of a turn from the texts of its completions. Many
// models write their statement, then call a tool, and end with a sentence or nothing. So
// the last text is the statement only if it has at least half the words of the longest
// before it, and the JSON block if any of them has one. Otherwise all of them are.
func ParseTurn(texts []string) Statement {
	last := ParseStatement(texts[len(texts)-1])
	longest, hasBlock := 0, false
	for _, t := range texts[:len(texts)-1] {
		st := ParseStatement(t)
		longest, hasBlock = max(longest, len(strings.Fields(st.Body))), hasBlock || st.HasBlock()
	}
	if 2*len(strings.Fields(last.Body)) >= longest && (last.HasBlock() || !hasBlock) {
		return last
	}
	whole := ParseStatement(joinTexts(texts))
	whole.AllPassages = true
	return whole
}

// JoinPassages returns the texts of all passages.
func JoinPassages(passages []Passage) string {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	return joinTexts(texts)
}

func joinTexts(texts []string) string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}
