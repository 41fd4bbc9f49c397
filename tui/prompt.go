package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/tui/input"
	"roundtable/tui/theme"
)


// lineInput is a line that is typed on the notice row, for something that enter does.
type lineInput struct {
	label string
	field textinput.Model
	past  input.History
	done  func(m *Model, text string) tea.Cmd
	shelf *string               // takes what was typed when it is closed without being done
	turn  func(m *Model, n int) // chooses what it is about anew; nil: there is no choice
}

// promptFor lets the user type a line, which begins as it was left.
func (m *Model) promptFor(label, text string, most int, shelf *string, done func(*Model, string) tea.Cmd) tea.Cmd {
	p := &lineInput{field: textinput.New(), done: done, shelf: shelf}
	p.field.Prompt = ""
	p.field.SetVirtualCursor(false)
	p.field.CharLimit = most
	p.relabel(label, m.w)
	p.field.SetValue(safetext.Line(text))
	p.setTheme(m.th)
	m.board.prompt = p
	return p.field.Focus()
}

func (p *lineInput) setTheme(th *theme.Theme) {
	s := p.field.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	p.field.SetStyles(s)
}

// relabel says what the line is for, and gives the field what is left of the row.
func (p *lineInput) relabel(label string, w int) {
	p.label = label
	p.field.SetWidth(max(w-p.lead()-2, 10))
}

// lead is how many cells stand before the field.
func (p *lineInput) lead() int { return ansi.StringWidth(p.label) + 4 }

func (p *lineInput) line(th *theme.Theme, w int) string {
	return th.Fit(th.Accent.Render(" "+p.label+" > ")+input.Line(p.field, th), w)
}

func (p *lineInput) paste(text string) {
	p.pass(tea.PasteMsg{Content: safetext.Line(text)}) // a paste asks for nothing
}

// promptKey types into the line; enter does what it is for.
func (m *Model) promptKey(msg tea.KeyPressMsg) tea.Cmd {
	p := m.board.prompt
	switch pressed := msg.String(); {
	case pressed == "enter":
		m.board.prompt, *p.shelf = nil, ""
		return p.done(m, safetext.Line(p.field.Value()))
	case pressed == "tab" && p.turn != nil:
		p.turn(m, 1)
		return nil
	case pressed == "shift+tab" && p.turn != nil:
		p.turn(m, -1)
		return nil
	}
	return p.pass(msg)
}

// pass gives the field a message and keeps what it was before.
func (p *lineInput) pass(msg tea.Msg) tea.Cmd {
	before := p.state()
	var cmd tea.Cmd
	p.field, cmd = p.field.Update(msg)
	p.past.Note(before, p.state())
	return cmd
}

func (p *lineInput) state() input.State {
	return input.State{Text: p.field.Value(), Column: p.field.Position()}
}

// undo takes back the last change of the line. It reports whether there was one.
func (p *lineInput) undo() bool {
	was, ok := p.past.Back()
	if ok {
		p.field.SetValue(was.Text)
		p.field.SetCursor(was.Column)
	}
	return ok
}

// undoTyping takes back the last change of the text that has the focus.
func (m *Model) undoTyping() tea.Cmd {
	undone := false
	switch {
	case m.place() == atForm:
		return m.formKey("ctrl+_")
	case m.place() == atNew:
		undone = m.fresh.Undo()
	case m.board.prompt != nil:
		undone = m.board.prompt.undo()
	}
	if !undone {
		m.tell(plainly, "Nothing more to undo in this text.")
	}
	return nil
}

func noTyping(m *Model) string {
	if at := m.place(); at == atForm || at == atNew && m.typing() || at&atSession != 0 && m.board.prompt != nil {
		return ""
	}
	return "There is no text here to undo."
}

// shelve closes the line and keeps its text for the next time. It reports whether
// there was one.
func (m *Model) shelve() bool {
	p := m.board.prompt
	if p == nil {
		return false
	}
	*p.shelf, m.board.prompt = p.field.Value(), nil
	return true
}
