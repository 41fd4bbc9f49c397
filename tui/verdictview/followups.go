package verdictview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/pane"
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
	}
	sc.clearAnswer()
	sc.focus = 0
}

func (sc *Screen) clearAnswer() {
	a := sc.answering
	a.in, a.doc = text.Stream{}, markdown.New(markdown.NewStyles(sc.th)).NewDoc(sc.w)
	a.doc.SetBudget(&sc.budget)
}

// write appends the next words of the answer.
func (a *answering) write(piece string) {
	a.doc.Append(a.in.Write(piece))
	a.doc.Preview(a.in.Peek())
}

// waitLines say why the chair, or who answers, does not write, and for how long. They follow
// what it has written.
func (sc *Screen) waitLines(width int, now time.Time) []string {
	ev, waits := sc.wait.Retry()
	if !waits {
		return nil
	}
	st, sep, stop := pane.RetryState(ev), " "+sc.th.Symbols.Sep+" ", sc.content.keys.Of("pause-now")+": pause"
	if sc.answering != nil {
		stop = sc.content.keys.Of("cancel-answer") + ": cancel"
	}
	next := text.Capitalize(st.Label(sc.th, now)) + sep + sc.content.keys.Of("retry-now") + ": ask now" + sep + stop
	lines := wrapped(sc.th.Warning.Render, st.Symbol(sc.th, 0)+" "+text.Line(ev.Retry.Cause), width)
	return append(lines, wrapped(sc.th.Text.Render, next, width)...)
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
	if _, waits := sc.wait.Retry(); a.doc.Height() == 0 && !waits {
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
				line += " " + ct.keys.Of("ask") + ": ask again"
			}
			lines = append(lines, wrapped(ct.th.Warning.Render, line, width)...)
		}
		if !f.Answered() {
			if f.Text() == "" {
				continue
			}
			lines = append(lines, ct.th.Muted.Render("Partial text, not used:"))
		}
		lines = append(lines, ct.rendered(strconv.Itoa(f.Number()), f.Text(), width)...)
	}
	return lines
}

func (ct *content) followUpHead() []string {
	return []string{"", ct.th.Accent.Render("Follow-up questions")}
}

// asked returns a question, and who was asked.
func (ct *content) asked(number int, name, question string, width int) []string {
	head := ct.th.Row([]theme.Part{{Text: fmt.Sprintf("%d  You asked %s", number, name), Style: ct.th.Muted, Cut: 1}}, nil, width)
	return append([]string{"", head}, wrapped(ct.th.Text.Bold(true).Render, text.Line(question), width)...)
}

func wrapped(draw func(...string) string, line string, width int) []string {
	var rows []string
	for _, row := range theme.Wrap(line, width) {
		rows = append(rows, draw(row))
	}
	return rows
}

// headlineRows is how many rows the headline takes at most.
const headlineRows = 2

// headline draws the headline of the verdict over the whole width: what the debate came to,
// then the gravest cautions, and how many more there are. How the debate ended follows it,
// if there is room.
func (sc *Screen) headline(now time.Time) []string {
	th, c := sc.th, sc.verdict
	if c == nil {
		ev, waits := sc.wait.Retry()
		if !waits {
			return []string{th.Fit(" "+th.Muted.Render(sc.noVerdict()), sc.w)}
		}
		st := pane.RetryState(ev)
		return []string{th.Fit(" "+st.Style(th, now).Render(st.Symbol(th, 0)+" The chair must wait, "+st.Label(th, now)+"."), sc.w)}
	}
	sign, style := outcomeSign(th, c.Outcome)
	rows, _ := sc.shortHeadline()
	last := len(rows) - 1
	for i, row := range rows {
		lead, right := "   ", []theme.Part(nil)
		if i == 0 {
			lead = " " + sign + " "
		}
		if text := sc.endedText(c); i == last && ansi.StringWidth(row)+ansi.StringWidth(text)+6 <= sc.w {
			right = []theme.Part{{Text: text + " ", Style: th.Muted}}
		}
		rows[i] = th.Row([]theme.Part{{Text: lead + row, Style: style.Bold(true)}}, right, sc.w)
	}
	return rows
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

// shortHeadline returns the rows of the headline with as many of its parts as have room, and
// whether that is all of it. The first part is cut if it alone has no room.
func (sc *Screen) shortHeadline() (rows []string, whole bool) {
	const between = " · "
	width := max(sc.w-4, 8)
	parts := strings.Split(text.Line(sc.verdict.Headline), between)
	for n := len(parts); n > 0; n-- {
		line := strings.Join(parts[:n], between)
		if left := len(parts) - n; left > 0 {
			line += fmt.Sprintf("%s+%d", between, left)
		}
		if rows = theme.Wrap(line, width); len(rows) <= min(headlineRows, max(sc.height/3, 1)) {
			return rows, n == len(parts)
		}
	}
	rows = rows[:min(headlineRows, max(sc.height/3, 1))]
	last := len(rows) - 1
	rows[last] = ansi.Truncate(rows[last]+strings.Repeat(" ", width), width-1, "") // room for the mark
	rows[last] = strings.TrimRight(rows[last], " ") + sc.th.Symbols.Cut
	return rows, false
}

// question draws the question that the verdict answers, where the top line has another name.
func (sc *Screen) question(width int) []string {
	const label = "Topic "
	topic := text.Sanitize(sc.session.Topic)
	if topic == "" || sc.session.Title == "" {
		return []string{}
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

// outcomeSign returns the symbol and colour of an outcome.
func outcomeSign(th *theme.Theme, o debate.Outcome) (string, lipgloss.Style) {
	switch o {
	case debate.OutcomeDegraded, debate.OutcomeNoSynthesis:
		return th.Symbols.Warning, th.Warning
	case debate.OutcomeStopped:
		return th.Symbols.Blocked, th.Muted
	case debate.OutcomeFull:
	}
	return th.Symbols.Done, th.Success
}

// endedText says how the debate ended, and which key continues it.
func (ct *content) endedText(c *report.Conclusion) string {
	more := "another round"
	if c.Stopped != debate.NotStopped && !c.Stopped.Forced() {
		more = "continue"
	}
	if ct.session.OutOfBudget() {
		more = "raise the budget"
	}
	return strings.TrimPrefix(text.Line(c.Ended)+" · "+ct.keys.Of("add-rounds")+": "+more, " · ")
}

// outcome repeats the headline if the rows above the report leave out some of it, and says
// how the debate ended if they had no room for it, how the verdict turned out, and what a
// fork comes from.
func (sc *Screen) outcome(c *report.Conclusion, width int) []string {
	var lines []string
	rows, whole := sc.shortHeadline()
	if !whole {
		_, style := outcomeSign(sc.th, c.Outcome)
		lines = append(lines, wrapped(style.Render, text.Line(c.Headline), width)...)
	}
	if ansi.StringWidth(rows[len(rows)-1])+ansi.StringWidth(sc.endedText(c))+6 > sc.w {
		lines = append(lines, sc.prose(sc.endedText(c), width)...)
	}
	if c.Settled != "" {
		lines = append(lines, sc.prose(text.Line(c.Settled), width)...)
	}
	if fork := sc.session.ForkLine(); fork != "" {
		lines = append(lines, sc.prose(text.Capitalize(fork), width)...)
	}
	return lines
}

// inShort is what a reader looks for first: the answer in the chair's words, who is against
// it and why, and what it rests on. Rest is what is left of the report.
func (sc *Screen) inShort(c *report.Conclusion, width int) (lines []string, rest string) {
	answer, rest := firstParagraph(c.Text)
	lines = append(lines, sc.rendered(answerText, answer, width)...)
	for _, d := range c.Dissent {
		why := fmt.Sprintf("%s, %s: %s", d.Name, d.Standing, cmp.Or(d.Position, "no reason stated"))
		lines = append(lines, sc.labelled("Against", why, width)...)
	}
	var on []string
	for _, s := range c.Sources {
		if s.CitedBy != "" {
			on = append(on, "["+s.ID+"] "+text.Line(s.Text))
		}
	}
	for _, e := range c.Cited {
		if e.Problem == "" {
			on = append(on, e.Source())
		}
	}
	rests := "no answer of yours and no file is cited"
	if n := len(on) - mostRests; n > 1 {
		rests = strings.Join(on[:mostRests], "; ") + fmt.Sprintf("; and %d more", n)
	} else if len(on) > 0 {
		rests = strings.Join(on, "; ")
	}
	return append(lines, sc.labelled("Rests on", rests, width)...), rest
}

const (
	mostRests  = 3 // sources that are named at the top
	labelWidth = 9
)

// labelled draws a text with a label before it. Where one panel is shown at a time it takes
// three rows at most, so that all labels are above the fold.
func (sc *Screen) labelled(label, words string, width int) []string {
	const most = 3
	rows := theme.Wrap(text.Line(words), max(width-labelWidth, 8))
	if len(rows) > most && sc.single() {
		rows = rows[:most]
		rows[most-1] = ansi.Truncate(rows[most-1]+strings.Repeat(" ", width), max(width-labelWidth, 8)-1, "")
		rows[most-1] = strings.TrimRight(rows[most-1], " ") + sc.th.Symbols.Cut
	}
	for i, row := range rows {
		rows[i] = sc.th.Accent.Render(fmt.Sprintf("%-*s", labelWidth, label)) + sc.th.Text.Render(row)
		label = ""
	}
	return rows
}

// firstParagraph divides a report behind its first paragraph, with the heading before it.
func firstParagraph(report string) (first, rest string) {
	report = strings.TrimSpace(report)
	at := strings.Index(report, "\n\n")
	if strings.HasPrefix(report, "#") && at >= 0 && !strings.Contains(report[:at], "\n") { // a heading alone
		if n := strings.Index(report[at+2:], "\n\n"); n >= 0 {
			at += 2 + n
		} else {
			at = -1
		}
	}
	if at < 0 {
		return report, ""
	}
	return report[:at], strings.TrimSpace(report[at:])
}
