package report

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// markdownWriter writes the report as GitHub-flavored Markdown. What models, tools and
// the user wrote is quoted so that it cannot leave its quotation or code block.
type markdownWriter struct {
	Report
	b       strings.Builder
	page    bool     // for HTML: with reasoning, and tool calls folded
	sources []string // of a page: the citations that name something in it
}

func (m *markdownWriter) text() string {
	m.block("# %s", m.session.Name())
	m.block("**%s**", m.Banner)
	if m.inBrief {
		m.brief()
	} else {
		m.whole()
	}
	return strings.TrimRight(m.b.String(), "\n") + "\n"
}

func (m *markdownWriter) whole() {
	m.head()
	m.outcome()
	m.block("## Participants")
	m.table(m.participants())
	for _, round := range m.History {
		m.round(round)
	}
	m.asked()
	m.evidence()
	m.told()
	m.followUps()
	m.block("## Spent")
	m.table(m.spending())
	m.remarks("Notices", m.Notices)
}

// block writes a paragraph; foreign text in args is escaped.
func (m *markdownWriter) block(format string, args ...any) {
	m.b.WriteString(filled(format, args) + "\n\n")
}

// item writes a list item, like block; end ends the list.
func (m *markdownWriter) item(format string, args ...any) {
	m.b.WriteString("- " + filled(format, args) + "\n")
}
func (m *markdownWriter) end() { m.b.WriteString("\n") }

// verbatim is an argument that is written as code, so that it can be copied.
type verbatim string

// filled formats args with everything but numbers escaped.
func filled(format string, args []any) string {
	for i, arg := range args {
		switch arg := arg.(type) {
		case int:
		case verbatim:
			args[i] = codeSpan(string(arg))
		default:
			args[i] = escapeLine(fmt.Sprint(arg))
		}
	}
	return fmt.Sprintf(format, args...)
}

func (m *markdownWriter) quote(text string) {
	if strings.TrimSpace(text) != "" {
		m.b.WriteString(blockQuote(strings.Trim(text, "\n")) + "\n")
	}
}

func (m *markdownWriter) code(text string) { m.b.WriteString(codeBlock(text) + "\n") }

func (m *markdownWriter) table(t Table) {
	if t.Title != "" {
		m.block("### %s", t.Title)
	}
	for i, row := range t.lines() {
		m.b.WriteString("|")
		for _, cell := range row {
			m.b.WriteString(" " + escapeLine(cell) + " |")
		}
		m.end()
		if i == 0 {
			m.b.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	m.end()
	m.list(t.Notes...)
}

func (m *markdownWriter) list(texts ...string) {
	for _, line := range texts {
		m.item("%s", line)
	}
	if len(texts) > 0 {
		m.end()
	}
}

func (m *markdownWriter) brief() {
	if c := m.Conclusion; c != nil {
		m.list(withWarningSign(c.Cautions)...)
		m.quote(c.Text)
		m.block("%s", c.Byline())
		if c.Settled != "" {
			m.block("%s", c.Settled)
		}
		if c.Review != nil {
			m.list(Heads(c.Review.Findings)...)
		}
		m.table(c.Table)
		m.list(text.Each(m.Cited, Cited.Title)...)
	}
	m.block("Debate %s: %s, %s, %s. All of it: %s", m.ID, m.Mode, text.Count(len(m.Agents), "seat"), timestamp(m.Updated),
		verbatim("roundtable export "+m.ID))
}

func (m *markdownWriter) head() {
	if m.Title != "" {
		m.item("Topic: %s", m.Topic)
	}
	if by := m.TopicBy.Note(); by != "" {
		m.item("The topic is %s", by)
	}
	m.item("Debate: %s", verbatim(m.ID))
	if answers := Answers(m.session); answers != "" {
		m.item("Answers: %s", answers)
	}
	m.item("Mode: %s", strings.TrimSuffix(m.Mode+", "+m.Summary, ", "))
	m.item("Rounds: %d of %d", len(m.History), m.Rounds) // one that has not ended says so
	if m.Budget.Capped() {
		m.item("Budget: %s", m.Budget)
	}
	m.item("Begun: %s, changed: %s", timestamp(m.Created), timestamp(m.Updated))
	if origin := Origin(m.session); origin != "" {
		m.item("Origin: %s", origin)
	}
	if m.Eval != nil {
		m.item("Evaluation: %s; a data set answered the questions of the seats, not a person", m.Eval.Name)
	}
	if m.Demo {
		m.item("Demo: scripted answers, no model")
	}
	if m.Redacted {
		m.item("Redacted: what looked like a key or a password is masked")
	}
	m.end()
	if !m.page {
		m.block("Quotations and code blocks hold what you, models and tools wrote. " +
			"The reasoning of models is left out; the JSON and HTML exports have it.")
	}
}

func (m *markdownWriter) outcome() {
	m.block("## Verdict")
	c := m.Conclusion
	if c == nil {
		m.block("No verdict. %s", m.State.Text)
		return
	}
	if c.Settled != "" {
		m.block("%s", c.Settled)
	}
	m.list(withWarningSign(c.Cautions)...)
	m.list(c.Notes...)
	m.block("%s", c.Byline()) // the line is at the top
	m.quote(c.Text)
	m.pick()
	m.review()
	m.table(c.Table)
}

func (m *markdownWriter) pick() {
	p := m.Conclusion.Pick
	if p == nil {
		return
	}
	m.block("### %s", p.Heading)
	if p.Reason != "" {
		m.block("%s", p.Reason)
	}
	m.quote(p.Text)
}

func (m *markdownWriter) review() {
	r := m.Conclusion.Review
	if r == nil {
		return
	}
	m.block("### Findings")
	if r.None != "" {
		m.block("%s", r.None)
	}
	for _, f := range r.Findings {
		m.finding(f)
	}
	if title := r.RefutedTitle(); title != "" {
		m.fold(title, func() {
			for _, f := range r.Refuted {
				m.finding(f)
			}
		})
	}
}

// fold writes Markdown below a line that opens it. GitHub reads the line as HTML.
func (m *markdownWriter) fold(title string, write func()) {
	title = html.EscapeString(broken(text.Clip(text.Line(title), maxCommentLine)))
	m.b.WriteString("<details><summary>" + title + "</summary>\n\n")
	write()
	m.b.WriteString("</details>\n\n")
}

func (m *markdownWriter) finding(f ReviewFinding) {
	m.block("#### %s", f.Head())
	m.findingText(f)
}

func (m *markdownWriter) findingText(f ReviewFinding) {
	m.quote(f.Why)
	m.list(f.Facts...)
	for _, q := range f.Quotes {
		m.block("%s", q.Caption)
		if q.Lines != "" {
			m.code(q.Lines)
		}
	}
	if f.Fix != "" {
		m.block("How to fix it:")
		m.quote(f.Fix)
	}
}

func (m *markdownWriter) round(r Round) {
	m.block("## Round %d", r.Round)
	if r.Ended == nil {
		m.block("**This round has not ended; what follows is partial.**")
	}
	if r.Focus != "" {
		m.block("%s:", text.Join(", ", "Focus question", r.FocusBy.Note()))
		m.quote(r.Focus)
	}
	if len(r.Released) > 0 {
		m.block("Answers sent with this round: %s.", strings.Join(r.Released, ", "))
	}
	for _, x := range r.Responses {
		m.response(x)
	}
	for _, a := range r.Missing {
		m.block("### %s · … no answer yet", m.title(a.Agent, "", a.Phase))
	}
	m.remarks(fmt.Sprintf("Notices of round %d", r.Round), r.Notices)
}

func (m *markdownWriter) title(id agents.ID, role, phase string) string {
	name := m.Who(id)
	if _, n := m.session.Seat(id); n > 0 {
		name = fmt.Sprintf("%d %s", n, name)
	}
	return text.Join(", ", name, role, phase)
}

func (m *markdownWriter) response(x Response) {
	title := m.title(x.Agent, x.Role, x.Phase)
	if x.Attempt > 1 {
		title += fmt.Sprintf(", attempt %d", x.Attempt)
	}
	m.block("### %s · %s", title, x.Status())
	if !x.Done() {
		m.block("**%s**", x.Problem())
	} else {
		m.block("Position: %s", cmp.Or(x.Statement.Position, "not stated"))
		m.block("%s", x.Standing)
	}
	m.working(x)
	switch {
	case x.Done() && x.Body() != "":
		m.quote(x.Body())
	case !x.Done() && x.Text != "":
		m.block("%s", Partial(x.State))
		m.quote(x.Text)
	}
	if cited := x.Cites(); len(cited) > 0 {
		m.block("Cites: %s", strings.Join(cited, "; "))
	}
	m.list(withWarningSign(x.Remarks())...)
}

func (m *markdownWriter) working(x Response) {
	worked := func(p Passage) bool { return p.Reasoning != "" || len(p.Tools) > 0 }
	if m.page && (len(x.Passages) > 1 || slices.ContainsFunc(x.Passages, worked)) {
		m.fold("Reasoning, tool calls and working text", func() { m.passages(x) })
		return
	}
	m.passages(x)
}

func (m *markdownWriter) passages(x Response) {
	for i, p := range x.Passages {
		if m.page && p.Reasoning != "" {
			m.block("Reasoning, not shared:")
			m.quote(p.Reasoning)
		}
		if i < len(x.Passages)-1 && !x.Statement.AllPassages && strings.TrimSpace(p.Text) != "" {
			m.block("Working text, not shared:")
			m.quote(p.Text)
		}
		for _, t := range p.Tools {
			m.block("Tool %s: %s", t.Tool, t.Outcome())
			if t.Arguments != "" {
				m.code(t.Arguments)
			}
			if t.Result != nil && t.Result.Text != "" {
				m.block("Its result:")
				m.code(t.Result.Text)
			}
		}
	}
}

func (m *markdownWriter) asked() {
	m.block("## What the seats asked")
	if len(m.Requests) == 0 {
		m.block("Nobody asked for anything.")
	}
	for _, r := range m.Requests {
		m.block("### %s · %s · %s", r.Request, r.Priority, r.Status())
		m.source(r.Request)
		m.quote(r.Query)
		for _, a := range r.Asks {
			m.item("Asked by %s: %s", m.Who(a.Agent), explanation(a, r.Query))
		}
		if r.FollowUpOf != "" {
			m.item("Asks again for %s", r.FollowUpOf)
		}
		m.end()
		for _, a := range r.Answers {
			m.block("%s, %s:", a.Label(), timestamp(a.At))
			m.quote(a.Content)
			if from := a.From(); from != "" {
				m.block("Source: %s", from)
			}
		}
		if len(r.Answers) == 0 && r.State != ledger.Withdrawn {
			m.block("No answer.")
		}
	}
}

// source says that a citation names what was written last.
func (m *markdownWriter) source(citation string) {
	if m.page {
		fmt.Fprintf(&m.b, sourceMark+"\n\n", len(m.sources))
		m.sources = append(m.sources, citation)
	}
}

func (m *markdownWriter) evidence() {
	if len(m.Evidence) == 0 && len(m.Cited) == 0 {
		return
	}
	m.block("## Evidence")
	if len(m.Evidence) > 0 {
		m.table(m.evidenceTable())
	}
	for _, c := range m.Cited {
		m.block("%s", c.Caption())
		m.source(c.Citation.String())
		if why := c.Why(); why != "" {
			m.list(withWarningSign([]string{why})...)
		}
		if lines := c.Excerpt(); lines != "" {
			m.code(lines)
		}
	}
}

func (m *markdownWriter) told() {
	if len(m.Interjections) == 0 {
		return
	}
	m.block("## Messages")
	for _, t := range m.Interjections {
		m.block("%s, %s:", text.Capitalize(m.Audience(t)), timestamp(t.At))
		m.quote(t.Text)
	}
}

func (m *markdownWriter) remarks(title string, list []debate.Notice) {
	if len(list) == 0 {
		return
	}
	m.block("**%s**", title)
	for _, n := range list {
		m.item("⚠ %s", n.Text)
	}
	m.end()
}

// Bounds of a comment on a pull request. GitHub takes 65,536 characters.
const (
	maxComment     = 58_000 // bytes
	maxCommentTail = 6_000  // bytes of what follows the findings
	maxCommentPart = 16_000 // bytes of one finding
	maxCommentText = 4_000  // characters of the summary
	maxCommentLine = 300    // characters of one line, such as a title
)

// writeComment writes headline and folded findings for a pull request; what has no room is counted.
func (r Report) writeComment(w io.Writer) error {
	if r.Verdict == nil || r.Conclusion.Review == nil {
		return ErrNoReview
	}
	c := r.Conclusion
	cautions := text.Each(c.Cautions, func(words string) string { return text.Clip(words, maxCommentLine) })
	head := written(func(m *markdownWriter) {
		m.block("### Roundtable: %s", text.Clip(c.Line.String(), maxCommentLine))
		m.list(cautions...)
		if c.Review.None != "" {
			m.block("%s", c.Review.None)
		}
	})
	tail := written(func(m *markdownWriter) {
		if title := c.Review.RefutedTitle(); title != "" {
			m.fold(title, func() { m.list(Heads(c.Review.Refuted)...) })
		}
		m.fold("Summary by the chair", func() {
			summary := text.Head(c.Text, maxCommentText)
			m.quote(summary)
			if left := utf8.RuneCountInString(c.Text[len(summary):]); left > 0 {
				m.block("… %d more characters", left)
			}
		})
	})
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
	left := 0
	for _, f := range all {
		whole := written(func(m *markdownWriter) { m.fold(f.Head(), func() { m.findingText(f) }) })
		if len(whole) > maxCommentPart || b.Len()+len(whole) > room-note {
			left++
			continue
		}
		b.WriteString(whole)
	}
	if left > 0 {
		fmt.Fprintf(&b, "**%s left out: a comment has no room for more.**\n\n", text.Count(left, "finding"))
	}
	return b.String()
}
