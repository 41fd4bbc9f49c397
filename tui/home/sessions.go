package home

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
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

// ReadSessions returns a command that reads the list of sessions.
func (h *Screen) ReadSessions() tea.Cmd {
	return func() tea.Msg {
		began := h.config.Now()
		list, err := h.config.Store.Sessions(h.ctx)
		took := h.config.Now().Sub(began)
		return screen.Then(func() screen.Outcome { return h.read(list, took, err) })
	}
}

// Watch returns a command that reads the list again in a while, since other programs change it
// too; nil if one is under way.
func (h *Screen) Watch() tea.Cmd {
	if h.watching {
		return nil
	}
	h.watching = true
	return screen.After(h.ctx, max(watchEvery, watchShare*h.readTime), screen.Then(func() screen.Outcome {
		h.watching = false
		return screen.Run(h.ReadSessions())
	}))
}

// read takes over the list that was read. Why it cannot be read is told once.
func (h *Screen) read(list []debate.SessionSummary, took time.Duration, err error) screen.Outcome {
	told := h.unreadable
	h.readTime, h.unreadable = took, err != nil
	switch {
	case err == nil:
		h.SetSessions(list)
		return nil
	case told:
		return nil
	}
	return screen.Tell(screen.Error, "Cannot read the debates: "+text.Sentence(err.Error()))
}

func (h *Screen) find(query string) screen.Outcome {
	if query == "" || query != h.Query() {
		return nil
	}
	return screen.Run(screen.Later(func() ([]Hit, error) {
		return h.config.Store.Search(h.ctx, ParseQuery(query))
	}, func(hits []Hit, err error) screen.Outcome {
		if err != nil {
			return screen.Tell(screen.Error, "Cannot search: "+text.Sentence(err.Error()))
		}
		h.SetHits(query, hits)
		return nil
	}))
}

// change changes a session in a command; then says what follows unless there is an error.
func (h *Screen) change(do func(context.Context) error, then func(err error) screen.Outcome) screen.Outcome {
	return screen.Run(func() tea.Msg {
		err := do(h.ctx)
		return screen.Then(func() screen.Outcome {
			out := then(err)
			if err != nil {
				h.deleting = ""
				out = append(screen.Refused(err), out...)
			}
			return append(out, h.ReadSessions())
		})
	})
}

func (h *Screen) setTitle(id, name string) screen.Outcome {
	if name == "" {
		return nil
	}
	return h.change(func(ctx context.Context) error { return h.config.Store.Rename(ctx, id, name) }, func(err error) screen.Outcome {
		if err != nil {
			return screen.Outcome{Ask{h.renaming(id, name)}}
		}
		return append(screen.Tell(screen.Success, "Renamed."), Changed{id, func(c *control.Controller) { c.SetTitle(name) }})
	})
}

// remove deletes the selected session. The list restores it until the program ends, `roundtable undelete` within a day.
func (h *Screen) remove() screen.Outcome {
	s, _ := h.Selected()
	if s.ID == h.deleting {
		return nil
	}
	h.deleting = s.ID
	return h.change(func(ctx context.Context) error { return h.config.Store.Delete(ctx, s.ID) }, func(err error) screen.Outcome {
		if err != nil {
			return nil
		}
		h.deleted = append(h.deleted, s)
		return screen.Outcome{h.deletion(s)}
	})
}

func (h *Screen) deletion(s debate.SessionSummary) screen.Notice {
	text := "Deleted " + text.Line(cmp.Or(s.Name(), s.ID))
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	return screen.Notice{Text: text, Keys: h.config.Keys.Of("undo-delete") + " to undo, or `roundtable undelete`.", Transient: true}
}

func (h *Screen) undo() screen.Outcome {
	last := len(h.deleted) - 1
	s := h.deleted[last]
	h.deleted, h.deleting = slices.Delete(h.deleted, last, last+1), ""
	h.Select(s.ID)
	return h.change(func(ctx context.Context) error { return h.config.Store.Undelete(ctx, s.ID) }, func(err error) screen.Outcome {
		if err != nil {
			h.deleted = append(h.deleted, s)
			return nil
		}
		return screen.Tell(screen.Info, "Restored.")
	})
}

// Deleted returns what the notice row shows of the session that was deleted last, when there
// is no notice.
func (h *Screen) Deleted() screen.Notice {
	if last := len(h.deleted) - 1; last >= 0 && !h.searching {
		return h.deletion(h.deleted[last])
	}
	return screen.Notice{}
}
