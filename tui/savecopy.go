package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

type (
	// checkedMsg says whether what was saved can be found again, after a key that quits.
	checkedMsg struct {
		key string
		err error
	}
	// copiedMsg says where a copy of all debates is.
	copiedMsg struct {
		path string
		err  error
	}
)

// checked quits, or asks what to do about the loss.
func (m *Model) checked(msg checkedMsg) tea.Cmd {
	if msg.err == nil {
		return m.askQuit(msg.key)
	}
	m.saveFailed(msg.err)
	return m.ask(screen.Question{
		Text: "Nothing is kept: " + control.Cause(msg.err) + ".", Key: msg.key, Verb: "quit", Do: quitNow,
		Others: []screen.Answer{{Key: "s", Verb: "save a copy", Do: m.database.saveCopy}},
	})
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
		return screen.Tell(screen.Warning, text.Sentence(msg.err.Error()))
	}
	d.copied = msg.path
	return screen.Tell(screen.Success, "Saved a copy of all debates: "+msg.path+".")
}
