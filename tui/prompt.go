package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/attach"
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

// promptFiles are the files that the line of a prompt mentions.
type promptFiles struct {
	open   *openSession
	prompt *prompt
	field  *attach.Field
	last   string // the line as typed last
	told   string // about the path in the line as typed last
}

func (o *openSession) newPromptFiles(p *prompt) *promptFiles {
	f := &promptFiles{open: o, prompt: p, last: p.field.Value()}
	f.field = o.mentions.Field(
		func() (string, int, int) { return p.field.Value(), 0, p.field.Position() },
		f.insert,
	)
	f.field.Tell = func(words string) screen.Outcome { // the prompt covers notices
		f.told = words
		return nil
	}
	return f
}

// takes reports whether a key begins or completes a path.
func (f *promptFiles) takes(pressed string) bool {
	return pressed == "ctrl+f" || pressed == "tab" && f.open.files.Completes(f.field)
}

// key begins or completes a path.
func (f *promptFiles) key(pressed string) screen.Outcome {
	if pressed == "tab" {
		return screen.Run(f.open.files.Complete(f.field))
	}
	return f.insert(attach.Beginning(f.prompt.field.Value(), 0, f.prompt.field.Position()))
}

// insert puts text at the cursor.
func (f *promptFiles) insert(more string) screen.Outcome {
	p := f.prompt
	before, line, at := p.state(), []rune(p.field.Value()), p.field.Position()
	p.field.SetValue(string(line[:at]) + more + string(line[at:]))
	p.field.SetCursor(at + len([]rune(more)))
	p.past.Record(before, p.state())
	return f.typed()
}

// typed follows a change of the line by a key.
func (f *promptFiles) typed() screen.Outcome {
	line := f.prompt.field.Value()
	if line == f.last {
		return nil
	}
	f.last, f.told = line, ""
	f.open.mentions.Typed(line, 0, f.prompt.field.Position())
	return screen.Run(f.open.files.LookAt(&f.open.mentions, line, 0, f.prompt.field.Position()))
}

// hints names the files that will be attached, and else how to attach one.
func (f *promptFiles) hints(th *theme.Theme, hints []string) []string {
	if f.told != "" {
		return append([]string{f.told}, hints...)
	}
	if all := f.open.files.In(&f.open.mentions, f.prompt.field.Value()); len(all) > 0 {
		return append([]string{"attaches " + attach.Chips(th, all)}, hints...)
	}
	return append(hints[:len(hints):len(hints)], "ctrl+f attach a file")
}

// send attaches the files of the line and does what the prompt is for. If that fails,
// the line is kept.
func (f *promptFiles) send(line string) screen.Outcome {
	o, p := f.open, f.prompt
	return o.files.Begin(attach.Send{
		Texts: []string{line}, Mentions: &o.mentions, Session: o.debate.Session().ID,
		Then: func(texts []string, all []debate.Evidence) screen.Outcome {
			if all != nil {
				o.addEvidence(all)
			}
			return p.Done(text.Line(texts[0]))
		},
		Back: func(err error) screen.Outcome {
			out := p.Closed(line)
			if err != nil {
				out = append(out, screen.Advise(screen.Warning, attach.Refusal(err), "Nothing was sent; your text is kept.")...)
			}
			return out
		},
	})
}
