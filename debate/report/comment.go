package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"roundtable/internal/text"
)

// Bounds of a comment on a pull request. GitHub takes 65,536 characters.
const (
	maxComment     = 58_000 // bytes
	maxCommentTail = 6_000  // bytes of what follows the findings
	maxCommentLine = 300    // characters of one line, such as a title
)

// writeComment writes headline and folded findings for a pull request; what has no room is counted.
func (r Report) writeComment(w io.Writer) error {
	if r.Conclusion == nil || r.Conclusion.Review == nil {
		return ErrNoReview
	}
	c := r.Conclusion
	var cautions []string
	for _, words := range c.Cautions {
		cautions = append(cautions, text.Clip(words, maxCommentLine))
	}
	head := written(func(m *markdownWriter) {
		m.block("### Roundtable: %s", text.Clip(c.Line.String(), maxCommentLine))
		m.list(cautions...)
		if none := c.Review.None(); none != "" {
			m.block("%s", none)
		}
	})
	tail := folded("Summary by the chair", written(func(m *markdownWriter) { m.quote(c.Text) }))
	if title := c.Review.RefutedTitle(); title != "" {
		tail = folded(title, written(func(m *markdownWriter) { m.list(heads(c.Review.Refuted)...) })) + tail
	}
	if len(tail) > maxCommentTail {
		tail = "What was refuted and the summary have no room here.\n\n"
	}
	tail += fmt.Sprintf("%s prints all of the debate of %s.\n", codeSpan("roundtable show "+r.ID), text.Count(len(r.Agents), "seat"))
	body := commentFindings(c.Review.Findings, maxComment-len(head)-len(tail))
	_, err := io.WriteString(w, head+body+tail)
	return err
}

func written(write func(m *markdownWriter)) string {
	m := &markdownWriter{}
	write(m)
	return m.b.String()
}

// commentFindings writes as many folded findings as have room in so many bytes, and counts the rest.
func commentFindings(all []ReviewFinding, room int) string {
	const note = 300
	var b strings.Builder
	for i, f := range all {
		whole := folded(f.Head(), written(func(m *markdownWriter) { m.findingText(f) }))
		if b.Len()+len(whole) > room-note {
			fmt.Fprintf(&b, "**%s left out: a comment has no room for more.**\n\n", text.Count(len(all)-i, "finding"))
			break
		}
		b.WriteString(whole)
	}
	return b.String()
}

// folded returns Markdown below a line that opens it. GitHub reads the line as HTML.
func folded(title, body string) string {
	title = html.EscapeString(broken(text.Clip(text.Line(title), maxCommentLine)))
	return "<details><summary>" + title + "</summary>\n\n" + body + "</details>\n\n"
}
