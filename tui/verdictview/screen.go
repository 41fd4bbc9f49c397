// Package verdictview is the screen of the verdict: what the chair wrote, beside
// the figures that it rests on. While the chair writes it shows the text so far.
//
// It draws what debate/report says of a session and has hardly any words of its own.
// It imports debate and internal/text besides, screen for what it is to the shell, reader,
// markdown and theme to draw, and pane for the words of a wait. It must not know other screens,
// stores or engines.
package verdictview

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/markdown"
	"roundtable/tui/reader"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// wideReport is the width from which the votes and the cautions are beside the report.
const wideReport = 120

// reading is what is read.
type reading string

const (
	readReport    reading = "report"
	readFindings  reading = "findings"
	readPositions reading = "positions"
	readPick      reading = "pick"
)

// Screen is the verdict screen.
type Screen struct {
	*reader.Reader
	content

	chair string               // who is writing the verdict; "": not being written
	text  *writing             // what the chair writes; nil: nothing yet
	wait  *debate.TurnRetrying // of the chair, or of who answers a follow-up question; nil: it is at work

	w, h   int  // of what is below the line
	height int  // with the line
	left   int  // columns of the report
	fits   bool // what may be beside the report has the height
	reads  reading

	answering *answering // nil: no follow-up is being answered
	now       time.Time
}

var _ screen.OfSession = (*Screen)(nil)

// content is what the report and what is beside it are made of.
type content struct {
	th      *theme.Theme
	keys    keymap.Changes // of the user, which its texts name
	session debate.Session
	verdict *report.Conclusion // nil until there is one

	texts     map[string]*markdown.Doc // of follow-ups by number, of findings, and the two below
	budget    markdown.Budget
	layingOut bool // the lines are not all of the texts yet, or were not drawn since they changed
}

// panel is one box.
type panel struct {
	title string
	lines []string
}

// New returns the screen.
func New(th *theme.Theme, keys keymap.Changes) *Screen {
	sc := &Screen{content: content{th: th, keys: keys}, reads: readReport}
	sc.Reader = reader.New(th, reader.Config{
		Name: "Verdict", What: "part", Enter: "evidence", Columns: findingColumns(th), Rows: sc.rows, More: sc.more(),
	})
	sc.read(readReport)
	return sc
}

// rows returns what is read: the findings, or one of the texts.
func (sc *Screen) rows() []reader.Row {
	if sc.reads == readFindings {
		return sc.findings()
	}
	return []reader.Row{{
		ID: string(sc.reads), Title: sc.title(), Copy: sc.copyText,
		Words: func() string { return ansi.Strip(strings.Join(sc.body(), " ")) },
		Lines: func(*theme.Theme, int) []reader.Line { return drawn(sc.body()) },
	}}
}

// SetSession shows the verdict of a session, if there is one.
func (sc *Screen) SetSession(s debate.Session) {
	reviewed := sc.reviews()
	sc.session, sc.verdict, sc.texts = s, nil, nil
	if s.Verdict != nil || s.Written != nil && sc.chair == "" {
		c := report.Conclude(s, text.Sanitize)
		if sc.verdict, sc.chair, sc.text = &c, "", nil; c.Review != nil {
			sc.None = c.Review.None
		}
	}
	sc.SetSize(sc.w, sc.height)
	switch {
	case sc.reviews() && !reviewed: // its verdict is the list
		sc.read(readFindings)
	case sc.verdict == nil, !sc.reviews() && sc.reads == readFindings, sc.reads == readPick && sc.verdict.Pick == nil:
		sc.read(readReport)
	}
}

// follow keeps what the chair, or who answers a follow-up question, waits for.
func (sc *Screen) follow(ev debate.Event) {
	t, ok := debate.TurnOf(ev)
	switch ev := ev.(type) {
	case debate.TurnRetrying:
		if t.Step < 0 {
			sc.wait = &ev
		}
	case debate.TurnStarted, debate.FollowUpStarted, debate.FollowUpEnded, debate.RunEnded:
		sc.wait = nil
	default:
		if ok && t.Step < 0 {
			sc.wait = nil
		}
	}
}

// Apply follows a chair that writes.
func (sc *Screen) Apply(ev debate.Event) {
	sc.follow(ev)
	sc.Changed()
	switch ev := ev.(type) {
	case debate.TurnStarted: // a seat goes first
		sc.chair = ""
	case debate.Concluding:
		sc.chair = text.Line(ev.Profile.Name + " · " + ev.Profile.ModelName())
		sc.text = nil
		sc.SetSession(sc.session)
	case debate.FollowUpStarted:
		sc.followUpStarted(ev)
	case debate.FollowUpEnded:
		if sc.answering != nil && sc.AtEnd() {
			sc.ToEnd()
		}
		sc.answering = nil
	case debate.Text:
		sc.textArrived(ev)
	case debate.RunEnded:
		sc.chair, sc.answering = "", nil
	default: // not shown here
	}
}

// textArrived shows what the chair, or the answer to a follow-up, says next.
func (sc *Screen) textArrived(ev debate.Text) {
	follows := sc.answering != nil && ev.Turn.Step == debate.FollowUpStep
	switch writes := ev.Turn.Step == debate.VerdictStep; {
	case writes && ev.Moves:
		sc.text = nil
	case writes && !ev.Reasoning:
		if sc.text == nil {
			sc.text = sc.newWriting()
		}
		sc.text.write(ev.Text)
	case follows && ev.Moves:
		sc.answering.writing = sc.newWriting()
	case follows && !ev.Reasoning:
		sc.answering.write(ev.Text)
	}
}

// SetTheme changes the colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) {
	sc.th, sc.texts, sc.layingOut = th, nil, sc.long()
	sc.Columns = findingColumns(th)
	sc.Reader.SetTheme(th)
	if sc.answering != nil {
		sc.answering.doc.SetRenderer(markdown.New(markdown.NewStyles(th)))
	}
	if sc.text != nil {
		sc.text.doc.SetRenderer(markdown.New(markdown.NewStyles(th)))
	}
}

// SetSize sets the room of the screen. The headline takes its first rows.
func (sc *Screen) SetSize(w, h int) {
	sc.w, sc.height, sc.layingOut = w, h, sc.long()
	sc.h = h - len(sc.headline(time.Time{}))
	rows := 0
	for _, p := range sc.panels(max(w/3-4, 8)) {
		rows += len(p.lines) + 2
	}
	sc.fits = rows <= sc.h
	sc.left, _ = sc.split()
	sc.Reader.SetSize(sc.left, sc.h)
}

// Title leaves the top line to the session.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

// beside reports whether the votes and the cautions are beside the report: where they have the
// width and the height, and no search is on, which looks through all of it.
func (sc *Screen) beside() bool {
	return sc.verdict != nil && sc.w >= wideReport && sc.fits && sc.reads != readFindings && !sc.Searching()
}

// split returns the widths of the report and of what is beside it.
func (sc *Screen) split() (left, right int) {
	if !sc.beside() {
		return sc.w, 0
	}
	right = sc.w / 3
	return sc.w - right - 1, right
}

func (sc *Screen) read(what reading) {
	sc.reads = what
	sc.SetSize(sc.w, sc.height)
	if what == readFindings {
		sc.Begin()
		return
	}
	sc.Reader.Show(string(what), 0)
}

// next shows what comes after what is read: the report, the findings of a review, everybody's
// position and the pick.
func (sc *Screen) next(n int) {
	all := []reading{readReport, readPositions}
	switch c := sc.verdict; {
	case c == nil, sc.session.Mode.Critiques():
		return
	case sc.reviews():
		all[1] = readFindings
	case c.Pick != nil:
		all = append(all, readPick)
	}
	at := slices.Index(all, sc.reads)
	sc.read(all[(at+n+len(all))%len(all)])
}

// View draws the line, and the verdict below it.
func (sc *Screen) View(f screen.Frame) string {
	sc.now = f.Now
	follows := sc.answering != nil && sc.AtEnd()
	if sc.wait != nil || sc.layingOut || follows {
		sc.Changed()
	}
	if follows {
		sc.ToEnd()
	}
	left, right := sc.split()
	if left != sc.left { // a search has begun or ended
		sc.SetSize(sc.w, sc.height)
	}
	rows := append(sc.headline(f.Now), strings.Split(sc.Reader.View(f), "\n")...)
	if right > 0 {
		for i, row := range sc.figures(right, sc.h) {
			rows[len(rows)-sc.h+i] += " " + row
		}
	}
	return strings.Join(rows, "\n")
}

// Click chooses a finding.
func (sc *Screen) Click(x, y int) screen.Outcome { return sc.Reader.Click(x, y-sc.height+sc.h) }

// Wheel scrolls what is read.
func (sc *Screen) Wheel(x, y, step, lines int) { sc.Reader.Wheel(x, y-sc.height+sc.h, step, lines) }

// title says what is read and who wrote it.
func (sc *Screen) title() []theme.Part {
	th, c, sep := sc.th, sc.verdict, " "+sc.th.Symbols.Sep+" "
	switch sc.reads {
	case readPositions:
		return []theme.Part{{Text: "Positions", Style: th.Text}}
	case readPick:
		return []theme.Part{{Text: "Pick", Style: th.Text}}
	case readReport, readFindings:
	}
	parts := []theme.Part{{Text: "Verdict", Style: th.Text}}
	switch {
	case c == nil && sc.chair != "":
		doing := " is writing it"
		if sc.wait != nil {
			doing = " must wait"
		}
		parts = append(parts, theme.Part{Text: sep + sc.chair + doing, Style: th.Muted, Cut: 1})
	case c != nil && c.Author.Name != "":
		who := "by chair "
		if c.Author.Member {
			who = "by seat "
		}
		who = text.Join(" ", "written", c.Author.After, who) + c.Author.Name
		parts = append(parts, theme.Part{Text: sep + who, Style: th.Muted, Cut: 2})
		if c.Author.Model != "" {
			parts = append(parts, theme.Part{Text: sep + c.Author.Model, Style: th.Muted, Cut: 1})
		}
	}
	return parts
}

// body returns the lines of a text: as far as they are laid out or, for a search, all of them.
func (sc *Screen) body() []string {
	left, _ := sc.split()
	width := max(left-4, 8)
	for {
		sc.budget.Refill(markdown.Step)
		var lines []string
		switch sc.reads {
		case readPositions:
			lines = sc.positions(width)
		case readPick:
			lines = sc.pick(width)
		case readReport, readFindings:
			lines = append(sc.withAnswering(sc.report(width), width), sc.waitLines(width, sc.now)...)
		}
		switch sc.layingOut = sc.budget.Short(); {
		case !sc.layingOut:
			return lines
		case !sc.Searching():
			return append(lines, sc.th.Muted.Render("laying out"+sc.th.Symbols.Cut))
		}
	}
}

// pick returns the lines of the strongest single answer: whose it is, why, and the whole of it.
func (sc *Screen) pick(width int) []string {
	p := sc.verdict.Pick
	lines := wrapped(sc.th.Text.Bold(true).Render, p.Heading, width)
	if p.Reason != "" {
		lines = append(lines, sc.prose(p.Reason, width)...)
	}
	return append(append(lines, ""), sc.rendered(string(readPick), p.Text, width)...)
}

// LayingOut implements screen.LayingOut.
func (sc *Screen) LayingOut() bool { return sc.layingOut }

// long reports whether a text of the verdict takes more than one drawing.
func (ct *content) long() bool {
	c := ct.verdict
	return c != nil && (len(c.Text) > markdown.Step || c.Pick != nil && len(c.Pick.Text) > markdown.Step ||
		slices.ContainsFunc(ct.session.FollowUps, func(f debate.FollowUp) bool { return len(f.Text()) > markdown.Step }))
}

func (ct *content) rendered(name, words string, width int) []string {
	d, ok := ct.texts[name]
	if !ok {
		d = markdown.New(markdown.NewStyles(ct.th)).NewDoc(width)
		d.SetBudget(&ct.budget)
		d.Append(text.Sanitize(words))
		if ct.texts == nil {
			ct.texts = map[string]*markdown.Doc{}
		}
		ct.texts[name] = d
	}
	d.SetWidth(width)
	return d.Lines(0, d.Height())
}

// report returns the lines of the report, of what has no room beside it, and of the follow-ups
// that have ended.
func (sc *Screen) report(width int) []string {
	lines, c := sc.question(width), sc.verdict
	if c == nil {
		if sc.text != nil {
			lines = append(lines, sc.text.lines(width)...)
		}
		return lines
	}
	for _, line := range append([]string{c.Author.Cause, c.Settled, sc.session.ForkLine(c.Line.String())}, c.Notes...) {
		if line != "" {
			lines = append(append(lines, sc.prose(text.Capitalize(line), width)...), "")
		}
	}
	lines = append(lines, sc.rendered(string(readReport), c.Text, width)...)
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	if !sc.beside() {
		for _, p := range sc.panels(width) {
			lines = append(append(lines, "", sc.th.Accent.Render(p.title)), p.lines...)
		}
	}
	return append(lines, sc.followUps(width)...)
}

func (sc *Screen) more() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	return append([]screen.Command{
		{
			Binding: bind("next-panel", "tab", "the next part"), Title: "Next panel", Group: screen.Moving, Hint: sc.panelHint, Rank: 1,
			Run: move(sc.next, 1),
		},
		{Binding: bind("previous-panel", "", ""), Title: "Previous panel", Group: screen.Moving, Run: move(sc.next, -1)},
		{
			Binding: bind("positions", "D", "positions by side"), Title: "Everybody's position, by side", Group: screen.Looking,
			Hint: screen.Say("D positions"), Rank: 4, Why: sc.noPositions, Run: screen.With(sc.shows, readPositions),
		},
		{
			Binding: bind("pick", "V", "strongest single answer"), Title: "The strongest single answer", Group: screen.Looking,
			Hint: screen.Say("V pick"), Rank: 5, Why: sc.noPick, Run: screen.With(sc.shows, readPick),
		},
		{
			Binding: bind("receipt", "p", "prompt receipt"), Title: "Prompt receipt of the chair", Group: screen.Looking,
			Hint: screen.Say("p receipt"), Rank: 7, Run: do(openReceipt),
		},
	}, screen.Shared("evidence", "tool-log", "skip-ahead", "ask", "cancel-answer", "retry-now", "pause-now", "outcome", "more", "budget",
		"end", "answer", "approvals", "fork", "export", "new-debate", "debates")...)
}

func openReceipt() screen.Outcome { return screen.Outcome{screen.OpenReceipt{}} }

func (sc *Screen) shows(what reading) screen.Outcome {
	if sc.reads == what {
		what = readReport
	}
	sc.read(what)
	return nil
}

func (sc *Screen) panelHint() string {
	switch {
	case !sc.reviews():
		return ""
	case sc.reads == readReport:
		return "tab findings"
	}
	return "tab summary"
}

func (sc *Screen) noPositions() string {
	switch {
	case sc.verdict == nil:
		return sc.noVerdict()
	case sc.reviews():
		return "A review has findings, not positions."
	case sc.session.Mode.Critiques():
		return "A critique has one text; the concerns stand with it."
	}
	return ""
}

func (sc *Screen) noPick() string {
	switch {
	case sc.verdict == nil:
		return sc.noVerdict()
	case sc.verdict.Pick == nil:
		return "No single answer was picked."
	}
	return ""
}

func (sc *Screen) copyText() screen.Copy {
	switch c := sc.verdict; {
	case c == nil:
		return screen.Copy{}
	case sc.reads == readPick:
		return screen.Copy{Text: c.Pick.Text, What: "the pick"}
	default:
		return screen.Copy{Text: c.Text, What: "the verdict"}
	}
}

// ShownRound returns the last round, which a fork takes.
func (sc *Screen) ShownRound() int { return len(sc.session.History) }

// Find marks words in the report.
func (sc *Screen) Find(words string) screen.Outcome {
	sc.read(readReport)
	return sc.Reader.Find(words)
}

// BackHint says what esc does.
func (sc *Screen) BackHint() string {
	if hint := sc.Reader.BackHint(); hint != "esc back" {
		return hint
	}
	return "esc debate"
}
