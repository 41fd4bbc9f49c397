package tui

import (
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

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
