package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

// draftEvery is how often what is typed for a new debate is looked at for saving.
const draftEvery = 450 * time.Millisecond

// newDraft is the draft of a new debate.
type newDraft struct {
	asked string    // what is to be saved
	saved string    // what is saved
	busy  bool      // a tick or a save is under way
	from  time.Time // when the draft that was restored was typed, until that is told
}

type (
	// draftReadMsg is the draft of a new debate as it was found.
	draftReadMsg struct {
		draft debate.Draft
		err   error
	}
	// saveNewMsg is time to save what is typed for a new debate.
	saveNewMsg struct{}
	// draftSavedMsg says that it is saved.
	draftSavedMsg struct {
		text string
		err  error
	}
)

// readDraft reads the draft of a new debate. If the command line names a topic, a
// mode, rounds or files, there is none.
func (l *launcher) readDraft() tea.Cmd {
	s := l.deps.Start
	if l.deps.ReadOnly != "" || s.Topic != "" || s.Mode != "" || s.Rounds > 0 || len(s.Files) > 0 {
		return nil
	}
	return func() tea.Msg {
		d, err := l.deps.Sessions.KeptNew(l.ctx)
		return draftReadMsg{d, err}
	}
}

// draftRead restores the draft in the form.
func (l *launcher) draftRead(msg draftReadMsg) screen.Outcome {
	if msg.err == nil && (msg.draft.Text == "" || l.setup.Draft() != "") { // what was typed meanwhile stands
		return nil
	}
	err := msg.err
	if err == nil {
		err = l.setup.Restore(msg.draft.Text)
	}
	if err != nil {
		return screen.Tell(screen.Error, "Cannot read the draft of the new debate: "+text.Sentence(err.Error()))
	}
	l.draft.asked, l.draft.saved, l.draft.from = msg.draft.Text, msg.draft.Text, msg.draft.At
	return append(l.tellOfDraft(), screen.Run(setup.LookAtFiles(l.setup))...)
}

// tellOfDraft says once, when the form is shown, that it holds a draft.
func (l *launcher) tellOfDraft() screen.Outcome {
	if l.stack.base() != l.setup || l.draft.from.IsZero() {
		return nil
	}
	from := l.draft.from.In(l.deps.Now().Location())
	l.draft.from = time.Time{}
	return screen.Tell(screen.Info, fmt.Sprintf("Restored your draft from %s.", from.Format("2 Jan 15:04")))
}

// saveDraftSoon returns a command that leads to a save of the draft. One save is
// under way at a time, so that none overtakes another.
func (l *launcher) saveDraftSoon() tea.Cmd {
	if l.draft.busy || l.deps.ReadOnly != "" || l.stack.base() != l.setup && l.draft.asked == "" || l.setup.Draft() == l.draft.asked {
		return nil
	}
	l.draft.busy = true
	return screen.After(l.ctx, draftEvery, saveNewMsg{})
}

func (l *launcher) saveDraft() tea.Cmd {
	ctx, d := context.WithoutCancel(l.ctx), debate.Draft{Text: l.setup.Draft(), At: l.deps.Now()}
	l.draft.asked = d.Text
	return l.saves.Add(func() tea.Msg { return draftSavedMsg{d.Text, l.deps.Sessions.KeepNew(ctx, d)} })
}

func (l *launcher) draftSaved(msg draftSavedMsg) screen.Outcome {
	l.draft.busy = false
	if msg.err != nil { // the next key tries again
		l.draft.asked = l.draft.saved
		return screen.Tell(screen.Error, "Cannot save the draft of the new debate: "+control.Cause(msg.err)+". It is still here.")
	}
	l.draft.saved = msg.text
	return screen.Run(l.saveDraftSoon())
}

// saveLast saves the draft when the program ends.
func (l *launcher) saveLast() error {
	text := l.setup.Draft()
	if text == l.draft.saved && text == l.draft.asked || l.deps.ReadOnly != "" {
		return nil
	}
	ctx, d := context.WithoutCancel(l.ctx), debate.Draft{Text: text, At: l.deps.Now()}
	return l.saves.Do(func() error { return l.deps.Sessions.KeepNew(ctx, d) })
}
