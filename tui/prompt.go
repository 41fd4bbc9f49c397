package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// prompt is a line on the notice row that is being typed.
type prompt struct {
	screen.Prompt
	field textinput.Model
	past  input.History
	row   int // its width
	th    *theme.Theme
	files *promptFiles // nil: no file can be attached
}

// openPrompt opens a prompt on a row of that width. A prompt that is open is
// closed.
func (o *openSession) openPrompt(wanted screen.Prompt, th *theme.Theme, w int) screen.Outcome {
	var out screen.Outcome
	if o.prompt != nil {
		out = o.closePrompt()
	}
	p := &prompt{Prompt: wanted, field: textinput.New()}
	p.field.Prompt = ""
	p.field.SetVirtualCursor(false)
	p.field.CharLimit = p.Limit
	p.setWidth(w)
	p.field.SetValue(text.Line(p.Text))
	p.setTheme(th)
	if wanted.Files && !o.files.Off() {
		p.files = o.newPromptFiles(p)
	}
	o.prompt = p
	return append(out, screen.Run(p.field.Focus())...)
}

// closePrompt closes the prompt without doing what it is for.
func (o *openSession) closePrompt() screen.Outcome {
	p := o.prompt
	o.prompt = nil
	return p.Closed(p.field.Value())
}

// promptKey types into the prompt; enter does what it is for.
func (o *openSession) promptKey(msg tea.KeyPressMsg) screen.Outcome {
	p := o.prompt
	switch pressed := msg.String(); {
	case pressed == "enter":
		o.prompt = nil
		if p.files != nil {
			return p.files.send(text.Line(p.field.Value()))
		}
		return p.Done(text.Line(p.field.Value()))
	case p.files != nil && p.files.takes(pressed):
		return p.files.key(pressed)
	case pressed == "tab" && p.Turn != nil:
		p.relabel(p.Turn(1))
		return nil
	case pressed == "shift+tab" && p.Turn != nil:
		p.relabel(p.Turn(-1))
		return nil
	}
	out := p.pass(msg)
	if p.files != nil {
		return append(out, p.files.typed()...)
	}
	return out
}

func (p *prompt) setTheme(th *theme.Theme) {
	p.th = th
	s := p.field.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	p.field.SetStyles(s)
}

// relabel changes the label of the prompt.
func (p *prompt) relabel(label string) {
	p.Label = label
	p.setWidth(p.row)
}

// setWidth gives the field the rest of a row of that width.
func (p *prompt) setWidth(w int) {
	p.row = w
	if p.Width > 0 {
		p.field.SetWidth(p.Width)
		return
	}
	p.field.SetWidth(max(w-p.lead()-2, 10))
}

// lead returns how many cells are before the field.
func (p *prompt) lead() int { return ansi.StringWidth(p.Label) + 2 }

// rows draws the field, and above it the note.
func (p *prompt) rows(th *theme.Theme, w, most int) []string {
	var rows []string
	if p.Note != "" && most > 1 {
		rows = message{text: p.Note, style: th.Warning}.rows(th, w, most-1)
	}
	line, status := th.Accent.Render(" "+p.Label+" ")+input.Line(p.field, th), ""
	if p.Status != nil {
		if status = p.Status(); status != "" {
			status = th.Muted.Render(status + " ")
		}
	}
	return append(rows, th.Fit(th.Fit(line, w-ansi.StringWidth(status))+status, w))
}

func (p *prompt) paste(content string) screen.Outcome {
	return p.pass(tea.PasteMsg{Content: text.Line(content)})
}

// pass gives the field a message, and notes the state before it for undo.
func (p *prompt) pass(msg tea.Msg) screen.Outcome {
	before := p.state()
	var cmd tea.Cmd
	p.field, cmd = p.field.Update(msg)
	p.past.Record(before, p.state())
	out := screen.Run(cmd)
	if p.Typed != nil && p.state().Text != before.Text {
		out = append(out, p.Typed(p.state().Text)...)
	}
	return out
}

func (p *prompt) state() input.State {
	return input.State{Text: p.field.Value(), Column: p.field.Position()}
}

// undo takes back the last change of the text. It reports whether there was one.
func (p *prompt) undo() bool {
	was, ok := p.past.Undo()
	if ok {
		p.field.SetValue(was.Text)
		p.field.SetCursor(was.Column)
	}
	return ok
}
