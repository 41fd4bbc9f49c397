package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/debateview"
	"roundtable/tui/screen"
)

type (
	// checkedMsg says whether what was saved can be found again.
	checkedMsg struct{ err error }
	// copiedMsg says where a copy of all debates is.
	copiedMsg struct {
		path string
		err  error
	}
)

// quitUnlessLost quits if what was saved can be found again. If not, it asks first.
func (m *Model) quitUnlessLost() tea.Cmd {
	check := m.deps.Check
	if check == nil || m.database.copied != "" {
		return m.askQuit()
	}
	return func() tea.Msg { return checkedMsg{check()} }
}

// checked quits, or asks what to do about the loss.
func (m *Model) checked(msg checkedMsg) tea.Cmd {
	if msg.err == nil {
		return m.askQuit()
	}
	m.saveFailed(msg.err)
	m.quitting = true
	return m.carryOut(screen.Outcome{screen.Question{
		Text: "Nothing is kept: " + debateview.Cause(msg.err) + ".", Keys: "s save a copy · ctrl+c quit · esc back",
		Answers: map[string]func() screen.Outcome{
			"s":      m.database.saveCopy,
			"ctrl+c": func() screen.Outcome { return screen.Run(tea.Quit) },
		},
	}})
}

// database is where all debates are saved, as far as the shell knows it.
type database struct {
	ctx    context.Context
	deps   Deps
	copied string // the path of the copy that was saved last; "": none was
}

// lost returns an error if what was saved cannot be found again.
func (d *database) lost() error {
	if d.deps.Check == nil {
		return nil
	}
	return d.deps.Check()
}

// saveCopy writes all debates to a new database.
func (d *database) saveCopy() screen.Outcome {
	ctx, save := d.ctx, d.deps.SaveCopy
	return screen.Run(func() tea.Msg {
		path, err := save(ctx)
		return copiedMsg{path, err}
	})
}

// copySaved tells where the copy is.
func (d *database) copySaved(msg copiedMsg) screen.Outcome {
	if msg.err != nil {
		return screen.Tell(screen.Warning, screen.Sentence(msg.err))
	}
	d.copied = msg.path
	return screen.Tell(screen.Success, "Saved a copy of all debates: "+msg.path+".")
}
