package setup

import (
	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Effects that the shell carries out besides those of package screen.
type (
	// Create creates a debate and opens it. Key and Verb are those of the question that
	// is asked if another debate has to be left for it.
	Create struct {
		Session   debate.Session
		Key, Verb string
	}
	// StartDemo starts the demo.
	StartDemo struct{}
	// LookAgain looks for models again.
	LookAgain struct{}
	// WriteConfig writes a commented config file.
	WriteConfig struct{}
)

// keys lists what the user can do on the form.
func (f *Form) keys() []screen.Command {
	k, bind, do, move := screen.Keys, screen.Bind, screen.Do, screen.Moves
	return append([]screen.Command{
		{Shared: screen.StartDemo},
		{
			Binding: bind(k("tab"), "tab", "next field"), Group: screen.Moving,
			InField: true, Rank: 2, Hint: func() string { return f.files.tabHint(f) },
			Run: do(func() screen.Outcome { return f.files.tab(f) }),
		},
		{Binding: bind(k("shift+tab"), "shift+tab", "previous field"), Group: screen.Moving, InField: true, Run: move(f.Next, -1)},
		{Binding: bind(k("down", "j"), "j k", "up, down"), Group: screen.Moving, Run: move(f.Move, 1)},
		{Binding: bind(k("up", "k"), "", ""), Group: screen.Moving, Run: move(f.Move, -1)},
		{
			Binding: bind(k("space"), "space", "toggle seat"), Title: "Toggle seat", Group: screen.Choosing,
			Hint: func() string {
				if f.focused == fieldPanel && f.panel.selected() != nil {
					return "space toggle seat"
				}
				return ""
			}, Rank: 4, Run: do(f.toggle),
		},
		{
			Binding: bind(k("right"), "← →", "change"), Group: screen.Choosing,
			Hint: func() string { return arrowHint(f) }, Rank: 3, Run: move(f.Change, 1),
		},
		{Binding: bind(k("left"), "", ""), Group: screen.Choosing, Run: move(f.Change, -1)},
		{
			Binding: bind(k("enter"), "enter", "all modes; next field"), Group: screen.Choosing, Rank: 2, Run: do(f.enter),
			Hint: func() string {
				if f.focused == fieldMode {
					return "enter all modes"
				}
				return ""
			},
		},
		{Title: "Choose the mode", Group: screen.Choosing, InField: true, Run: do(func() screen.Outcome { return chooseMode(f) })},
		{
			Binding: bind(k("ctrl+s"), "ctrl+s", "start the debate"), Title: "Start the debate", Group: screen.Choosing,
			InField: true, Writes: true, Hint: screen.Say("ctrl+s start"), Rank: 1, Run: do(f.Begin),
		},
	}, screen.JumpKeys(
		func(n int) {
			for range max(f.height/4, 1) {
				f.Move(n)
			}
		},
		func(n int) {
			if n < 0 {
				f.setFocus(fieldMode) // the first one in which letters are keys
				return
			}
			f.setFocus(fieldStart)
		},
	)...)
}

// changeHint names the keys that select another value.
func (f *Form) changeHint() string { return f.th.Symbols.Left + " " + f.th.Symbols.Right + " change" }

// arrowHint names them where they change something.
func arrowHint(f *Form) string {
	if f.focused == fieldStart || f.focused == fieldPanel && f.panel.selected() != nil {
		return ""
	}
	return f.changeHint()
}

// Commands lists the keys of the form.
func (f *Form) Commands() []screen.Command { return f.commands }

// toggle adds or removes a seat, or says why it cannot.
func (f *Form) toggle() screen.Outcome {
	if err := f.Toggle(); err != nil {
		return screen.Tell(screen.Warning, text.Sentence(err.Error()))
	}
	return nil
}

// enter lists the modes on their row, begins on the last one, and elsewhere goes to the
// next field.
func (f *Form) enter() screen.Outcome {
	switch {
	case f.focused == fieldStart:
		return screen.Outcome{screen.Press("ctrl+s")}
	case f.focused == fieldMode && len(f.modes) > 0:
		return chooseMode(f)
	}
	f.Next(1)
	return nil
}

// Begin creates the debate of the form, or of the demo if there are too few models.
func (f *Form) Begin() screen.Outcome {
	fill, verb := f.Session, "start the new one"
	if f.onlyDemo() {
		fill, verb = f.demoSession, "start the demo"
	}
	s, err := fill()
	if err != nil {
		return screen.Tell(screen.Warning, text.Sentence(err.Error()))
	}
	return f.files.begin(f, s, verb)
}

// Name returns "New debate".
func (f *Form) Name() string { return "New debate" }

// CanUndo reports whether a text field has the focus.
func (f *Form) CanUndo() bool { return f.Typing() }

// Back leaves for the list.
func (f *Form) Back() screen.Outcome { return screen.Outcome{screen.Close{}} }

// BackHint returns "": the top line says it.
func (f *Form) BackHint() string { return "" }

// Title says what esc does.
func (f *Form) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{{Text: " New debate", Style: f.th.Accent}},
		[]theme.Part{{Text: "esc back (draft kept) ", Style: f.th.Muted, Cut: 1}}
}

// TypingHints says what the focused field has keys for; the command that begins has a
// hint of its own.
func (f *Form) TypingHints() []string {
	switch {
	case f.amountAt(f.focused) != nil, f.focused == fieldWorkspace:
		return []string{f.changeHint()}
	case f.focused == fieldTopic && !f.files.service.Off():
		return []string{"ctrl+f attach a file"}
	}
	return nil
}

// Wheel moves in the form.
func (f *Form) Wheel(_, _, step, _ int) { f.Move(step) }
