package forkview

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// answer is the text that is typed for a request in place of its answer. It is kept while
// the debate is open, so that esc loses nothing.
type answer struct {
	row         row // of the request
	area        input.Area
	past        input.History
	unavailable bool   // the text says why there is no answer
	told        string // about the text as typed last, such as why a key did nothing
}

// newAnswer begins with the answer as it is.
func newAnswer(th *theme.Theme, r row) *answer {
	a := &answer{row: r, area: input.NewArea(th)}
	a.area.Holds, a.area.Limit = "An answer", ledger.MaxAnswer
	a.setTheme(th)
	a.area.SetText(r.answer)
	a.area.MoveToEnd()
	a.area.Focus()
	return a
}

func (a *answer) setTheme(th *theme.Theme) { a.area.SetStyles(input.AreaStyles(th)) }

// change changes the text, and notes the state before it for undo. What did not fit is told.
func (a *answer) change(do func() (cmd tea.Cmd, refused string)) screen.Outcome {
	before := a.area.State()
	cmd, refused := do()
	a.past.Record(before, a.area.State())
	a.told = refused
	return screen.Run(cmd)
}

// undo takes back the last change of the text. It reports whether there was one.
func (a *answer) undo() bool {
	was, ok := a.past.Undo()
	if ok {
		a.area.Restore(was)
	}
	return ok
}

// refuse turns to saying why there is no answer, or back. The answer as it is is no reason.
func (a *answer) refuse() {
	a.unavailable = !a.unavailable
	if a.untouched() {
		a.change(func() (tea.Cmd, string) { a.area.SetText(""); return nil, "" })
	}
}

// untouched reports whether the text is the answer as it is.
func (a *answer) untouched() bool { return a.row.answer != "" && a.area.Text() == a.row.answer }

// send asks for a fork with the text.
func (a *answer) send() screen.Outcome {
	content, id := strings.TrimSpace(a.area.Text()), a.row.id
	outcome := ledger.Answered
	if a.unavailable {
		outcome = ledger.Unavailable
	}
	switch {
	case content == "" && a.unavailable:
		return screen.Tell(screen.Warning, "Say why "+id+" is unavailable. The seats read it.")
	case content == "":
		return screen.Tell(screen.Warning, "Type another answer to "+id+", or press ctrl+x to say why there is none.")
	case !a.unavailable && content == strings.TrimSpace(a.row.answer):
		return screen.Tell(screen.Warning, id+" has this answer already. Type another one.")
	}
	plan := a.row.plan
	plan.Answers = []ledger.Submission{{
		Request: id, Outcome: outcome, Content: content, By: ledger.ByPerson("interface"),
	}}
	return screen.Outcome{Make{plan}}
}

// hints says how to finish the text: the keys depend on its lines.
func (a *answer) hints() []string {
	n := a.area.LineCount()
	hints := []string{input.SendKey(n, true) + " fork", "esc back"}
	if a.told != "" {
		hints = append([]string{a.told}, hints...)
	}
	if a.untouched() && n == 1 {
		hints = append(hints, "ctrl+u clear")
	}
	if a.unavailable {
		hints = append(hints, "ctrl+x answer it")
	} else {
		hints = append(hints, "ctrl+x no answer, and why")
	}
	return append(hints, input.BreakKey(n, true)+" new line")
}

// view draws a label and below it the text, scrolled to the cursor, in at most so many rows.
func (a *answer) view(th *theme.Theme, w, most int) []string {
	label := "Other answer:"
	if a.unavailable {
		label = "No answer, because:"
	}
	above, below := a.area.Fit(max(w-4, 1), max(most-1, 1))
	rows := []string{th.Text.Render(" "+label) + th.Faint.Render("  "+th.HiddenNote(above, below))}
	for line := range strings.SplitSeq(a.area.View(), "\n") {
		rows = append(rows, "  "+line)
	}
	return rows
}
