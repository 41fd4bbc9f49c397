// Package forkview is the screen on which the user forks a debate with one thing changed:
// first a list of what can change, then its new value.
//
// It imports debate and agents for their values, screen for what it is to the shell, and
// input, list and theme to draw. It must not know other screens, stores or engines:
// the fork itself is made by the shell, which it asks with Make.
package forkview

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Choices is what a fork can change to.
type Choices struct {
	Models []agents.Profile
	Modes  []debate.Mode
	Panels []debate.Panel
}

// Make asks the shell to fork the session and to open the fork.
type Make struct{ Plan debate.ForkPlan }

// Screen lists what can change, and then the values of the row that was chosen.
type Screen struct {
	th       *theme.Theme
	w, h     int
	session  debate.Session
	choices  Choices
	commands []screen.Command

	round int // after which the fork begins
	rows  []row
	list  list.List // of the rows

	chosen bool      // a value of the row under the cursor is being chosen
	values list.List // of that row

	answers   map[string]*answer // that were typed, by request
	answerRow int                // in which the first row of one was drawn last
}

var (
	_ screen.OfSession = (*Screen)(nil)
	_ screen.Undoer    = (*Screen)(nil)
)

// New returns the screen.
func New(th *theme.Theme) *Screen {
	sc := &Screen{th: th, answers: map[string]*answer{}}
	sc.commands = sc.keys()
	return sc
}

// Open shows what a fork can change, first after the given round or, if that leaves no round
// to run, after the one before.
func (sc *Screen) Open(round int, c Choices) {
	sc.choices, sc.list.At, sc.chosen = c, 0, false
	sc.round = max(0, min(round, sc.last()))
	sc.readRows()
}

// last returns the last round after which there are more to run.
func (sc *Screen) last() int { return max(0, min(sc.session.Ended(), sc.session.Rounds-1)) }

// readRows reads what can change after the round.
func (sc *Screen) readRows() {
	sc.rows = rowsOf(sc.session, sc.choices, sc.round)
	sc.list.Move(0, len(sc.rows))
}

// SetSession shows another session.
func (sc *Screen) SetSession(s debate.Session) {
	same := s.ID == sc.session.ID
	sc.session = s
	if !same {
		clear(sc.answers)
		sc.Open(sc.round, sc.choices)
	}
}

// Apply does nothing: a fork copies rounds that have ended.
func (sc *Screen) Apply(debate.Event) {}

// Name returns "Fork".
func (sc *Screen) Name() string { return "Fork" }

// SetTheme changes colours and symbols.
func (sc *Screen) SetTheme(th *theme.Theme) {
	sc.th = th
	for _, a := range sc.answers {
		a.setTheme(th)
	}
}

// SetSize sets the room between the top line and the notice row.
func (sc *Screen) SetSize(w, h int) { sc.w, sc.h = w, h }

// Commands lists the keys of the screen.
func (sc *Screen) Commands() []screen.Command { return sc.commands }

func (sc *Screen) keys() []screen.Command {
	bind, do, move := screen.Bind, screen.Do, screen.Moves
	return append(screen.MoveKeys(sc.move, sc.page), []screen.Command{
		{
			Binding: bind("open", "enter", "choose"), Title: "Choose", Group: screen.Choosing,
			Hint: sc.enterHint, Rank: 1, Writes: true, Why: sc.nothing, Run: do(sc.choose),
		},
		{
			Binding: bind("earlier-round", "[ ]", "another round"), Title: "Fork from the round before", Group: screen.Choosing,
			Hint: sc.roundHint, Rank: 3, Why: sc.noRound, Run: move(sc.turnRound, -1),
		},
		{
			Binding: bind("later-round", "", ""), Title: "Fork from the next round", Group: screen.Choosing,
			Why: sc.noRound, Run: move(sc.turnRound, 1),
		},
	}...)
}

func (sc *Screen) enterHint() string {
	if sc.chosen {
		return "enter fork"
	}
	return "enter choose"
}

func (sc *Screen) roundHint() string {
	if sc.chosen || sc.last() == 0 {
		return ""
	}
	return "[ ] round"
}

func (sc *Screen) nothing() string {
	switch {
	case len(sc.rows) > 0:
		return ""
	case sc.round == 0:
		return "Nothing can change: there is no other model, mode or panel."
	}
	return "Nothing can change here. Press [ to fork from an earlier round."
}

func (sc *Screen) noRound() string {
	switch {
	case sc.chosen:
		return "Press esc first: the round is chosen in the list."
	case sc.last() == 0:
		return "This debate can only start over: no other round leaves one to run."
	}
	return ""
}

func (sc *Screen) move(n int) {
	if sc.chosen {
		sc.values.Move(n, len(sc.row().values))
		return
	}
	sc.list.Move(n, len(sc.rows))
}

// page moves by about half of what is seen.
func (sc *Screen) page(n int) { sc.move(n * max(sc.h/2, 1)) }

// turnRound shows what a fork after another round can change. The cursor stays on what it was
// on, or goes to the top if that cannot be changed there.
func (sc *Screen) turnRound(n int) {
	was := sc.row().label
	sc.round = max(0, min(sc.round+n, sc.last()))
	sc.readRows()
	sc.list.At = max(0, slices.IndexFunc(sc.rows, func(r row) bool { return r.label == was }))
}

func (sc *Screen) row() row { return sc.rows[sc.list.At] }

// choose goes from the list to the values of a row, and from there asks for the fork.
func (sc *Screen) choose() screen.Outcome {
	r := sc.row()
	if !sc.chosen {
		sc.chosen, sc.values = true, list.List{}
		return screen.Outcome{screen.ClearNotice{}}
	}
	return screen.Outcome{Make{r.values[sc.values.At].plan}}
}

// answer returns the text that is typed for the chosen row; it is nil if none is.
func (sc *Screen) answer() *answer {
	if !sc.chosen || len(sc.rows) == 0 || !sc.row().isAnswer() {
		return nil
	}
	r := sc.row()
	a := sc.answers[r.id]
	if a == nil {
		a = newAnswer(sc.th, r)
		sc.answers[r.id] = a
	}
	a.row = r
	return a
}

// HandleKey types into the answer.
func (sc *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	a := sc.answer()
	switch pressed := msg.String(); {
	case a == nil:
		return nil
	case input.Means(pressed, a.field().area.LineCount(), true) == input.Sends:
		return a.send()
	case pressed == "ctrl+x":
		a.turn()
		return nil
	}
	return a.change(func(area *input.Area) (tea.Cmd, string) { return area.Type(msg) })
}

// Paste inserts text into the answer.
func (sc *Screen) Paste(content string) screen.Outcome {
	a := sc.answer()
	if a == nil {
		return nil
	}
	return a.change(func(area *input.Area) (tea.Cmd, string) { return area.Paste(content) })
}

// CanUndo reports whether an answer is typed.
func (sc *Screen) CanUndo() bool { return sc.Typing() }

// Undo takes back the last change of the answer.
func (sc *Screen) Undo() (out screen.Outcome, ok bool) {
	a := sc.answer()
	return nil, a != nil && a.undo()
}

// Back leaves the values for the list, and the list for the debate.
func (sc *Screen) Back() screen.Outcome {
	if sc.chosen {
		sc.chosen = false
		return nil
	}
	return screen.Outcome{screen.Close{}}
}

// BackHint says so.
func (sc *Screen) BackHint() string {
	if sc.Typing() {
		return ""
	}
	return "esc back"
}

// Typing reports whether an answer is typed.
func (sc *Screen) Typing() bool { return sc.answer() != nil }

// TypingHints says how to finish the answer.
func (sc *Screen) TypingHints() []string {
	if a := sc.answer(); a != nil {
		return a.hints()
	}
	return nil
}

// minAnswerRows is how many rows an answer has in a small terminal, its label included, before what is
// above it.
const minAnswerRows = 4

// labelWidth is the width of the first column of the list.
const labelWidth = 16

// Title names the screen and the round from which it forks.
func (sc *Screen) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{
		{Text: " Fork", Style: sc.th.Accent},
		{Text: "   " + text.Line(sc.session.Name()), Style: sc.th.Muted, Cut: 1},
	}, nil
}

// begins says after which round the fork begins.
func (sc *Screen) begins(round int) string {
	rest := text.Count(sc.session.Rounds-round, "round")
	if round == 0 {
		return fmt.Sprintf("From the start: %s to run again.", rest)
	}
	return fmt.Sprintf("From round %d of %d: %s to run again.", round, sc.session.Rounds, rest)
}

// View draws the list, or the values of a row.
func (sc *Screen) View(screen.Frame) string {
	if sc.chosen {
		return sc.viewValues()
	}
	said := sc.begins(sc.round) + " Change one thing:"
	if len(sc.rows) == 0 {
		said = sc.nothing()
	}
	head := []string{""}
	for _, l := range theme.Wrap(said, max(sc.w-2, 1)) {
		head = append(head, sc.line(sc.th.Text.Render(l)))
	}
	head = append(head, "")
	var lines []string
	top, bottom := 0, 0
	for i, r := range sc.rows {
		if i == sc.list.At {
			top = len(lines)
		}
		lines = append(lines, sc.rowLines(r, i == sc.list.At)...)
		if i == sc.list.At {
			bottom = len(lines) - 1
		}
	}
	return sc.fill(head, &sc.list, lines, top, bottom)
}

// rowLines draws a row, the selected one with what it changes.
func (sc *Screen) rowLines(r row, selected bool) []string {
	th, mark := sc.th.ForRow(selected)
	about := strings.TrimSpace(r.about)
	if about == "" {
		about = r.now
	}
	lines := []string{th.Columns(theme.Column{Text: " " + mark, Width: 3, Style: th.Accent},
		theme.Column{Text: text.Clip(r.label, labelWidth-1), Width: labelWidth, Style: th.Text},
		theme.Column{Text: sc.th.Truncate(about, max(sc.w-4-labelWidth, 1)), Width: max(sc.w-3-labelWidth, 1), Style: th.Muted})}
	if !selected {
		return lines
	}
	if r.about != "" && r.now != "" {
		lines = append(lines, sc.below(sc.th.Truncate("now: "+r.now, sc.w-sc.indent()-1))...)
	}
	if r.note != "" {
		lines = append(lines, sc.below(r.note)...)
	}
	return lines
}

// indent is the column of the text below a row.
func (sc *Screen) indent() int { return min(3+labelWidth, sc.w/3) }

func (sc *Screen) below(said string) []string {
	var lines []string
	for _, l := range theme.Wrap(said, max(sc.w-sc.indent()-1, 1)) {
		lines = append(lines, sc.th.Fit(strings.Repeat(" ", sc.indent())+sc.th.Faint.Render(l), sc.w))
	}
	return lines
}

// viewValues draws what a row can change to, or the field of an answer.
func (sc *Screen) viewValues() string {
	th, r := sc.th, sc.row()
	head := []string{"", sc.line(th.Accent.Render(r.label)), ""}
	for _, said := range []string{r.about, sc.nowLine(r), r.note} {
		if said == "" {
			continue
		}
		for _, l := range theme.Wrap(said, max(sc.w-2, 1)) {
			head = append(head, sc.line(th.Muted.Render(l)))
		}
	}
	plan := r.plan
	if !r.isAnswer() {
		plan = r.values[sc.values.At].plan
	}
	head = append(head, sc.line(th.Muted.Render(sc.begins(plan.Round))), "")
	if typed := sc.answer(); typed != nil {
		rows := typed.view(th, sc.w, max(sc.h-len(head), min(sc.h, minAnswerRows)))
		head = append(head, rows...)
		sc.answerRow = min(len(head), sc.h) - len(rows) + 1
		return sc.fill(head, &sc.values, nil, 0, 0)
	}
	var lines []string
	for i, v := range r.values {
		rowTheme, mark := th.ForRow(i == sc.values.At)
		lines = append(lines, rowTheme.Columns(theme.Column{Text: " " + mark, Width: 3, Style: rowTheme.Accent},
			theme.Column{Text: th.Truncate(v.text, max(sc.w-4, 1)), Width: max(sc.w-3, 1), Style: rowTheme.Text}))
	}
	return sc.fill(head, &sc.values, lines, sc.values.At, sc.values.At)
}

func (sc *Screen) nowLine(r row) string {
	if r.now == "" {
		return ""
	}
	return "Now: " + text.Clip(r.now, 200)
}

// Cursor is in the field of the answer.
func (sc *Screen) Cursor() *tea.Cursor {
	if a := sc.answer(); a != nil {
		return screen.Offset(a.field().area.Cursor(), 2, sc.answerRow)
	}
	return nil
}

func (sc *Screen) line(content string) string { return sc.th.Fit(" "+content, sc.w) }

// fill draws a head and a list below it, in exactly the room of the screen.
func (sc *Screen) fill(head []string, l *list.List, lines []string, top, bottom int) string {
	for i := range head {
		head[i] = sc.th.Fit(head[i], sc.w)
	}
	if over := len(head) - sc.h; over > 0 { // the field is the last row
		head = head[over:]
	}
	rest := sc.h - len(head)
	if rest == 0 {
		return strings.Join(head, "\n")
	}
	return strings.Join(append(head, l.View(sc.th, lines, top, bottom, sc.w, rest)), "\n")
}
