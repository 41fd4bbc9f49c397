package forkview

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/ledger"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// answer is what is typed for a request in place of its answer. It is kept while the debate is
// open, so that esc loses nothing.
type answer struct {
	row         row // of the request
	other       field
	reason      field  // why there is no answer
	unavailable bool   // the reason is being typed
	told        string // about the text as typed last, such as why a key did nothing
}

// field is a text with its history.
type field struct {
	area input.Area
	past input.History
}

// newAnswer begins with the answer as it is.
func newAnswer(th *theme.Theme, r row) *answer {
	return &answer{row: r, other: newField(th, "An answer", r.answer), reason: newField(th, "A reason", "")}
}

func newField(th *theme.Theme, holds, content string) field {
	f := field{area: input.NewArea(th)}
	f.area.Holds, f.area.Limit = holds, ledger.MaxAnswer
	f.area.SetText(content)
	f.area.MoveToEnd()
	f.area.Focus()
	return f
}

func (a *answer) setTheme(th *theme.Theme) {
	a.other.area.SetStyles(input.AreaStyles(th))
	a.reason.area.SetStyles(input.AreaStyles(th))
}

// field returns the text that is being typed.
func (a *answer) field() *field {
	if a.unavailable {
		return &a.reason
	}
	return &a.other
}

// change changes the text, and notes the state before it for undo. What did not fit is told.
func (a *answer) change(do func(*input.Area) (cmd tea.Cmd, refused string)) screen.Outcome {
	f := a.field()
	before := f.area.State()
	cmd, refused := do(&f.area)
	f.past.Record(before, f.area.State())
	a.told = refused
	return screen.Run(cmd)
}

// undo takes back the last change of the text. It reports whether there was one.
func (a *answer) undo() bool {
	f := a.field()
	was, ok := f.past.Undo()
	if ok {
		f.area.Restore(was)
	}
	return ok
}

// turn turns to the reason why there is no answer, or back.
func (a *answer) turn() { a.unavailable, a.told = !a.unavailable, "" }

// send asks for a fork with the text.
func (a *answer) send() screen.Outcome {
	content, id := strings.TrimSpace(a.field().area.Text()), a.row.id
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
	f := a.field()
	n := f.area.LineCount()
	hints := []string{input.SendKey(n, true) + " fork", "esc back"}
	if a.told != "" {
		hints = append([]string{a.told}, hints...)
	}
	if !a.unavailable && n == 1 && a.row.answer != "" && f.area.Text() == a.row.answer {
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
	label := "Other answer to " + a.row.id + ":"
	if a.unavailable {
		label = "No answer to " + a.row.id + ", because:"
	}
	area := &a.field().area
	above, below := area.Fit(max(w-4, 1), max(most-1, 1))
	rows := []string{th.Text.Render(" "+label) + th.Faint.Render("  "+th.HiddenNote(above, below))}
	for line := range strings.SplitSeq(area.View(), "\n") {
		rows = append(rows, "  "+line)
	}
	return rows
}
