package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/debateview"
	"roundtable/tui/screen"
)

type (
	// checkedMsg says whether what was saved can be found again.
	checkedMsg struct {
		err  error
		next leaving
	}
	// copiedMsg says where a copy of all debates is.
	copiedMsg struct {
		path string
		err  error
	}
)

// leaving is a way to leave a debate: what it does, its key, and the key's hint.
type leaving struct {
	do        func() tea.Cmd
	key, hint string
}

// unlessLost leaves a debate if what was saved of it can be found again. If not, it
// asks first.
func (m *Model) unlessLost(next leaving) tea.Cmd {
	check := m.deps.Check
	if check == nil || m.database.copied != "" {
		return next.do()
	}
	return func() tea.Msg { return checkedMsg{check(), next} }
}

// checked leaves a debate, or asks what to do about its loss.
func (m *Model) checked(msg checkedMsg) tea.Cmd {
	m.database.gone = msg.err != nil
	if !m.database.gone {
		return msg.next.do()
	}
	m.saveFailed(msg.err)
	m.quitting = msg.next.key == "ctrl+c"
	return m.carryOut(screen.Outcome{screen.Question{
		Text: "Nothing is kept: " + debateview.Cause(msg.err) + ".", Keys: "s save a copy · " + msg.next.hint + " · esc back",
		Answers: map[string]func() screen.Outcome{
			"s":          m.database.saveCopy,
			msg.next.key: func() screen.Outcome { return screen.Run(msg.next.do()) },
		},
	}})
}

// database is where all debates are saved, as far as the shell knows it.
type database struct {
	ctx    context.Context
	deps   Deps
	gone   bool   // it could not be found when that was last checked
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
