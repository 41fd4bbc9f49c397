package form

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/cite"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/input"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// files are the files that answers mention.
type files struct {
	service  *attach.Service
	mentions attach.Mentions
	field    *attach.Field
}

// SetFiles sets what finds the files that are mentioned. The clock gives the time of
// what is inserted by itself, after which changed is called.
func SetFiles(f *Form, service *attach.Service, now func() time.Time, changed func() tea.Cmd) {
	f.files.service = service
	f.files.field = f.files.mentions.Field(
		func() (string, int, int) {
			if f.focused.field != fieldAnswer {
				return "", 0, 0
			}
			at := input.StateOf(&f.edit.area)
			return at.Text, at.Line, at.Column
		},
		func(more string) screen.Outcome {
			out, cmd := f.typeKey(tea.KeyPressMsg{Text: more}, now())
			outcome := append(screen.Run(cmd), screen.Run(changed())...)
			if n, ok := out.(Notice); ok {
				return append(outcome, screen.Tell(screen.Info, n.Text)...)
			}
			return outcome
		},
	)
	f.files.field.Leave = func() screen.Outcome {
		f.moveFocus(+1)
		return nil
	}
}

// Mentions returns the @paths that the user typed in answers.
func Mentions(f *Form) *attach.Mentions { return &f.files.mentions }

// completes reports whether tab completes a path.
func (l *files) completes() bool { return !l.service.Off() && l.service.Completes(l.field) }

// attach begins a mention in the answer.
func (l *files) attach(f *Form, now time.Time) (Outcome, tea.Cmd) {
	switch {
	case l.service.Off():
		return f.notice("Files cannot be read here."), nil
	case f.focused.field != fieldAnswer:
		return f.notice("Press tab to reach an answer, then ctrl+f."), nil
	}
	at := input.StateOf(&f.edit.area)
	return f.typeKey(tea.KeyPressMsg{Text: attach.Beginning(at.Text, at.Line, at.Column)}, now)
}

// typed follows a change of the answer by a key.
func (l *files) typed(f *Form) tea.Cmd {
	if l.service.Off() || f.focused.field != fieldAnswer {
		return nil
	}
	at := input.StateOf(&f.edit.area)
	l.mentions.Typed(at.Text, at.Line, at.Column)
	return l.service.LookAt(&l.mentions, at.Text, at.Line, at.Column)
}

// answerHint names the keys of the box of an answer.
func (f frame) answerHint() string {
	switch {
	case f.files.completes():
		return "tab completes the path"
	case f.files.service.Off() || f.focused.field != fieldAnswer:
		return "enter new line"
	}
	return "enter new line " + f.th.Symbols.Sep + " ctrl+f attach a file"
}

// answerTitle returns the title of the box of an answer. It names the files that will be
// attached and those that are.
func (f frame) answerTitle(it *item) []theme.Part {
	title := []theme.Part{{Text: "answer", Style: f.th.Muted}}
	content := it.text()
	all := f.files.service.In(&f.files.mentions, content)
	for _, c := range cite.Evidence(content) {
		if e, ok := cite.FindEvidence(f.session.Evidence, c.ID); ok {
			all = append(all, attach.Found{Name: text.Line(e.ID + " " + e.Name), Kind: e.Kind, Size: int64(e.Size)})
		}
	}
	if len(all) == 0 {
		return title
	}
	lead := " with "
	if _, whole := f.files.mentions.Whole(content); whole {
		lead = " is the file "
	}
	return append(
		title,
		theme.Part{Text: lead, Style: f.th.Muted, Cut: 2},
		theme.Part{Text: attach.Chips(f.th, all), Style: f.th.Accent, Cut: 1},
	)
}
