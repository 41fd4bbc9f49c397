package report

import (
	"fmt"
	"strings"

	"roundtable/internal/text"
)

// BriefFormats returns the formats of a brief.
func BriefFormats() []Format { return []Format{Markdown, HTML} }

const maxBriefSource = 200

// brief writes one printed page, unless the answer of the chair is long.
func (m *markdownWriter) brief() {
	m.block("# %s", m.Name)
	m.block("**%s**", m.Banner)
	if c := m.Conclusion; c != nil {
		m.briefSection(CautionsTitle, withWarningSign(c.Cautions))
		m.quote(c.Text)
		m.block("%s", strings.TrimSpace(c.Byline()+" "+c.Settled))
		m.briefSection("Findings", c.BriefFindings())
		m.table(c.Table)
		m.briefSection("Sources", m.BriefSources())
	}
	about, command, _ := strings.Cut(m.BriefFoot(), briefCommand)
	m.block("%s All of it: %s", about, verbatim(command))
}

func (m *markdownWriter) briefSection(title string, lines []string) {
	if len(lines) > 0 {
		m.block("## %s", title)
		m.list(lines...)
	}
}

// BriefFindings returns the findings of a review, a line each, and how many were refuted; nil
// for any other debate.
func (c Conclusion) BriefFindings() []string {
	if c.Review == nil {
		return nil
	}
	var lines []string
	for _, f := range c.Review.Findings {
		lines = append(lines, f.Head())
	}
	for _, line := range []string{c.Review.None(), c.Review.RefutedTitle()} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// BriefSources returns what was answered and what was cited, a line each.
func (r Report) BriefSources() []string {
	var lines []string
	for _, x := range r.Sources {
		if x.Request && x.Told {
			line := x.Ref + ": " + text.Clip(text.Line(x.Description()), maxBriefSource)
			if len(x.CitedBy) > 0 {
				line += ", cited by " + r.By(x)
			}
			lines = append(lines, line)
		}
	}
	for _, x := range r.Cited {
		if x.Why() == "" { // the others are among the cautions
			lines = append(lines, x.Title())
		}
	}
	return lines
}

// briefCommand is the text before the command that exports all of a debate.
const briefCommand = " All of it: "

// BriefFoot says which debate a brief is of.
func (r Report) BriefFoot() string {
	return fmt.Sprintf("Debate %s: %s, %s, %s.%sroundtable export %[1]s", r.ID, r.Mode, text.Count(len(r.Agents), "seat"),
		timestamp(r.Updated), briefCommand)
}
