package verdictview

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/report"
	"roundtable/debate/statement"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

// answering is a follow-up question that is being answered.
type answering struct {
	number         int
	name, question string
	*writing
}

// writing is a text that is being written.
type writing struct {
	in    text.Stream
	prose statement.ProseStream // the same without a JSON block
	doc   *markdown.Doc
}

func (sc *Screen) newWriting() *writing {
	w := &writing{doc: markdown.New(markdown.NewStyles(sc.th)).NewDoc(sc.w)}
	w.doc.SetBudget(&sc.budget)
	return w
}

// write appends the next words.
func (w *writing) write(piece string) {
	w.doc.Append(w.prose.Write(w.in.Write(piece)))
	w.doc.Preview(w.prose.Peek(w.in.Peek()))
}

func (w *writing) lines(width int) []string {
	w.doc.SetWidth(width)
	return w.doc.Lines(0, w.doc.Height())
}

// followUpStarted shows a question under the verdict, and follows its answer.
func (sc *Screen) followUpStarted(ev debate.FollowUpStarted) {
	sc.answering = &answering{
		number: ev.Turn.Attempt, name: text.Line(ev.Profile.Name), question: ev.Question, writing: sc.newWriting(),
	}
	sc.read(readReport)
	sc.ToEnd()
}

// waitLines say why the chair, or who answers, does not write, and for how long. They follow
// what it has written.
func (sc *Screen) waitLines(width int, now time.Time) []string {
	if sc.wait == nil {
		return nil
	}
	st, sep, stop := control.RetryState(*sc.wait), " "+sc.th.Symbols.Sep+" ", sc.content.keys.Of("pause")+": pause"
	if sc.answering != nil {
		stop = sc.content.keys.Of("cancel-answer") + ": cancel"
	}
	next := text.Capitalize(pane.Label(st, now)) + sep + sc.content.keys.Of("retry") + ": ask now" + sep + stop
	lines := wrapped(sc.th.Warning.Render, pane.Symbol(st, sc.th, 0)+" "+text.Line(sc.wait.Retry.Cause), width)
	return append(lines, wrapped(sc.th.Text.Render, next, width)...)
}

// withAnswering returns the lines of the report and of the answer that is being written.
func (sc *Screen) withAnswering(lines []string, width int) []string {
	a := sc.answering
	if a == nil || sc.verdict == nil {
		return lines
	}
	if len(sc.session.FollowUps) == 0 {
		lines = append(lines, sc.followUpHead()...)
	}
	lines = append(lines, sc.asked(a.number, a.name, a.question, width)...)
	written := a.lines(width)
	if len(written) == 0 && sc.wait == nil {
		written = []string{sc.th.Muted.Render("writing")}
	}
	return append(lines, written...)
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
				line += " " + ct.keys.Of("ask") + ": ask again"
			}
			lines = append(lines, wrapped(ct.th.Warning.Render, line, width)...)
		}
		if !f.Answered() {
			if f.Text() == "" {
				continue
			}
			lines = append(lines, ct.th.Muted.Render(report.Partial(f.Response.State)))
		}
		lines = append(lines, ct.rendered(strconv.Itoa(f.Number()), f.Text(), width)...)
	}
	return lines
}

func (ct *content) followUpHead() []string {
	return []string{"", ct.th.Accent.Render("Follow-up questions")}
}

func (ct *content) asked(number int, name, question string, width int) []string {
	head := ct.th.Row([]theme.Part{{Text: fmt.Sprintf("%d  You asked %s", number, name), Style: ct.th.Muted, Cut: 1}}, nil, width)
	return append([]string{"", head}, wrapped(ct.th.Text.Bold(true).Render, text.Line(question), width)...)
}

func wrapped(draw func(...string) string, line string, width int) []string {
	return text.Each(theme.Wrap(line, width), func(row string) string { return draw(row) })
}

// headline draws the line of the verdict over the whole width, in two rows if it needs them, and
// which key continues the debate if there is room.
func (sc *Screen) headline(now time.Time) []string {
	th, c := sc.th, sc.verdict
	if c == nil {
		switch {
		case sc.wait == nil && sc.chair != "": // the frame of its text says it
			return []string{th.Fit("", sc.w)}
		case sc.wait == nil:
			return []string{th.Fit(" "+th.Muted.Render(sc.noVerdict()), sc.w)}
		}
		st := control.RetryState(*sc.wait)
		words := pane.Symbol(st, th, 0) + " The chair must wait, " + pane.Label(st, now) + "."
		return []string{th.Fit(" "+pane.Style(st, th, now).Render(words), sc.w)}
	}
	sign, style := th.Symbols.Done, th.Success
	switch {
	case sc.session.Stopped.Forced():
		sign, style = th.Symbols.Blocked, th.Muted
	case c.Counted.Incomplete, sc.session.State(false) == debate.StateNoReport:
		sign, style = th.Symbols.Warning, th.Warning
	}
	width := max(sc.w-4, 8)
	rows := twoRows(c.Line.String(), width)
	short := c.Line.Within(max(width, 60))
	if len(rows) > 2 {
		rows = twoRows(short, width)
	}
	if len(rows) > 2 || len(rows) > 1 && sc.height < 12 {
		rows = []string{ansi.Truncate(short, width, th.Symbols.Cut)}
	}
	more := sc.content.keys.Of("more") + ": another round"
	if i := strings.LastIndex(rows[0], " · "); i > 0 && len(rows) == 1 && sc.height >= 12 &&
		ansi.StringWidth(rows[0])+ansi.StringWidth(more)+6 > sc.w {
		rows = []string{rows[0][:i], rows[0][i+len(" · "):]}
	}
	switch {
	case sc.session.OwesReport():
		more = sc.content.keys.Of("more") + ": raise the budget"
	case sc.reviews(), sc.session.Verdict == nil:
		more = ""
	}
	for i, row := range rows {
		lead, right := "   ", []theme.Part(nil)
		if i == 0 {
			lead = " " + sign + " "
		}
		if more != "" && i == len(rows)-1 && ansi.StringWidth(row)+ansi.StringWidth(more)+6 <= sc.w {
			right = []theme.Part{{Text: more + " ", Style: th.Muted}}
		}
		rows[i] = th.Row([]theme.Part{{Text: lead + row, Style: style.Bold(true)}}, right, sc.w)
	}
	return rows
}

// twoRows wraps a line, where it can between its parts.
func twoRows(line string, width int) []string {
	parts := strings.SplitAfter(line, " · ")
	for i := len(parts) - 1; i > 0 && ansi.StringWidth(line) > width; i-- {
		head, rest := strings.Join(parts[:i], ""), strings.Join(parts[i:], "")
		if ansi.StringWidth(head) <= width+1 && ansi.StringWidth(rest) <= width {
			return []string{strings.TrimSuffix(head, " · "), rest}
		}
	}
	return theme.Wrap(line, width)
}

// noVerdict says why there is no verdict yet; "" if there is one.
func (sc *Screen) noVerdict() string {
	switch {
	case sc.verdict != nil:
		return ""
	case sc.chair != "":
		return "The chair is writing the verdict."
	}
	return "There is no verdict yet."
}

// question draws the question that the verdict answers, where the top line has another name.
func (sc *Screen) question(width int) []string {
	const label = "Topic "
	topic := text.Sanitize(sc.session.Topic)
	if topic == "" || sc.session.Title == "" {
		return nil
	}
	rows := theme.Wrap(label+topic, width)
	for i, row := range rows {
		rest := strings.TrimPrefix(row, label)
		if i > 0 || rest == row {
			rows[i] = sc.th.Text.Render(row)
			continue
		}
		rows[i] = sc.th.Muted.Render(label) + sc.th.Text.Render(rest)
	}
	return append(rows, "")
}
