package home

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// typingPause is how long a query must not change before it is searched for.
const typingPause = 150 * time.Millisecond

// The list is read every watchEvery while it is shown, or, where that takes long, such that it
// takes one part in watchShare of the time.
const (
	watchEvery = 2 * time.Second
	watchShare = 50
)

// Store lists and changes stored sessions.
type Store interface {
	// Sessions lists all, newest first.
	Sessions(ctx context.Context) ([]debate.SessionSummary, error)
	// Search finds text in them.
	Search(ctx context.Context, q Query) ([]Hit, error)
	Rename(ctx context.Context, id, title string) error
	// Session returns a session without locking it.
	Session(ctx context.Context, id string) (debate.Session, error)
	// SaveOutcome stores how a verdict turned out, as the user typed it.
	SaveOutcome(ctx context.Context, id, typed string) (debate.Settlement, error)
	Delete(ctx context.Context, id string) error
	Undelete(ctx context.Context, id string) error
}

// The messages of the screen's commands.
type (
	// sessionsMsg is the list of sessions.
	sessionsMsg struct {
		list []debate.SessionSummary
		took time.Duration
		err  error
	}
	// watchMsg says that the list is to be read again: other programs change it too.
	watchMsg struct{}
	// searchMsg says that the query has not changed for a moment.
	searchMsg struct{ query string }
	// foundMsg is what a search found.
	foundMsg struct {
		query string
		hits  []Hit
		took  time.Duration
		err   error
	}
	// changedMsg is the result of a change of a session.
	changedMsg struct {
		notice  screen.Notice
		renamed *Renamed              // the new title, if that was changed
		deleted debate.SessionSummary // the session that was deleted
		undone  debate.SessionSummary // the one that was to be restored
		err     error
	}
)

// Receive handles the messages of the screen's commands. It reports whether the
// message is one.
func (h *Screen) Receive(msg tea.Msg) (out screen.Outcome, ok bool) {
	switch msg := msg.(type) {
	case sessionsMsg:
		return h.read(msg), true
	case watchMsg:
		h.watching = false
		return screen.Run(h.ReadSessions()), true
	case searchMsg:
		return h.find(msg.query), true
	case foundMsg:
		if msg.err != nil {
			return screen.Tell(screen.Error, "Cannot search: "+text.Sentence(msg.err.Error())), true
		}
		h.SetHits(msg.query, msg.hits, msg.took)
		return nil, true
	case changedMsg:
		return h.changed(msg), true
	case settledMsg:
		return h.settled(msg), true
	}
	return nil, false
}

// ReadSessions returns a command that reads the list of sessions.
func (h *Screen) ReadSessions() tea.Cmd {
	return func() tea.Msg {
		began := h.config.Now()
		list, err := h.config.Store.Sessions(h.ctx)
		return sessionsMsg{list, h.config.Now().Sub(began), err}
	}
}

// Watch returns a command that reads the list again in a while; nil if one is under way.
func (h *Screen) Watch() tea.Cmd {
	if h.watching {
		return nil
	}
	h.watching = true
	return screen.After(h.ctx, max(watchEvery, watchShare*h.readTime), watchMsg{})
}

// read takes over the list that was read. Why it cannot be read is told once.
func (h *Screen) read(msg sessionsMsg) screen.Outcome {
	told := h.unreadable
	h.readTime, h.unreadable = msg.took, msg.err != nil
	switch {
	case msg.err == nil:
		h.SetSessions(msg.list)
		return nil
	case told:
		return nil
	}
	return screen.Tell(screen.Error, "Cannot read the debates: "+text.Sentence(msg.err.Error()))
}

func (h *Screen) find(query string) screen.Outcome {
	if query == "" || query != h.Query() {
		return nil
	}
	return screen.Run(func() tea.Msg {
		began := h.config.Now()
		hits, err := h.config.Store.Search(h.ctx, ParseQuery(query))
		return foundMsg{query, hits, h.config.Now().Sub(began), err}
	})
}

func (h *Screen) change(msg changedMsg, do func(context.Context) error) screen.Outcome {
	return screen.Run(func() tea.Msg {
		msg.err = do(h.ctx)
		return msg
	})
}

func (h *Screen) setTitle(id, name string) screen.Outcome {
	if name == "" {
		return nil
	}
	renamed := changedMsg{notice: screen.Notice{Text: "Renamed.", Tone: screen.Success, Transient: true}, renamed: &Renamed{id, name}}
	return h.change(renamed, func(ctx context.Context) error { return h.config.Store.Rename(ctx, id, name) })
}

func (h *Screen) remove() screen.Outcome {
	s, _ := h.Selected()
	if s.ID == h.deleting {
		return nil
	}
	return h.Delete(s.ID)
}

// Delete deletes a session of the list. The list restores it until the program ends, `roundtable undelete` within a day.
func (h *Screen) Delete(id string) screen.Outcome {
	s := debate.SessionSummary{ID: id}
	if i := slices.IndexFunc(h.all, func(e entry) bool { return e.ID == id }); i >= 0 {
		s = h.all[i].SessionSummary
	}
	h.deleting = id
	return h.change(changedMsg{notice: deletion(s), deleted: s},
		func(ctx context.Context) error { return h.config.Store.Delete(ctx, s.ID) })
}

func deletion(s debate.SessionSummary) screen.Notice {
	text := "Deleted " + text.Line(cmp.Or(s.Name(), s.ID))
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return screen.Notice{Text: text, Keys: "u to undo, or `roundtable undelete`.", Transient: true}
}

func (h *Screen) undo() screen.Outcome {
	last := len(h.deleted) - 1
	s := h.deleted[last]
	h.deleted, h.deleting = slices.Delete(h.deleted, last, last+1), ""
	h.Select(s.ID)
	restored := changedMsg{notice: screen.Notice{Text: "Restored.", Transient: true}, undone: s}
	return h.change(restored, func(ctx context.Context) error { return h.config.Store.Undelete(ctx, s.ID) })
}

func (h *Screen) changed(msg changedMsg) screen.Outcome {
	if msg.err != nil {
		if msg.undone.ID != "" {
			h.deleted = append(h.deleted, msg.undone)
		}
		h.deleting = ""
		return append(screen.Tell(screen.Warning, text.Sentence(msg.err.Error())), h.ReadSessions())
	}
	if msg.deleted.ID != "" {
		h.deleted = append(h.deleted, msg.deleted)
	}
	out := screen.Outcome{msg.notice, h.ReadSessions()}
	if msg.renamed != nil {
		out = append(out, *msg.renamed)
	}
	return out
}

// Deleted returns what the notice row shows of the session that was deleted last, when there
// is no notice.
func (h *Screen) Deleted() screen.Notice {
	if last := len(h.deleted) - 1; last >= 0 && !h.searching {
		return deletion(h.deleted[last])
	}
	return screen.Notice{}
}
