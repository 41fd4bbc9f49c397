// Package verdictview is the screen of the verdict: what the chair wrote, beside
// the figures that it rests on. While the chair writes it shows the text so far.
//
// It draws what debate/report says of a session and has hardly any words of its own.
// It imports debate and internal/text besides, screen for what it is to the shell, and
// list, textview, markdown and theme to draw, and pane for the words of a wait. It must not
// know other screens, stores or engines.
package verdictview

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/report"
	"roundtable/debate/statement"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/list"
	"roundtable/tui/markdown"
	"roundtable/tui/screen"
	"roundtable/tui/textview"
	"roundtable/tui/theme"
)

// wideReport is the width from which the report is beside its figures.
const wideReport = 100

// Screen is the verdict screen. On a narrow terminal it shows one panel at a time.
type Screen struct {
	content
	commands   []screen.Command
	noReceipts string // why receipts cannot be shown; "": they can

	chair string                // who writes the verdict; "": nobody
	in    text.Stream           // what the chair writes
	words statement.ProseStream // the same without its JSON block
	text  *markdown.Doc         // as far as it has come
	wait  debate.SpeakerWait    // of the chair, or of who answers a follow-up question

	w, h   int           // of what is below the headline
	height int           // with the headline
	focus  int           // panel; 0 is the report
	view   textview.Text // of the report, or of the panel that is shown alone
	boxes  list.Viewport // of the figures beside the report

	lines     []string // of the report at the width it was drawn for
	drawn     int
	answering *answering // nil: no follow-up is being answered

	places []place // of evidence among the lines
	mark   int     // the marked one of them, from 1; 0: none

	found findings // of a review
	find  screen.Finder
}

var _ screen.OfSession = (*Screen)(nil)

// content is what the report and the panels are made of.
type content struct {
	th      *theme.Theme
	keys    keymap.Changes // of the user, which its texts name
	session debate.Session
	verdict *report.Conclusion // nil until there is one
	cited   []cite.Cited
	sides   []report.RoundSides // where the voters stood in each round
	round   int                 // whose agreement and counts are shown; 0: the last one's

	texts     map[string]*markdown.Doc // of follow-ups by number, of findings, and the three below
	budget    markdown.Budget
	layingOut bool // the lines are not all of the texts yet
}

// The names among the texts of the pick, and of the first paragraph and the rest of the verdict.
const (
	pickedText = "pick"
	answerText = "answer"
	restText   = "rest"
)

// panel is one box of figures, or what is read in the place of the report.
type panel struct {
	name  string // for tabs
	title string
	state string
	lines []string
}

// New returns the screen. A reason in noReceipts disables the key for prompt
// receipts.
func New(th *theme.Theme, noReceipts string, keys keymap.Changes) *Screen {
	sc := &Screen{content: content{th: th, keys: keys}, noReceipts: noReceipts, found: newFindings()}
	sc.find = screen.Finder{Lines: sc.reading, Show: sc.show}
	sc.commands = sc.keys()
	return sc
}

// SetSession shows the verdict of a session, if there is one.
func (sc *Screen) SetSession(s debate.Session) {
	reviewed := sc.reviews()
	sc.session, sc.verdict, sc.cited, sc.lines, sc.texts, sc.places, sc.mark = s, nil, nil, nil, nil, nil, 0
	if sc.round >= len(s.History) {
		sc.round = 0
	}
	if s.Verdict != nil {
		c := report.Conclude(*s.Verdict, s)
		sc.verdict, sc.chair, sc.text = &c, "", nil
		sc.sides = report.SidesByRound(s)
		if len(s.Evidence) > 0 {
			sc.cited = cite.All(s)
		}
	}
	sc.focus = min(sc.focus, len(sc.panels()))
	if sc.reviews() && !reviewed { // its verdict is the list
		sc.focus = 1
	}
	if sc.reviews() {
		sc.found.Move(0, sc.entries())
	}
	sc.SetSize(sc.w, sc.height)
}

// Apply follows a chair that writes.
func (sc *Screen) Apply(ev debate.Event) {
	sc.wait.Apply(ev)
	switch ev := ev.(type) {
	case debate.TurnStarted: // a seat goes first
		sc.chair = ""
	case debate.Concluding:
		sc.chair = text.Line(ev.Profile.Name + " · " + ev.Profile.ModelName())
		sc.clearText()
	case debate.FollowUpStarted:
		sc.followUpStarted(ev)
	case debate.FollowUpEnded:
		if sc.answering != nil && sc.answering.follows {
			sc.view.ToEnd(1)
		}
		sc.answering = nil
	case debate.Text:
		sc.textArrived(ev)
	case debate.RoundEnded:
		sc.chair, sc.answering = "", nil
	default: // not shown here
	}
}

// textArrived shows what the chair, or the answer to a follow-up, says next.
func (sc *Screen) textArrived(ev debate.Text) {
	follows := sc.answering != nil && ev.Turn.Step == debate.FollowUpStep
	switch writes := ev.Turn.Step == debate.VerdictStep; {
	case writes && ev.Moves:
		sc.clearText()
	case writes && !ev.Reasoning:
		sc.write(ev.Text)
	case follows && ev.Moves:
		sc.clearAnswer()
	case follows && !ev.Reasoning:
		sc.answering.write(ev.Text)
	}
}

func (sc *Screen) clearText() {
	sc.in, sc.words, sc.text, sc.lines = text.Stream{}, statement.ProseStream{}, nil, nil
}

// write appends the chair's next words.
func (sc *Screen) write(piece string) {
	if sc.text == nil {
		sc.text = markdown.New(markdown.NewStyles(sc.th)).NewDoc(sc.w)
		sc.text.SetBudget(&sc.budget)
	}
	sc.text.Append(sc.words.Write(sc.in.Write(piece)))
	sc.text.Preview(sc.words.Peek(sc.in.Peek()))
	sc.lines = nil
}

// Name returns "Verdict".
func (sc *Screen) Name() string { return "Verdict" }

// SetTheme changes the colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) {
	sc.th, sc.lines, sc.texts = th, nil, nil
	if sc.answering != nil {
		sc.answering.doc.SetRenderer(markdown.New(markdown.NewStyles(th)))
	}
	if sc.text != nil {
		sc.text.SetRenderer(markdown.New(markdown.NewStyles(th)))
	}
}

// SetSize sets the room of the screen. The headline takes its first rows.
func (sc *Screen) SetSize(w, h int) {
	if sc.w != w {
		sc.lines = nil
	}
	sc.w, sc.height = w, h
	sc.h = h - len(sc.headline(time.Time{}))
	sc.found.filter.SetWidth(max(w-8, 8))
}

// Title leaves the top line to the session.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) { return nil, nil }

// Wheel scrolls what is read.
func (sc *Screen) Wheel(_, _, _, lines int) { sc.scroll(lines) }

// single reports whether one panel is shown at a time. The list of a review has all the width.
func (sc *Screen) single() bool { return sc.w < wideReport || sc.reviews() }

// split returns the widths of the report and of the figures beside it.
func (sc *Screen) split() (left, right int) {
	if sc.single() {
		return sc.w, sc.w
	}
	right = max(53, min(sc.w*38/100, 76))
	return sc.w - right - 1, right
}

// next moves the focus to another panel.
func (sc *Screen) next(n int) {
	k, was := len(sc.panels())+1, sc.picked()
	sc.focus = (sc.focus + n + k) % k
	if sc.single() || was != sc.picked() {
		sc.view.ToEnd(-1)
		sc.lines = nil // they may be laid out in part
	}
}

// picked reports whether the pick is read, in the place of the report.
func (sc *Screen) picked() bool {
	return sc.focus == 1 && sc.verdict != nil && sc.verdict.Pick != nil
}

// scroll moves by lines, or in the list of findings. At the end it follows an answer that is
// being written.
func (sc *Screen) scroll(n int) {
	if sc.listing() {
		sc.found.Move(n, sc.entries())
		return
	}
	sc.view.Scroll(n)
	if sc.answering != nil {
		sc.answering.follows = sc.view.AtEnd()
	}
}

func (sc *Screen) page(n int) { sc.scroll(n * max(sc.rows()/2, 1)) }

func (sc *Screen) rows() int {
	rows := sc.h - 2
	if sc.single() {
		rows--
	}
	return max(rows, 1)
}

// View draws the headline, and the verdict below it.
func (sc *Screen) View(f screen.Frame) string {
	left, right := sc.split()
	rows := sc.headline(f.Now)
	if sc.single() {
		rows = append(rows, sc.tabs())
		return strings.Join(append(rows, sc.onePanel(left, sc.h-1, f.Now)...), "\n")
	}
	box := sc.box(left, sc.h, f.Now)
	for i, f := range sc.figures(right, sc.h) {
		box[i] += " " + f
	}
	return strings.Join(append(rows, box...), "\n")
}

// onePanel draws the panel in focus over the whole width.
func (sc *Screen) onePanel(w, h int, now time.Time) []string {
	switch {
	case sc.onFindings():
		return sc.findingsBox(w, h)
	case sc.focus == 0, sc.picked():
		return sc.box(w, h, now)
	}
	p := sc.panels()[sc.focus-1]
	p.lines = sc.view.Visible(sc.find.Mark(sc.th, p.lines), sc.rows())
	return sc.panel(p, w, h, true, sc.view.Below())
}

// tabs names all panels in one row.
func (sc *Screen) tabs() string {
	parts := []theme.Part{}
	first := "Verdict"
	if sc.reviews() {
		first = "Summary"
	}
	for i, name := range append([]string{first}, names(sc.panels())...) {
		mark, style := "  ", sc.th.Muted
		if i == sc.focus {
			mark, style = " "+sc.th.Symbols.Focus, sc.th.Accent
		}
		parts = append(parts, theme.Part{Text: mark + name, Style: style, Cut: 1})
	}
	return sc.th.Row(parts, nil, sc.w)
}

func names(ps []panel) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.name)
	}
	return out
}

// box draws the report, or the pick.
func (sc *Screen) box(w, h int, now time.Time) []string {
	th := sc.th
	if sc.picked() {
		p := panel{title: "Pick", lines: sc.view.Visible(sc.find.Mark(th, sc.pick(max(w-4, 8))), sc.rows())}
		return sc.panel(p, w, h, true, sc.view.Below())
	}
	b := theme.Box{Width: w, Height: h, Focused: sc.focus == 0, Accent: th.Accent, Title: []theme.Part{{Text: "Verdict", Style: th.Text}}}
	lines := sc.body(now)
	if a := sc.answering; a != nil && a.follows {
		sc.view.ScrollTo(len(lines))
	}
	if sc.focus == 0 {
		lines = sc.find.Mark(th, lines)
	}
	b.Lines = sc.view.Visible(lines, sc.rows())
	c := sc.verdict
	switch {
	case c == nil:
		if sc.chair != "" {
			doing := " is writing it"
			if _, waits := sc.wait.Retry(); waits {
				doing = " must wait"
			}
			b.Title = append(b.Title, theme.Part{Text: " " + th.Symbols.Sep + " " + sc.chair + doing, Style: th.Muted, Cut: 1})
		}
	case c.Author.Name != "":
		b.Title = append(b.Title,
			theme.Part{Text: " " + th.Symbols.Sep + " written by chair " + text.Line(c.Author.Name), Style: th.Muted, Cut: 2},
			theme.Part{Text: " " + th.Symbols.Sep + " " + text.Line(c.Author.Model), Style: th.Muted, Cut: 1})
	default:
		b.Title = append(b.Title, theme.Part{Text: " " + th.Symbols.Sep + " no chair wrote this", Style: th.Muted, Cut: 1})
	}
	if c != nil {
		if c.Confidence != nil {
			b.State = []theme.Part{{Text: "confidence " + text.Percent(*c.Confidence), Style: th.Muted, Cut: 3}}
		}
		b.Hint, b.Total = sc.foot(c, sc.view.Below())
	}
	return th.Box(b)
}

// foot says how much is hidden, and what the chair cost.
func (sc *Screen) foot(c *report.Conclusion, below int) (hint, total []theme.Part) {
	th := sc.th
	if below > 0 {
		hint = []theme.Part{{Text: fmt.Sprintf("%d below", below), Style: th.Muted, Cut: 2}}
	}
	for _, s := range c.Spending {
		if s.Purpose == debate.ForChair && c.Author.Name != "" { // else it is of chairs that failed, or of an earlier verdict
			took := text.UsedTokens(s.Usage.Total(), s.Usage.Estimated)
			took += " " + th.Symbols.Sep + " " + agents.CostText(text.Price(s.Cost), s.Cost, sc.session.SpeakersFor(s.Purpose)...)
			if n := sc.session.ChairTurns; n > 1 {
				took += " " + th.Symbols.Sep + " " + text.Count(n, "turn")
			}
			total = []theme.Part{{Text: took, Style: th.Faint, Cut: 1}}
		}
	}
	return hint, total
}

// body returns the lines of the report and of the follow-ups.
func (sc *Screen) body(now time.Time) []string {
	left, _ := sc.split()
	width := max(left-4, 8)
	sc.budget.Refill(markdown.Step)
	lines := append(slices.Clip(sc.withAnswering(sc.report(left, width), width)), sc.waitLines(width, now)...)
	if sc.layingOut = sc.budget.Short(); sc.layingOut {
		lines = append(slices.Clip(lines), sc.th.Muted.Render("laying out"+sc.th.Symbols.Cut))
	}
	return lines
}

// pick returns the lines of the strongest single answer: who picked it and why, and the
// whole of it.
func (sc *Screen) pick(width int) []string {
	p := sc.verdict.Pick
	lines := wrapped(sc.th.Text.Bold(true).Render, text.Line(p.Heading), width)
	lines = append(append(lines, sc.prose(p.By, width)...), "")
	sc.budget.Refill(markdown.Step)
	lines = append(lines, sc.rendered(pickedText, p.Text, width)...)
	if sc.layingOut = sc.budget.Short(); sc.layingOut {
		lines = append(lines, sc.th.Muted.Render("laying out"+sc.th.Symbols.Cut))
	}
	return lines
}

// LayingOut implements screen.LayingOut.
func (sc *Screen) LayingOut() bool {
	switch {
	case sc.picked():
		return sc.layingOut || sc.texts[pickedText] == nil && len(sc.verdict.Pick.Text) > markdown.Step
	case sc.single() && sc.focus != 0: // it is not drawn
		return false
	case sc.layingOut || sc.lines != nil || sc.verdict == nil:
		return sc.layingOut
	}
	return len(sc.verdict.Text) > markdown.Step ||
		slices.ContainsFunc(sc.session.FollowUps, func(f debate.FollowUp) bool { return len(f.Text()) > markdown.Step })
}

// rendered returns the lines of one of the texts, as far as they are laid out.
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

// report returns the lines of the report and of the follow-ups that have ended, in a box of
// a width.
func (sc *Screen) report(left, width int) []string {
	if sc.lines != nil && sc.drawn == left && !sc.layingOut {
		return sc.lines
	}
	sc.drawn = left
	sc.lines = sc.question(width)
	c := sc.verdict
	if c == nil {
		if sc.text != nil {
			sc.text.SetWidth(width)
			sc.lines = append(sc.lines, sc.text.Lines(0, sc.text.Height())...)
		}
		return sc.lines
	}
	short, rest := sc.inShort(c, width)
	sc.lines = append(sc.lines, short...)
	if outcome := sc.outcome(c, width); len(outcome) > 0 {
		sc.lines = append(append(sc.lines, ""), outcome...)
	}
	if rest != "" {
		sc.lines = append(append(sc.lines, ""), sc.rendered(restText, rest, width)...)
	}
	own, places := sc.appendix(c, min(width, 86), sc.mark)
	sc.places = places
	for i := range places {
		places[i].line += len(sc.lines)
	}
	sc.lines = append(sc.lines, own...)
	sc.lines = append(sc.lines, sc.followUps(width)...)
	return sc.lines
}

// Effects that the shell carries out besides those of package screen.
type (
	// OpenReceipt asks for the prompt receipt of the chair.
	OpenReceipt struct{}
	// OpenCitation asks for the place of the evidence that a citation names.
	OpenCitation struct{ debate.Citation }
)

// Commands lists the keys of the verdict.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	bind, do, with, move := screen.Bind, screen.Do, screen.With[int], screen.Moves
	jumps := screen.JumpKeys(sc.page, func(n int) { sc.scroll(n * 1 << 20) })
	search := sc.find.Commands()
	search[0].Hint, search[0].Rank, search[0].Run = sc.filterHint, 2, do(sc.ask)
	return append(slices.Concat(sc.citationKeys(), search, jumps), []screen.Command{
		{
			Binding: bind("next-panel", "tab", "panel"), Title: "Next panel", Group: screen.Moving, Hint: sc.panelHint, Rank: 2,
			Run: move(sc.next, 1),
		},
		{Binding: bind("previous-panel", "", ""), Title: "Previous panel", Group: screen.Moving, Run: move(sc.next, -1)},
		{
			Binding: bind("down", "j k d u", "scroll; G follows"), Title: "Scroll down", Group: screen.Moving,
			Hint: sc.moveHint, Rank: 3, Run: move(sc.scroll, 1),
		},
		{Binding: bind("up", "", ""), Title: "Scroll up", Group: screen.Moving, Run: move(sc.scroll, -1)},
		{Binding: bind("page-down", "", ""), Title: "Half a page down", Group: screen.Moving, Run: move(sc.page, 1)},
		{Binding: bind("page-up", "", ""), Title: "Half a page up", Group: screen.Moving, Run: move(sc.page, -1)},
		{
			Binding: bind("earlier-round", "[ ]", "results by round"), Title: "Results of the round before", Group: screen.Moving,
			Hint: sc.roundHint, Rank: 8, Why: sc.noRound, Run: with(sc.turnRound, -1),
		},
		{
			Binding: bind("later-round", "", ""), Title: "Results of the next round", Group: screen.Moving,
			Why: sc.noRound, Run: with(sc.turnRound, 1),
		},
		{Shared: screen.Evidence},
		{Shared: screen.ToolLog},
		{Shared: screen.SkipAhead},
		{Shared: screen.AskFollowUp},
		{Shared: screen.CancelAnswer},
		{Shared: screen.RetryNow},
		{Shared: screen.PauseNow},
		{Shared: screen.SayOutcome},
		{Shared: screen.AddRound},
		{Shared: screen.ChangeBudget},
		{Shared: screen.EndDebate},
		{Shared: screen.AnswerRequests},
		{Shared: screen.Approvals},
		{
			Binding: bind("receipt", "p", "prompt receipt"), Title: "Prompt receipt of the chair", Group: screen.Looking,
			Hint: screen.Say("p receipt"), Rank: 7, Why: screen.Say(sc.noReceipts), Run: do(openReceipt),
		},
		{Shared: screen.Fork},
		{Shared: screen.Transcript},
		{Shared: screen.Export},
		{
			Binding: bind("copy", "y", "copy the statement"), Title: "Copy the statement", Group: screen.Always,
			Hint: screen.Say("y copy"), Rank: 6, Run: do(sc.copyText),
		},
		{Shared: screen.NewDebate},
		{Shared: screen.Sessions},
	}...)
}

func openReceipt() screen.Outcome { return screen.Outcome{OpenReceipt{}} }

func (sc *Screen) panelHint() string {
	switch {
	case sc.single():
		return "tab panel"
	case sc.focus == 0 && sc.verdict != nil && sc.verdict.Pick != nil:
		return "tab pick"
	}
	return ""
}

func (sc *Screen) copyText() screen.Outcome {
	if c := sc.verdict; c != nil {
		if f, ok := sc.selected(); ok && sc.onFindings() {
			return screen.Outcome{screen.Copy{Text: text.Sanitize(f.Text()), What: "the finding"}}
		}
		if sc.picked() {
			return screen.Outcome{screen.Copy{Text: c.Pick.Text, What: "the pick"}}
		}
		return screen.Outcome{screen.Copy{Text: c.Text, What: "the verdict"}}
	}
	return screen.Outcome{screen.Copy{}}
}

// citationKeys go through the citations of evidence.
func (sc *Screen) citationKeys() []screen.Command {
	bind, do := screen.Bind, screen.Do
	return []screen.Command{
		{
			Binding: bind("next-citation", ".  ,", "citation after, before"), Title: "Next citation", Group: screen.Looking,
			Hint: sc.citationHint, Rank: 3, Why: sc.noCitation, Run: screen.With(sc.nextCitation, 1),
		},
		{
			Binding: bind("previous-citation", "", ""), Title: "Citation before", Group: screen.Looking, Why: sc.noCitation,
			Run: screen.With(sc.nextCitation, -1),
		},
		{
			Binding: bind("open", "enter", "open"), Title: "Open the finding or the marked citation", Group: screen.Looking,
			Hint: sc.openHint, Rank: 1, Why: sc.noOpen, Run: do(sc.open),
		},
	}
}

func (sc *Screen) openHint() string {
	f, ok := sc.selected()
	switch {
	case sc.listing() && ok:
		return "enter open"
	case sc.listing() && sc.entries() > 0:
		return "enter unfold"
	case sc.onFindings() && placeOf(f).ID != "":
		return "enter evidence"
	case sc.mark > 0 && !sc.onFindings():
		return "enter open it"
	}
	return ""
}

func (sc *Screen) noOpen() string {
	if sc.onFindings() {
		return ""
	}
	return sc.noCitation()
}

func (sc *Screen) citationHint() string {
	if sc.onFindings() {
		return ""
	}
	return ". citation"
}

// open opens the finding under the cursor, or the place of the marked citation.
func (sc *Screen) open() screen.Outcome {
	if sc.onFindings() {
		return sc.openFinding()
	}
	sc.body(time.Time{})
	if sc.mark == 0 || sc.mark > len(sc.places) {
		return screen.Tell(screen.Info, "No citation is marked. Press . for the first one.")
	}
	return screen.Outcome{OpenCitation{sc.places[sc.mark-1].citation}}
}

// turnRound shows the agreement, ballots, votes and scores of an earlier or later round.
func (sc *Screen) turnRound(direction int) screen.Outcome {
	return screen.Tell(screen.Info, sc.step(direction))
}

func (sc *Screen) noRound() string {
	switch {
	case sc.verdict == nil:
		return sc.noVerdict()
	case sc.reviews():
		return "A review has one result, over all rounds."
	case len(sc.session.History) < 2:
		return "There is only one round."
	}
	return ""
}

// step moves to the round before or after the one that is shown.
func (sc *Screen) step(n int) string {
	last := len(sc.session.History)
	at := min(max(sc.shown()+n, 1), last)
	sc.round, sc.lines = at%last, nil
	sc.focus = min(sc.focus, len(sc.panels())) // not every round has all panels
	return fmt.Sprintf("Round %d of %d.", at, last)
}

// shown is the round that is shown.
func (sc *Screen) shown() int {
	if sc.round == 0 {
		return len(sc.session.History)
	}
	return sc.round
}

// ShownRound returns the round whose figures are shown.
func (sc *Screen) ShownRound() int { return sc.shown() }

// counted returns the results of the round that is shown; those of the last round
// are in the verdict.
func (ct *content) counted() *debate.Results {
	if ct.round == 0 {
		return ct.verdict.Counted
	}
	return report.RankedIn(ct.session, ct.round)
}

// ask filters the findings while their list is shown, and else searches what is read.
func (sc *Screen) ask() screen.Outcome {
	if sc.listing() {
		return sc.startFilter()
	}
	return screen.AskWords(sc.find.Find)
}

// reading returns the lines of what has the focus, and the first that is visible.
func (sc *Screen) reading() (lines []string, top int) {
	left, right := sc.split()
	top = sc.view.Top()
	switch f, ok := sc.selected(); {
	case sc.listing():
		return nil, 0
	case sc.onFindings() && ok:
		return sc.finding(f, max(sc.w-4, 8)), top
	case sc.picked():
		return sc.pick(max(left-4, 8)), top
	case sc.focus > 0 && right > 0:
		return sc.panels()[sc.focus-1].lines, top
	}
	for lines = sc.body(time.Time{}); sc.layingOut; {
		lines = sc.body(time.Time{})
	}
	return lines, top
}

// show scrolls to a line of what has the focus. Figures beside the report are all shown.
func (sc *Screen) show(line int) { sc.view.ScrollTo(line - sc.rows()/3) }

// Find marks words where the verdict has them: in a finding, among the cautions, or in the report.
func (sc *Screen) Find(in debate.TextPlace, finding, words string) screen.Outcome {
	sc.focus, sc.lines = 0, nil
	switch {
	case in == debate.InFinding && sc.reviews():
		sc.setFilter("")
		sc.found.unfolded = true
		all, _ := sc.matching()
		at := slices.IndexFunc(all, func(f report.ReviewFinding) bool { return f.ID == finding })
		sc.focus, sc.found.At, sc.found.opened = 1, max(at, 0), at >= 0
	case in == debate.InCaution:
		sc.focus = 1 + slices.IndexFunc(sc.panels(), func(p panel) bool { return p.title == report.CautionsTitle })
	}
	sc.view.ToEnd(-1)
	return sc.find.Find(words)
}
