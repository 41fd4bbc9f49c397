package debate

import (
	"strings"

	"roundtable/internal/text"
)

// elided stands for a text that an outline leaves out.
const elided = "…"

// Outline returns the response with its texts reduced to what is counted of them: whether
// there are any, and what they cite. Sides, votes, citations and tools used are those of
// the whole response.
func (r Response) Outline() Response {
	r.Outlined = true
	r.Statement.Body = outlineText(r.Statement.Body)
	passages := make([]Passage, len(r.Passages))
	for i, p := range r.Passages {
		for _, t := range p.Tools {
			t.Args = ""
			if t.Result.Text != "" {
				t.Result.Text = elided
			}
			passages[i].Tools = append(passages[i].Tools, t)
		}
	}
	r.Passages = passages
	return r
}

// outlineText returns the citations of a text, each group once; "" for no text.
func outlineText(s string) string {
	if s == "" {
		return ""
	}
	var out strings.Builder
	out.WriteString(elided)
	seen := map[string]bool{}
	for _, m := range bracketPattern().FindAllString(text.Sanitize(s), -1) {
		if _, ok := ParseCitationGroup(m[1 : len(m)-1]); ok && !seen[m] {
			seen[m] = true
			out.WriteString(m)
		}
	}
	return out.String()
}
