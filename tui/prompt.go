package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents/safetext"
	"roundtable/tui/theme"
)

// prompt is a line that is typed on the notice row, for something that enter does.
type prompt struct {
	label string
	field textinput.Model
	done  func(m *Model, text string) tea.Cmd
	shelf *string               // takes what was typed when it is closed without being done
	turn  func(m *Model, n int) // chooses what it is about anew; nil: there is no choice
}

// promptFor lets the user type a line, which begins as it was left.
func (m *Model) promptFor(label, text string, most int, shelf *string, done func(*Model, string) tea.Cmd) tea.Cmd {
	p := &prompt{field: textinput.New(), done: done, shelf: shelf}
	p.field.Prompt = ""
	p.field.SetVirtualCursor(false)
	p.field.CharLimit = most
	p.relabel(label, m.w)
	p.field.SetValue(safetext.Line(text))
	p.setTheme(m.th)
	m.board.prompt = p
	return p.field.Focus()
}

func (p *prompt) setTheme(th *theme.Theme) {
	s := p.field.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	p.field.SetStyles(s)
}

// relabel says what the line is for, and gives the field what is left of the row.
func (p *prompt) relabel(label string, w int) {
	p.label = label
	p.field.SetWidth(max(w-p.lead()-2, 10))
}

// lead is how many cells stand before the field.
func (p *prompt) lead() int { return ansi.StringWidth(p.label) + 4 }

func (p *prompt) line(th *theme.Theme, w int) string {
	return th.Fit(th.Accent.Render(" "+p.label+" > ")+p.field.View(), w)
}

func (p *prompt) paste(text string) {
	p.field, _ = p.field.Update(tea.PasteMsg{Content: safetext.Line(text)}) // a paste asks for nothing
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
	var cmd tea.Cmd
	p.field, cmd = p.field.Update(msg)
	return cmd
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
