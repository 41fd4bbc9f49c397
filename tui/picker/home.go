package picker

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/tui/theme"
)


// Home is the list of sessions, newest first, with a search over them. Its first
// row starts a new debate.
type Home struct {
	th            *theme.Theme
	width, height int

	all    []entry
	shown  []int // of all: what passes the search
	cursor int   // in the rows: the sessions shown, before them the new debate
	window window
	rowAt  []int // of each line as drawn last; -1: none
	line   int   // line of the cursor's row, as drawn last
	loaded bool
	want   string // the session for the cursor to go to once it is listed
	here   string // the session that is open in this program; "": none
	plays  bool   // that one goes on at the moment

	search    textinput.Model
	searching bool // the search has the focus
	found     map[string][]Match
	took      time.Duration

	name     textinput.Model
	renaming string // the session whose name is being typed
}

// entry is a session with what is shown of it, made safe.
type entry struct {
	debate.SessionSummary
	name  string
	seats string
}

// Act says what a key came to while a text field had the focus.
type Act int

// The acts. Opened means the selected session, Searched that the query changed.
const (
	Nothing Act = iota
	Opened
	Searched
	Renamed
)

// NewHome returns an empty list.
func NewHome(th *theme.Theme) *Home {
	h := &Home{search: field(), name: field()}
	h.SetTheme(th)
	return h
}

// field returns a text field that leaves its looks to us.
func field() textinput.Model {
	f := textinput.New()
	f.Prompt = ""
	f.SetVirtualCursor(false)
	f.CharLimit = 500
	return f
}

// SetTheme changes the colours and symbols.
func (h *Home) SetTheme(th *theme.Theme) {
	h.th = th
	dress(&h.search, th)
	dress(&h.name, th)
}

// dress gives a field the theme's colours.
func dress(f *textinput.Model, th *theme.Theme) {
	s := f.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	s.Focused.Placeholder, s.Blurred.Placeholder = th.Faint, th.Faint
	f.SetStyles(s)
}

// SetSize sets the room between the top line and the notice row.
func (h *Home) SetSize(width, height int) {
	h.width, h.height = width, height
	h.search.SetWidth(max(width-40, min(width-18, 30)))
	h.name.SetWidth(max(h.titleWidth()-1, 5))
}

// SetOpen says which session is open in this program, and whether it goes on at
// the moment. What the list that was read says of others stands.
func (h *Home) SetOpen(id string, running bool) { h.here, h.plays = id, running }

// standing names where a session stands.
func (h *Home) standing(th *theme.Theme, s debate.SessionSummary) standing {
	if s.ID == h.here {
		s.Running = h.plays
	}
	return standingOf(th, s)
}

// Select moves the cursor to a session when the list is loaded next.
func (h *Home) Select(id string) { h.want = id }

// Load shows a list as it was read. The cursor stays with its session.
func (h *Home) Load(list []debate.SessionSummary) {
	id := h.want
	if s, ok := h.Selected(); ok && id == "" {
		id = s.ID
	}
	h.want = ""
	first := !h.loaded
	h.all, h.loaded = make([]entry, len(list)), true
	for i, s := range list {
		s.Asking, s.Mode = safetext.Line(s.Asking), safetext.Line(s.Mode)
		names := make([]string, len(s.Seats))
		for j, p := range s.Seats {
			names[j] = safetext.Line(p.Name)
		}
		h.all[i] = entry{s, safetext.Line(s.Name()), strings.Join(names, ", ")}
	}
	h.filter(time.Time{})
	if at := h.place(id); first || at >= 0 {
		h.cursor = h.lead() + max(at, 0)
	}
	h.clamp()
}

// place returns where a session stands among those shown; -1 if it does not.
func (h *Home) place(id string) int {
	return slices.IndexFunc(h.shown, func(i int) bool { return h.all[i].ID == id })
}

// Found shows in which sessions a query was found. An answer to an older query
// is passed over.
func (h *Home) Found(query string, hits []Hit, took time.Duration, now time.Time) {
	if query != h.search.Value() {
		return
	}
	h.found, h.took = map[string][]Match{}, took
	for _, x := range hits {
		h.found[x.Session] = append(h.found[x.Session], x.clean().Matches...)
	}
	h.filter(now)
	h.clamp()
}

// filter finds the sessions that pass the search.
func (h *Home) filter(now time.Time) {
	h.shown = h.shown[:0]
	q := ParseQuery(h.search.Value())
	for i, e := range h.all {
		_, hit := h.found[e.ID]
		if h.search.Value() == "" || q.Admits(e.SessionSummary, now) && (hit || q.names(e.SessionSummary)) {
			h.shown = append(h.shown, i)
		}
	}
}

// lead is the number of rows before the sessions.
func (h *Home) lead() int {
	if h.search.Value() != "" {
		return 0
	}
	return 1
}

func (h *Home) rows() int { return h.lead() + len(h.shown) }

func (h *Home) clamp() { h.cursor = max(0, min(h.cursor, h.rows()-1)) }

// Selected returns the session under the cursor; ok is false on the new debate.
func (h *Home) Selected() (s debate.SessionSummary, ok bool) {
	i := h.cursor - h.lead()
	if i < 0 || i >= len(h.shown) {
		return debate.SessionSummary{}, false
	}
	return h.all[h.shown[i]].SessionSummary, true
}

// Move moves the cursor.
func (h *Home) Move(n int) {
	h.cursor += n
	h.clamp()
}

// Click moves the cursor to the row that was drawn at a line of the last view. It
// reports whether there is one, and whether the cursor was there already.
func (h *Home) Click(y int) (hit, again bool) {
	line := h.window.line(y - headRows)
	if y < headRows || line < 0 || line >= len(h.rowAt) || h.rowAt[line] < 0 || h.renaming != "" {
		return false, false
	}
	was := h.cursor
	h.cursor = h.rowAt[line]
	return true, was == h.cursor
}

// Page moves the cursor by screens.
func (h *Home) Page(n int) { h.Move(n * max(h.height-8, 1)) }

// Query returns what is searched for, as typed; "" shows all.
func (h *Home) Query() string { return h.search.Value() }

// Typing reports whether keys are text at the moment.
func (h *Home) Typing() bool { return h.searching || h.renaming != "" }

// Searching reports whether keys are text of the search.
func (h *Home) Searching() bool { return h.searching && h.renaming == "" }

// Search gives the search the focus.
func (h *Home) Search() {
	h.searching = true
	h.search.Focus()
}

// Rename lets the user type another name for the selected session.
func (h *Home) Rename() {
	s, ok := h.Selected()
	if !ok {
		return
	}
	h.renaming = s.ID
	h.name.SetValue(safetext.Line(s.Name()))
	h.name.CursorEnd()
	h.name.Focus()
}

// Renaming returns the session that got a name, and the name.
func (h *Home) Renaming() (id, name string) { return h.renaming, strings.TrimSpace(h.name.Value()) }

// Back gives the list the focus, or clears the search if it has it already.
// It reports whether there was anything to go back from.
func (h *Home) Back(now time.Time) bool {
	switch {
	case h.renaming != "":
		h.renaming = ""
		h.name.Blur()
	case h.searching:
		h.searching = false
		h.search.Blur()
	case h.search.Value() != "":
		s, _ := h.Selected()
		h.set("", now)
		h.cursor = h.lead() + max(h.place(s.ID), 0)
		h.clamp()
	default:
		return false
	}
	return true
}

// set changes the query.
func (h *Home) set(query string, now time.Time) {
	h.search.SetValue(query)
	h.changed(now)
}

// changed follows a change of the query. What was found for another one goes.
func (h *Home) changed(now time.Time) {
	h.found, h.cursor, h.window = nil, 0, window{}
	h.filter(now)
	h.clamp()
}

// HandleKey takes a key while a field has the focus.
func (h *Home) HandleKey(msg tea.KeyPressMsg, now time.Time) (Act, tea.Cmd) {
	if h.renaming != "" {
		return h.typeName(msg, now)
	}
	switch msg.String() {
	case "enter":
		if _, ok := h.Selected(); ok {
			return Opened, nil
		}
		return Nothing, nil
	case "up":
		h.Move(-1)
		return Nothing, nil
	case "down":
		h.Move(1)
		return Nothing, nil
	}
	return h.typeQuery(msg, now)
}

func (h *Home) typeQuery(msg tea.Msg, now time.Time) (Act, tea.Cmd) {
	was := h.search.Value()
	var cmd tea.Cmd
	h.search, cmd = h.search.Update(msg)
	if h.search.Value() == was {
		return Nothing, cmd
	}
	h.changed(now)
	return Searched, cmd
}

func (h *Home) typeName(msg tea.KeyPressMsg, now time.Time) (Act, tea.Cmd) {
	if msg.String() == "enter" {
		if _, name := h.Renaming(); name == "" {
			h.Back(now)
			return Nothing, nil
		}
		return Renamed, nil
	}
	var cmd tea.Cmd
	h.name, cmd = h.name.Update(msg)
	return Nothing, cmd
}

// Paste puts text into the field that has the focus.
func (h *Home) Paste(text string, now time.Time) (Act, tea.Cmd) {
	msg := tea.PasteMsg{Content: safetext.Line(text)}
	switch {
	case h.renaming != "":
		var cmd tea.Cmd
		h.name, cmd = h.name.Update(msg)
		return Nothing, cmd
	case h.searching:
		return h.typeQuery(msg, now)
	}
	return Nothing, nil
}

// Empty reports whether there is no session at all.
func (h *Home) Empty() bool { return len(h.all) == 0 }
