// Package home is the screen that lists the stored sessions, newest first, and
// searches them.
//
// It is driven by method calls, and by HandleKey while a text field has the focus;
// it draws what stands between the top line and the notice row. It imports theme,
// input, viewport, debate and internal/text. It does no I/O and must not know where
// sessions come from, nor which key does what.
package home

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/theme"
	"roundtable/tui/viewport"
)

// List is the list of sessions, newest first, with a search over them. Its first row
// starts a new debate.
type List struct {
	th            *theme.Theme
	width, height int

	all              []entry
	shown            []int // indices into all of the sessions that match the search
	cursor           int   // the selected row: 0 is the new debate, then come the shown sessions
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

	name     textinput.Model
	renaming string // the session whose new name is being typed; "" if none
}

// entry is a session with its texts made safe.
type entry struct {
	debate.SessionSummary
	name  string
	seats string
}

// Action is what a key in a text field asks for.
type Action int

// The actions.
const (
	NoAction Action = iota
	Open            // open the selected session
	Search          // search for the query, which has changed
	Rename          // rename a session, see Renaming
)

// New returns an empty list.
func New(th *theme.Theme) *List {
	h := &List{search: newField(), name: newField()}
	h.SetTheme(th)
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
func (h *List) SetTheme(th *theme.Theme) {
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
func (h *List) SetSize(width, height int) {
	h.width, h.height = width, height
	h.search.SetWidth(max(width-40, min(width-18, 30)))
	h.name.SetWidth(max(h.titleWidth()-1, 5))
}

// SetOpen sets which session is open in this program, and whether a round of it is
// running. The status of other sessions is that of the list.
func (h *List) SetOpen(id string, running bool) { h.openID, h.openRunning = id, running }

// status returns the status of a session.
func (h *List) status(th *theme.Theme, s debate.SessionSummary) status {
	if s.ID == h.openID {
		s.Running = h.openRunning
	}
	return statusOf(th, s)
}

// Select selects a session when the list is next set.
func (h *List) Select(id string) { h.pendingSelection = id }

// SetSessions sets the list. The selected session stays selected.
func (h *List) SetSessions(list []debate.SessionSummary) {
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
		h.all[i] = entry{s, text.Line(s.Name()), strings.Join(names, ", ")}
	}
	h.filter(time.Time{})
	if at := h.indexOf(id); first || at >= 0 {
		h.cursor = h.leadRows() + max(at, 0)
	}
	h.clampCursor()
}

// indexOf returns the index of a session among those shown, or -1.
func (h *List) indexOf(id string) int {
	return slices.IndexFunc(h.shown, func(i int) bool { return h.all[i].ID == id })
}

// SetHits shows in which sessions a query was found. Results of an older query are
// ignored.
func (h *List) SetHits(query string, hits []Hit, took time.Duration, now time.Time) {
	if query != h.search.Value() {
		return
	}
	h.found, h.searchTime = map[string][]Match{}, took
	for _, x := range hits {
		h.found[x.Session] = append(h.found[x.Session], x.clean().Matches...)
	}
	h.filter(now)
	h.clampCursor()
}

// filter selects the sessions that match the search.
func (h *List) filter(now time.Time) {
	h.shown = h.shown[:0]
	q := ParseQuery(h.search.Value())
	for i, e := range h.all {
		_, hit := h.found[e.ID]
		if h.search.Value() == "" || q.Matches(e.SessionSummary, now) && (hit || q.inName(e.SessionSummary)) {
			h.shown = append(h.shown, i)
		}
	}
}

// leadRows returns the number of rows before the sessions.
func (h *List) leadRows() int {
	if h.search.Value() != "" {
		return 0
	}
	return 1
}

// rows returns the number of rows that can be selected.
func (h *List) rows() int { return h.leadRows() + len(h.shown) }

// clampCursor keeps the selection within the rows.
func (h *List) clampCursor() { h.cursor = max(0, min(h.cursor, h.rows()-1)) }

// Selected returns the selected session; ok is false if the row of the new debate is
// selected.
func (h *List) Selected() (s debate.SessionSummary, ok bool) {
	i := h.cursor - h.leadRows()
	if i < 0 || i >= len(h.shown) {
		return debate.SessionSummary{}, false
	}
	return h.all[h.shown[i]].SessionSummary, true
}

// Move moves the selection by rows.
func (h *List) Move(n int) {
	h.cursor += n
	h.clampCursor()
}

// Click selects the row drawn at line y of the last view. It reports whether there is
// one, and whether it was selected before.
func (h *List) Click(y int) (hit, again bool) {
	line := h.viewport.Line(y - headRows)
	if y < headRows || line < 0 || line >= len(h.rowAt) || h.rowAt[line] < 0 || h.renaming != "" {
		return false, false
	}
	previous := h.cursor
	h.cursor = h.rowAt[line]
	return true, previous == h.cursor
}

// Page moves the selection by pages.
func (h *List) Page(n int) { h.Move(n * max(h.height-8, 1)) }

// Query returns the search as typed; "" lists all sessions.
func (h *List) Query() string { return h.search.Value() }

// Typing reports whether a text field has the focus.
func (h *List) Typing() bool { return h.searching || h.renaming != "" }

// Searching reports whether the search field has the focus.
func (h *List) Searching() bool { return h.searching && h.renaming == "" }

// Search focuses the search field.
func (h *List) Search() {
	h.searching = true
	h.search.Focus()
}

// Rename opens a text field for the name of the selected session.
func (h *List) Rename() {
	s, ok := h.Selected()
	if !ok {
		return
	}
	h.renaming = s.ID
	h.name.SetValue(text.Line(s.Name()))
	h.name.CursorEnd()
	h.name.Focus()
}

// Renaming returns the session being renamed and its new name.
func (h *List) Renaming() (id, name string) { return h.renaming, strings.TrimSpace(h.name.Value()) }

// Back leaves the text field, or clears the search if none has the focus. It reports
// whether there was anything to leave or clear.
func (h *List) Back(now time.Time) bool {
	switch {
	case h.renaming != "":
		h.renaming = ""
		h.name.Blur()
	case h.searching:
		h.searching = false
		h.search.Blur()
	case h.search.Value() != "":
		s, _ := h.Selected()
		h.setQuery("", now)
		h.cursor = h.leadRows() + max(h.indexOf(s.ID), 0)
		h.clampCursor()
	default:
		return false
	}
	return true
}

// setQuery changes the query.
func (h *List) setQuery(query string, now time.Time) {
	h.search.SetValue(query)
	h.queryChanged(now)
}

// queryChanged applies a changed query and drops the results of the old one.
func (h *List) queryChanged(now time.Time) {
	h.found, h.cursor, h.viewport = nil, 0, viewport.Viewport{}
	h.filter(now)
	h.clampCursor()
}

// HandleKey handles a key while a text field has the focus.
func (h *List) HandleKey(msg tea.KeyPressMsg, now time.Time) (Action, tea.Cmd) {
	if h.renaming != "" {
		return h.typeName(msg, now)
	}
	switch msg.String() {
	case "enter":
		if _, ok := h.Selected(); ok {
			return Open, nil
		}
		return NoAction, nil
	case "up":
		h.Move(-1)
		return NoAction, nil
	case "down":
		h.Move(1)
		return NoAction, nil
	}
	return h.typeQuery(msg, now)
}

// typeQuery passes a message to the search field.
func (h *List) typeQuery(msg tea.Msg, now time.Time) (Action, tea.Cmd) {
	previous := h.search.Value()
	var cmd tea.Cmd
	h.search, cmd = h.search.Update(msg)
	if h.search.Value() == previous {
		return NoAction, cmd
	}
	h.queryChanged(now)
	return Search, cmd
}

// typeName passes a key to the field of the name.
func (h *List) typeName(msg tea.KeyPressMsg, now time.Time) (Action, tea.Cmd) {
	if msg.String() == "enter" {
		if _, name := h.Renaming(); name == "" {
			h.Back(now)
			return NoAction, nil
		}
		return Rename, nil
	}
	var cmd tea.Cmd
	h.name, cmd = h.name.Update(msg)
	return NoAction, cmd
}

// Paste inserts text into the text field that has the focus.
func (h *List) Paste(content string, now time.Time) (Action, tea.Cmd) {
	msg := tea.PasteMsg{Content: text.Line(content)}
	switch {
	case h.renaming != "":
		var cmd tea.Cmd
		h.name, cmd = h.name.Update(msg)
		return NoAction, cmd
	case h.searching:
		return h.typeQuery(msg, now)
	}
	return NoAction, nil
}

// Empty reports whether there are no sessions.
func (h *List) Empty() bool { return len(h.all) == 0 }
