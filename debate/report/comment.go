package report

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"roundtable/internal/text"
)

// Bounds of a comment on a pull request, the first two in bytes. GitHub takes 65,536 characters.
const (
	maxComment     = 58_000
	maxCommentTail = 6_000 // of what follows the findings
	maxCommentText = 4_000 // characters of one text or list
	maxCommentLine = 300   // characters of one line, such as a title
)

// writeComment writes the findings for a comment on a pull request: the headline, and each
// finding folded. What has no room is counted.
func (r Report) writeComment(w io.Writer) error {
	if r.Conclusion == nil || r.Conclusion.Review == nil {
		return ErrNoReview
	}
	c := r.Conclusion
	head := "### Roundtable: " + commentLine(c.Line.String()) + "\n\n" + commentList(c.Cautions)
	if none := c.Review.None(); none != "" {
		head += none + "\n\n"
	}
	tail := folded("Summary by the chair", commentQuote(c.Text))
	if title := c.Review.RefutedTitle(); title != "" {
		var refuted []string
		for _, f := range c.Review.Refuted {
			refuted = append(refuted, f.Head())
		}
		tail = folded(title, commentList(refuted)) + tail
	}
	if len(tail) > maxCommentTail {
		tail = "What was refuted and the summary have no room here.\n\n"
	}
	tail += fmt.Sprintf("%s prints all of the debate of %s.\n", codeSpan("roundtable show "+r.ID), text.Count(len(r.Agents), "seat"))
	body := commentFindings(c.Review.Findings, maxComment-len(head)-len(tail))
	_, err := io.WriteString(w, head+body+tail)
	return err
}

// commentFindings writes as many findings as have room in so many bytes, each folded with all that
// is known of it, and counts the rest.
func commentFindings(all []ReviewFinding, room int) string {
	const note = 300
	var b strings.Builder
	for i, f := range all {
		whole := commentFinding(f)
		if b.Len()+len(whole) > room-note {
			fmt.Fprintf(&b, "**%s left out: a comment has no room for more.**\n\n", text.Count(len(all)-i, "finding"))
			break
		}
		b.WriteString(whole)
	}
	return b.String()
}

func commentFinding(f ReviewFinding) string {
	var b strings.Builder
	b.WriteString(commentQuote(f.Why))
	b.WriteString(commentList(f.Facts))
	for _, q := range f.Quotes {
		b.WriteString(commentLine(q.Caption) + "\n\n")
		if q.Lines != "" {
			b.WriteString(codeBlock(clipped(q.Lines)) + "\n")
		}
	}
	if f.Fix != "" {
		b.WriteString("How to fix it:\n\n" + commentQuote(f.Fix))
	}
	return folded(f.Head(), b.String())
}

// folded returns Markdown below a line that opens it. GitHub reads the line as HTML.
func folded(title, body string) string {
	title = html.EscapeString(broken(text.Clip(text.Line(title), maxCommentLine)))
	return "<details><summary>" + title + "</summary>\n\n" + body + "</details>\n\n"
}

func commentLine(s string) string {
	return escapeLine(text.Clip(text.Line(s), maxCommentLine))
}

func commentList(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		item := "- " + commentLine(line) + "\n"
		if b.Len()+len(item) > maxCommentText {
			fmt.Fprintf(&b, "- %d more\n", len(lines)-i)
			break
		}
		b.WriteString(item)
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

func commentQuote(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return blockQuote(clipped(strings.Trim(s, "\n"))) + "\n"
}

// clipped returns the beginning of a text, and says how much of it is left out.
func clipped(s string) string {
	head := text.Head(s, maxCommentText)
	if len(head) == len(s) {
		return s
	}
	return fmt.Sprintf("%s\n\n… %d more characters", head, utf8.RuneCountInString(s[len(head):]))
}
