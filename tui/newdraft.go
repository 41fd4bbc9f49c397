package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
)


// unbegun is what was typed for a new debate that has not begun.
type unbegun struct {
	asked string    // what the library was asked to keep
	kept  string    // what it has kept
	busy  bool      // a tick or the library is under way with it
	from  time.Time // when the draft that was brought back was typed, until that is told
}

type (
	// keptNewMsg is what the library has kept of a new debate, as it was found.
	keptNewMsg struct {
		draft debate.Draft
		err   error
	}
	// keepNewMsg is time to keep what is typed for a new debate.
	keepNewMsg struct{}
	// newKeptMsg says that it is kept.
	newKeptMsg struct {
		text string
		err  error
	}
)

// readNew looks for what was typed for a new debate before. One that is begun from
// the command line has its own words.
func (m *Model) readNew() tea.Cmd {
	if s := m.deps.Start; m.deps.ReadOnly != "" || s.Topic != "" || s.Mode != "" || s.Rounds > 0 {
		return nil
	}
	ctx, lib := m.ctx, m.deps.Library
	return func() tea.Msg {
		d, err := lib.KeptNew(ctx)
		return keptNewMsg{d, err}
	}
}

// newFound brings back what was typed.
func (m *Model) newFound(msg keptNewMsg) tea.Cmd {
	if msg.err == nil && (msg.draft.Text == "" || m.fresh.Draft() != "") { // what was typed meanwhile stands
		return nil
	}
	err := msg.err
	if err == nil {
		err = m.fresh.Restore(msg.draft.Text)
	}
	if err != nil {
		m.tell(badly, "The draft of a new debate cannot be read: "+sentence(err))
		return nil
	}
	m.unbegun.asked, m.unbegun.kept, m.unbegun.from = msg.draft.Text, msg.draft.Text, msg.draft.At
	m.tellOfDraft()
	return nil
}

// tellOfDraft says once, where the form is shown, that it is filled in as it was left.
func (m *Model) tellOfDraft() {
	if m.screen != atNew || m.unbegun.from.IsZero() {
		return
	}
	m.tell(plainly, fmt.Sprintf("Your draft of %s is kept, as you left it.", m.unbegun.from.In(m.now().Location()).Format("2 Jan 15:04")))
	m.unbegun.from = time.Time{}
}

// keepSoon sees to it that what is typed for a new debate is kept in time. One thing
// is under way at a time, so that none overtakes another.
func (m *Model) keepSoon() tea.Cmd {
	if m.unbegun.busy || m.deps.ReadOnly != "" || m.screen != atNew && m.unbegun.asked == "" || m.fresh.Draft() == m.unbegun.asked {
		return nil
	}
	m.unbegun.busy = true
	return m.after(draftEvery, keepNewMsg{})
}

func (m *Model) keepNew() tea.Cmd {
	ctx, lib, d := context.WithoutCancel(m.ctx), m.deps.Library, debate.Draft{Text: m.fresh.Draft(), At: m.now()}
	m.unbegun.asked = d.Text
	return func() tea.Msg { return newKeptMsg{d.Text, lib.KeepNew(ctx, d)} }
}

func (m *Model) newKept(msg newKeptMsg) tea.Cmd {
	m.unbegun.busy = false
	if msg.err != nil { // the next key tries again
		m.unbegun.asked = m.unbegun.kept
		m.tell(badly, "Cannot save the draft of the new debate: "+cause(msg.err)+". It is still here.")
		return nil
	}
	m.unbegun.kept = msg.text
	return m.keepSoon()
}

// lastNew keeps what was typed last, when the program ends.
func (m *Model) lastNew() error {
	text := m.fresh.Draft()
	if text == m.unbegun.kept && text == m.unbegun.asked || m.deps.ReadOnly != "" {
		return nil
	}
	return m.deps.Library.KeepNew(context.WithoutCancel(m.ctx), debate.Draft{Text: text, At: m.now()})
}
