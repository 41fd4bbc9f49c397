package verdictview

import (
	"fmt"
	"slices"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// answering is a follow-up question that is being answered.
type answering struct {
	number         int
	name, question string
	in             text.Stream
	doc            *markdown.Doc
	follows        bool // the newest line stays in sight
}

// followUpStarted shows a question under the verdict, and follows its answer.
func (sc *Screen) followUpStarted(ev debate.FollowUpStarted) {
	sc.answering = &answering{
		number: ev.Turn.Attempt, name: text.Line(ev.Profile.Name), question: ev.Question, follows: true,
		doc: markdown.New(markdown.NewStyles(sc.th)).NewDoc(sc.w),
	}
	sc.focus = 0
}

// write appends the next words of the answer.
func (a *answering) write(piece string) {
	a.doc.Append(a.in.Write(piece))
	a.doc.Preview(a.in.Peek())
}

// cancelKey cancels the answer that is being written.
func (sc *Screen) cancelKey() screen.Command {
	none := func() string {
		if sc.answering == nil {
			return "No answer is being written."
		}
		return ""
	}
	return screen.Command{
		Binding: screen.Bind(screen.Keys("x"), "x", "cancel the answer"), Title: "Cancel the answer to the follow-up",
		Group: screen.Steering,
		Hint: func() string {
			if sc.answering == nil {
				return ""
			}
			return "x cancel"
		},
		Rank: 1, Why: none, Run: screen.Do(func() screen.Outcome { return screen.Outcome{CancelFollowUp{}} }),
	}
}

// withAnswering returns the lines of the report and of the answer that is being written.
func (sc *Screen) withAnswering(lines []string, width int) []string {
	a := sc.answering
	if a == nil || sc.verdict == nil {
		return lines
	}
	lines = slices.Clip(lines)
	if len(sc.session.FollowUps) == 0 {
		lines = append(lines, sc.followUpHead()...)
	}
	lines = append(lines, sc.asked(a.number, a.name, a.question, width)...)
	a.doc.SetWidth(width)
	if a.doc.Height() == 0 {
		return append(lines, sc.th.Muted.Render("writing"))
	}
	return append(lines, a.doc.Lines(0, a.doc.Height())...)
}

// followUps returns the lines of the questions after the verdict and their answers. An
// answer that is not complete says so first.
func (ct *content) followUps(width int) []string {
	if len(ct.session.FollowUps) == 0 {
		return nil
	}
	lines := ct.followUpHead()
	for _, f := range ct.session.FollowUps {
		lines = append(lines, ct.asked(f.Number(), text.Line(ct.session.FollowUpName(f)), f.Question, width)...)
		if problem := f.Problem(); problem != "" {
			line := ct.th.Symbols.Warning + " " + text.Line(problem)
			if !f.Answered() {
				line += " a: ask again"
			}
			lines = append(lines, wrapped(ct.th.Warning.Render, line, width)...)
		}
		styles := markdown.NewStyles(ct.th)
		if !f.Answered() {
			if f.Text() == "" {
				continue
			}
			lines = append(lines, ct.th.Muted.Render("Partial text, not used:"))
		}
		lines = append(lines, markdown.New(styles).Render(text.Sanitize(f.Text()), width)...)
	}
	return lines
}

// followUpHead is the heading of all follow-ups.
func (ct *content) followUpHead() []string {
	return []string{"", ct.th.Accent.Render("Follow-up questions")}
}

// asked returns a question, and who was asked.
func (ct *content) asked(number int, name, question string, width int) []string {
	head := ct.th.Row([]theme.Part{{Text: fmt.Sprintf("%d  You asked %s", number, name), Style: ct.th.Muted, Cut: 1}}, nil, width)
	return append([]string{"", head}, wrapped(ct.th.Text.Bold(true).Render, text.Line(question), width)...)
}

// wrapped breaks a line at a width, and draws each of its rows.
func wrapped(draw func(...string) string, line string, width int) []string {
	var rows []string
	for _, row := range theme.Wrap(line, width) {
		rows = append(rows, draw(row))
	}
	return rows
}
