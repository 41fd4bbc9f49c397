package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

type prompt struct {
	screen.Prompt
	area  input.Area
	past  input.History
	row   int // its width in the last drawing
	th    *theme.Theme
	files *promptFiles // nil: no file can be attached
	told  string       // about the text as typed last, such as why a key did nothing
}

type promptRow struct {
	prompt *prompt // nil: nothing is typed
}

// openPrompt opens a prompt. A prompt that is open is closed.
func (r *promptRow) openPrompt(wanted screen.Prompt, th *theme.Theme) screen.Outcome {
	if r.prompt != nil {
		r.closePrompt()
	}
	if wanted.Kept != nil {
		wanted.Text = cmp.Or(*wanted.Kept, wanted.Text)
	}
	p := &prompt{Prompt: wanted, area: input.NewArea(th), th: th}
	p.area.Holds, p.area.Limit, p.area.OneLine = "This text", p.Limit, !p.Lines
	p.area.SetText(p.safe(p.Text))
	p.area.MoveToEnd()
	r.prompt = p
	return screen.Run(p.area.Focus())
}

func (o *openSession) openPrompt(wanted screen.Prompt, th *theme.Theme) screen.Outcome {
	out := o.promptRow.openPrompt(wanted, th)
	if wanted.Files && !o.files.Off() {
		o.prompt.files = o.newPromptFiles(o.prompt)
	}
	return out
}

// unsent reports whether something was typed into a prompt of the debate and not sent off.
func (o *openSession) unsent() bool {
	return o.debate.Unsent() || o.prompt != nil && o.prompt.area.Text() != o.prompt.Text
}

// closePrompt closes the prompt without doing what it is for.
func (r *promptRow) closePrompt() {
	r.prompt.keep(r.prompt.area.Text())
	r.prompt = nil
}

func (p *prompt) keep(typed string) {
	if p.Kept != nil {
		*p.Kept = typed
	}
}

func (p *prompt) send(line string) screen.Outcome {
	p.keep("")
	return p.Done(line)
}

func (r *promptRow) promptKey(msg tea.KeyPressMsg) screen.Outcome {
	p := r.prompt
	means := input.Means(msg.String(), p.area.LineCount(), true)
	switch pressed := msg.String(); {
	case means == input.Sends && p.Done == nil:
		r.closePrompt()
		return screen.Tell(screen.Info, p.Note+" What was typed is kept.")
	case means == input.Sends:
		r.prompt = nil
		if p.files != nil {
			return p.files.send(p.safe(p.area.Text()))
		}
		return p.send(p.safe(p.area.Text()))
	case pressed == "tab" && p.files != nil && p.files.open.files.Completes(p.files.field):
		return screen.Run(p.files.open.files.Complete(p.files.field))
	case pressed == "tab" && p.Turn != nil:
		p.Label = p.Turn(1)
		return nil
	case pressed == "shift+tab" && p.Turn != nil:
		p.Label = p.Turn(-1)
		return nil
	}
	out := p.pass(func() (tea.Cmd, string) { return p.area.Type(msg) })
	if p.files != nil {
		return append(out, p.files.typed()...)
	}
	return out
}

// safe makes a text safe, in one line unless the prompt takes several.
func (p *prompt) safe(typed string) string {
	if p.Lines {
		return strings.TrimSpace(text.Clean(typed))
	}
	return text.Line(typed)
}

// hints returns how to finish the text: the keys depend on its lines.
func (p *prompt) hints() []string {
	hints := slices.Clone(p.Hints)
	verb, sends := strings.CutPrefix(hints[0], "enter ")
	n, several := p.area.LineCount(), p.Lines && sends
	if several {
		hints[0] = input.SendKey(n, true) + " " + verb
	}
	if p.files != nil {
		hints = p.files.hints(p.th, hints)
	}
	if several {
		hints = append(hints, input.BreakKey(n, true)+" new line")
	}
	if p.told != "" {
		hints = append([]string{p.told}, hints...)
	}
	return hints
}

// minField is how many cells a field has beside its label.
const minField = 12

func (p *prompt) label() string {
	if room := p.row - minField - 4; ansi.StringWidth(p.Label) > room {
		return p.th.Truncate(p.Label, room-2) + " >"
	}
	return p.Label
}

func (p *prompt) lead() int { return ansi.StringWidth(p.label()) + 2 }

// rows draws the field, and above it the note.
func (p *prompt) rows(th *theme.Theme, w, most int) []string {
	if p.row = w; p.th != th {
		p.th = th
		p.area.SetStyles(input.AreaStyles(th))
	}
	var rows []string
	if p.Note != "" && most > 1 {
		rows = message{text: p.Note, style: th.Warning}.rows(th, w, most-1)
	}
	if help := (message{text: p.Help, style: th.Muted}).rows(th, w, most); p.Help != "" && len(rows)+len(help) < most {
		rows = append(rows, help...)
	}
	above, below := p.area.Fit(max(w-p.lead()-2, 10), max(most-len(rows), 1))
	lead := th.Accent.Render(" " + p.label() + " ")
	if above > 0 {
		lead = th.Accent.Render(" " + p.label() + th.Symbols.Cut)
	}
	lines := strings.Split(p.area.View(), "\n")
	for i, line := range lines {
		if i == len(lines)-1 && below > 0 {
			line = th.Fit(line, p.area.Width()-1) + th.Symbols.Cut
		}
		rows = append(rows, th.Fit(lead+line, w))
		lead = strings.Repeat(" ", p.lead())
	}
	return rows
}

func (p *prompt) cursor(h int) *tea.Cursor {
	return screen.Offset(p.area.Cursor(), p.lead(), h-1-p.area.Height())
}

func (p *prompt) paste(content string) screen.Outcome {
	return p.pass(func() (tea.Cmd, string) { return p.area.Paste(content) })
}

// pass changes the field, and notes the state before it for undo. What did not fit is told.
func (p *prompt) pass(change func() (cmd tea.Cmd, refused string)) screen.Outcome {
	before := p.area.State()
	cmd, refused := change()
	p.told = refused
	p.past.Record(before, p.area.State())
	return screen.Run(cmd)
}

// Undo takes back the last change of the text.
func (p *prompt) Undo() (out screen.Outcome, ok bool) {
	was, ok := p.past.Undo()
	if ok {
		p.area.Restore(was)
	}
	return nil, ok
}

type promptFiles struct {
	open   *openSession
	prompt *prompt
	field  *attach.Field
	last   string // the line as typed last
}

func (o *openSession) newPromptFiles(p *prompt) *promptFiles {
	f := &promptFiles{open: o, prompt: p, last: p.area.Value()}
	f.field = &attach.Field{
		Mentions: &o.mentions, Shown: p.area.Shown,
		Type: func(more string) screen.Outcome { return append(p.paste(more), f.typed()...) },
		Leave: func() screen.Outcome {
			p.told = "No file begins with this."
			return nil
		},
	}
	return f
}

func (f *promptFiles) typed() screen.Outcome {
	content := f.prompt.area.Value()
	if content == f.last {
		return nil
	}
	f.last = content
	return screen.Run(f.open.files.Typed(f.field))
}

// hints names the files that will be attached, and else how to attach one.
func (f *promptFiles) hints(th *theme.Theme, hints []string) []string {
	if all := f.open.files.In(&f.open.mentions, f.prompt.area.Value()); len(all) > 0 {
		return append([]string{"attaches " + attach.Chips(th, all)}, hints...)
	}
	return append(hints[:len(hints):len(hints)], "@ attach a file")
}

// send attaches the files of the line, and on success does what the prompt is for.
func (f *promptFiles) send(line string) screen.Outcome {
	o, p := f.open, f.prompt
	return o.files.Begin(attach.Send{
		Texts: []string{line}, Mentions: &o.mentions, Session: o.debate.Session().ID,
		Then: func(texts []string, all []debate.Evidence) screen.Outcome {
			if all != nil {
				o.debate.SetEvidence(all)
				o.sync()
			}
			return p.send(p.safe(texts[0]))
		},
		Back: func(err error) screen.Outcome {
			p.keep(line)
			if err == nil {
				return nil
			}
			return screen.Advise(screen.Warning, attach.Refusal(err), "Nothing was sent; your text is kept.")
		},
	})
}
