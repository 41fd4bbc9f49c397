package tui

import (
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
	if check == nil || m.copied != "" {
		return next.do()
	}
	return func() tea.Msg { return checkedMsg{check(), next} }
}

// checked leaves a debate, or asks what to do about its loss.
func (m *Model) checked(msg checkedMsg) tea.Cmd {
	m.gone = msg.err != nil
	if !m.gone {
		return msg.next.do()
	}
	m.saveFailed(msg.err)
	m.quitting = msg.next.key == "ctrl+c"
	return m.carryOut(screen.Outcome{screen.Question{
		Text: "Nothing is kept: " + debateview.Cause(msg.err) + ".", Keys: "s save a copy · " + msg.next.hint + " · esc back",
		Answers: map[string]func() screen.Outcome{
			"s":          m.saveCopy,
			msg.next.key: func() screen.Outcome { return screen.Run(msg.next.do()) },
		},
	}})
}

// saveCopy writes all debates to a new database.
func (m *Model) saveCopy() screen.Outcome {
	ctx, save := m.ctx, m.deps.SaveCopy
	return screen.Run(func() tea.Msg {
		path, err := save(ctx)
		return copiedMsg{path, err}
	})
}

// copySaved tells where the copy is.
func (m *Model) copySaved(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		return m.carryOut(screen.Tell(screen.Warning, screen.Sentence(msg.err)))
	}
	m.copied = msg.path
	return m.carryOut(screen.Tell(screen.Success, "Saved a copy of all debates: "+msg.path+"."))
}
