package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/tui/debateview"
	"roundtable/tui/screen"
)

// draftEvery is how often what is typed for a new debate is looked at for saving.
const draftEvery = 450 * time.Millisecond

// newDraft is what was typed for a new debate that has not begun.
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

// readDraft looks for what was typed for a new debate before. One that is begun
// from the command line has its own words.
func (l *lobby) readDraft() tea.Cmd {
	if s := l.deps.Start; l.deps.ReadOnly != "" || s.Topic != "" || s.Mode != "" || s.Rounds > 0 {
		return nil
	}
	return func() tea.Msg {
		d, err := l.deps.Sessions.KeptNew(l.ctx)
		return draftReadMsg{d, err}
	}
}

// draftRead restores what was typed.
func (l *lobby) draftRead(msg draftReadMsg) screen.Outcome {
	if msg.err == nil && (msg.draft.Text == "" || l.fresh.Draft() != "") { // what was typed meanwhile stands
		return nil
	}
	err := msg.err
	if err == nil {
		err = l.fresh.Restore(msg.draft.Text)
	}
	if err != nil {
		return screen.Tell(screen.Error, "The draft of a new debate cannot be read: "+screen.Sentence(err))
	}
	l.draft.asked, l.draft.saved, l.draft.from = msg.draft.Text, msg.draft.Text, msg.draft.At
	return l.tellOfDraft()
}

// tellOfDraft says once, where the form is shown, that it is filled in as it was left.
func (l *lobby) tellOfDraft() screen.Outcome {
	if l.stack.base() != l.fresh || l.draft.from.IsZero() {
		return nil
	}
	from := l.draft.from.In(l.deps.Now().Location())
	l.draft.from = time.Time{}
	return screen.Tell(screen.Info, fmt.Sprintf("Your draft of %s is kept, as you left it.", from.Format("2 Jan 15:04")))
}

// saveDraftSoon sees to it that what is typed for a new debate is saved in time. One
// thing is under way at a time, so that none overtakes another.
func (l *lobby) saveDraftSoon() tea.Cmd {
	if l.draft.busy || l.deps.ReadOnly != "" || l.stack.base() != l.fresh && l.draft.asked == "" || l.fresh.Draft() == l.draft.asked {
		return nil
	}
	l.draft.busy = true
	return screen.After(l.ctx, draftEvery, saveNewMsg{})
}

func (l *lobby) saveDraft() tea.Cmd {
	ctx, d := context.WithoutCancel(l.ctx), debate.Draft{Text: l.fresh.Draft(), At: l.deps.Now()}
	l.draft.asked = d.Text
	return l.saves.Add(func() tea.Msg { return draftSavedMsg{d.Text, l.deps.Sessions.KeepNew(ctx, d)} })
}

func (l *lobby) draftSaved(msg draftSavedMsg) screen.Outcome {
	l.draft.busy = false
	if msg.err != nil { // the next key tries again
		l.draft.asked = l.draft.saved
		return screen.Tell(screen.Error, "Cannot save the draft of the new debate: "+debateview.Cause(msg.err)+". It is still here.")
	}
	l.draft.saved = msg.text
	return screen.Run(l.saveDraftSoon())
}

// saveLast saves what was typed last, when the program ends.
func (l *lobby) saveLast() error {
	text := l.fresh.Draft()
	if text == l.draft.saved && text == l.draft.asked || l.deps.ReadOnly != "" {
		return nil
	}
	ctx, d := context.WithoutCancel(l.ctx), debate.Draft{Text: text, At: l.deps.Now()}
	return l.saves.Do(func() error { return l.deps.Sessions.KeepNew(ctx, d) })
}
