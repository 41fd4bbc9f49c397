// Package home is the screen that lists the stored sessions, newest first, and
// searches, renames and deletes them.
//
// It imports screen for what it is to the shell, theme, input and viewport to draw,
// and debate and internal/text. What it needs of a store is a small interface here;
// it must not know SQL, nor other screens. Whatever may block is a command.
package home

import (
	"context"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
	"roundtable/tui/viewport"
)

// Config is what the screen works with.
type Config struct {
	Theme *theme.Theme
	Store Store
	Now   func() time.Time
	// Open returns the session that is open in this program, "" if none is, and whether
	// a round of it is running.
	Open func() (id string, running bool)
}

// Screen is the list of sessions, newest first, with a search over them. Its first
// row starts a new debate. It keeps the context that its commands run in, since
// Bubble Tea hands none out.
type Screen struct {
	ctx           context.Context
	config        Config
	th            *theme.Theme
	width, height int
	commands      []screen.Command
	ready         string                  // how many agents can take a seat
	sources       string                  // where models were found
	deleted       []debate.SessionSummary // the sessions that can be restored
	deleting      string                  // the one of the last deletion, which the list may still have

	all              []entry
	shown            []int // indices into all of the sessions that match the search
	cursor           int   // the selected row: 0 is the new debate, then come the shown sessions
	match            int   // the selected match of that session, from 1; 0 is the session
	viewport         viewport.Viewport
	rowAt            []int // the row of each line of the last drawing; -1 for none
	selectedLine     int   // the line of the selected row in the last drawing
	loaded           bool
	pendingSelection string // the session to select when the list is next set
	openID           string // the session open in this program; "" if none
	openRunning      bool   // a round of that session is running

	search     textinput.Model
	searching  bool // the search has the focus
	found      map[string][]Match
	searchTime time.Duration

	marked   string // the session to compare with another; "" if none is
	name     textinput.Model
	renaming string // the session whose new name is being typed; "" if none
}

// entry is a session with its texts made safe.
type entry struct {
	debate.SessionSummary
	name   string
	seats  string
	origin string // of a fork
}

var _ screen.Screen = (*Screen)(nil)

// New returns an empty list.
func New(ctx context.Context, c Config) *Screen {
	h := &Screen{ctx: ctx, config: c, search: newField(), name: newField()}
	h.SetTheme(c.Theme)
	h.commands = h.keys()
	return h
}

// newField returns a text field without a style of its own.
func newField() textinput.Model {
	f := textinput.New()
	f.Prompt = ""
	f.SetVirtualCursor(false)
	f.CharLimit = 500
	return f
}

// SetTheme sets the theme.
func (h *Screen) SetTheme(th *theme.Theme) {
	h.th = th
	styleField(&h.search, th)
	styleField(&h.name, th)
}

// styleField sets the colours of a text field.
func styleField(f *textinput.Model, th *theme.Theme) {
	s := f.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	s.Focused.Placeholder, s.Blurred.Placeholder = th.Faint, th.Faint
	f.SetStyles(s)
}

// SetSize sets the size of the area between the top line and the notice row.
func (h *Screen) SetSize(width, height int) {
	h.width, h.height = width, height
	h.search.SetWidth(max(width-40, min(width-18, 30)))
	h.name.SetWidth(max(h.titleWidth()-1, 5))
}

// SetReady sets what the top line says of the models: how many agents can take a seat,
// and where they were found.
func (h *Screen) SetReady(ready, sources string) { h.ready, h.sources = ready, text.Line(sources) }

// status returns the status of a session.
func (h *Screen) status(th *theme.Theme, s debate.SessionSummary) status {
	if s.ID != h.openID {
		return statusOf(th, s)
	}
	s.Running = h.openRunning
	out := statusOf(th, s)
	if s.Running {
		out.word = "running"
	}
	return out
}

// Select selects a session when the list is next set.
func (h *Screen) Select(id string) { h.pendingSelection = id }

// SetSessions sets the list. The selected session stays selected.
func (h *Screen) SetSessions(list []debate.SessionSummary) {
	id := h.pendingSelection
	if s, ok := h.Selected(); ok && id == "" {
		id = s.ID
	}
	h.pendingSelection = ""
	first := !h.loaded
	h.all, h.loaded = make([]entry, len(list)), true
	for i, s := range list {
		s.Asking, s.Mode = text.Line(s.Asking), text.Line(s.Mode)
		names := make([]string, len(s.Seats))
		for j, p := range s.Seats {
			names[j] = text.Line(p.Name)
		}
		h.all[i] = entry{SessionSummary: s, name: text.Line(s.Name()), seats: strings.Join(names, ", ")}
		if fork := s.Origin.String(); fork != "" {
			h.all[i].name = "Fork: " + h.all[i].name // as in the top line of its debate
			h.all[i].origin = " · " + text.Line(fork)
		}
	}
	h.filter()
	if at := h.indexOf(id); first || at >= 0 {
		h.cursor = h.leadRows() + max(at, 0)
	}
	h.clampCursor()
}

// indexOf returns the index of a session among those shown, or -1.
func (h *Screen) indexOf(id string) int {
	return slices.IndexFunc(h.shown, func(i int) bool { return h.all[i].ID == id })
}

// SetHits shows in which sessions a query was found. Results of an older query are
// ignored.
func (h *Screen) SetHits(query string, hits []Hit, took time.Duration) {
	if query != h.search.Value() {
		return
	}
	h.found, h.searchTime = map[string][]Match{}, took
	for _, x := range hits {
		h.found[x.Session] = append(h.found[x.Session], x.clean().Matches...)
	}
	h.filter()
	h.clampCursor()
}

// filter selects the sessions that match the search.
func (h *Screen) filter() {
	h.shown = h.shown[:0]
	now := h.config.Now()
	q := ParseQuery(h.search.Value())
	for i, e := range h.all {
		_, hit := h.found[e.ID]
		if h.search.Value() == "" || q.Matches(e.SessionSummary, now) && (hit || q.inName(e.SessionSummary)) {
			h.shown = append(h.shown, i)
		}
	}
}

// leadRows returns the number of rows before the sessions.
func (h *Screen) leadRows() int {
	if h.search.Value() != "" {
		return 0
	}
	return 1
}

// rows returns the number of rows that can be selected.
func (h *Screen) rows() int { return h.leadRows() + len(h.shown) }

// clampCursor keeps the selection within the rows.
func (h *Screen) clampCursor() {
	h.cursor = max(0, min(h.cursor, h.rows()-1))
	h.match = min(h.match, len(h.matches()))
}

// Selected returns the selected session; ok is false if the row of the new debate is
// selected.
func (h *Screen) Selected() (s debate.SessionSummary, ok bool) {
	i := h.cursor - h.leadRows()
	if i < 0 || i >= len(h.shown) {
		return debate.SessionSummary{}, false
	}
	return h.all[h.shown[i]].SessionSummary, true
}

// Page moves the selection by pages.
func (h *Screen) Page(n int) { h.Move(n * max(h.height-8, 1)) }

// Query returns the search as typed; "" lists all sessions.
func (h *Screen) Query() string { return h.search.Value() }

// Typing reports whether a text field has the focus.
func (h *Screen) Typing() bool { return h.searching || h.renaming != "" }

// queryChanged applies a changed query and drops the results of the old one.
func (h *Screen) queryChanged() {
	h.found, h.cursor, h.match, h.viewport = nil, 0, 0, viewport.Viewport{}
	h.filter()
	h.clampCursor()
}

// Count returns the number of sessions; ok is false before they were read.
func (h *Screen) Count() (n int, ok bool) { return len(h.all), h.loaded }
