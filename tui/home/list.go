// Package home is the screen that lists the stored sessions, newest first, and
// searches, renames and deletes them.
//
// It imports screen for what it is to the shell, theme, input and list to draw,
// and agents, debate, control and internal/text. What it needs of a store is a small interface here;
// it must not know SQL, nor other screens. Whatever may block is a command.
package home

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/keymap"
	"roundtable/internal/text"
	"roundtable/tui/input"
	"roundtable/tui/list"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Config is what the screen works with.
type Config struct {
	Theme *theme.Theme
	Store Store
	Now   func() time.Time
	// Open returns the session that esc leads back to; "" is none.
	Open func() string
	// Live says what a session does in this program.
	Live func(id string) Live
	Keys keymap.Changes // the keys that the user gave to commands
}

// Live is what a session does in this program.
type Live int

// What it can do.
const (
	NotOpen Live = iota // another program may have it open
	Open
	Running
	AsksApproval // and runs: a command of it waits for the user
	AsksQuestion // and runs: the next round waits for an answer of the user
	Queued       // it begins when fewer debates run
)

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
	start         string                  // what an empty list says of how to begin; "": as usual
	deleted       []debate.SessionSummary // the sessions that can be restored
	deleting      string                  // the one of the last deletion, which the list may still have

	all              []entry
	shown            []int     // indices into all of the sessions that match the search
	longest          int       // the width of the longest title of these
	list             list.List // the selected row: 0 is the new debate, then come the shown sessions
	match            int       // the selected match of that session, from 1; 0 is the session
	rowAt            []int     // the row of each line of the last drawing; -1 for none
	selectedLine     int       // the line of the selected row in the last drawing
	loaded           bool
	watching         bool          // a reading of the list is on its way
	readTime         time.Duration // of the last one
	unreadable       bool          // it failed
	pendingSelection string        // the session to select when the list is next set

	search    textinput.Model
	searching bool // the search has the focus
	found     map[string][]Match

	outcomes map[string]*string // notes on outcomes that were typed and are not saved, by session
}

// entry is a session with its texts made safe.
type entry struct {
	debate.SessionSummary
	name   string
	brief  debate.Line
	side   string
	seats  string
	origin string // of a fork
}

var _ screen.Screen = (*Screen)(nil)

// New returns an empty list.
func New(ctx context.Context, c Config) *Screen {
	h := &Screen{ctx: ctx, config: c, search: input.NewField("", maxTyped), outcomes: map[string]*string{}}
	h.SetTheme(c.Theme)
	h.commands = h.keys()
	return h
}

// maxTyped is how many characters a search or a name has at most.
const maxTyped = 500

// SetTheme sets the theme.
func (h *Screen) SetTheme(th *theme.Theme) {
	h.th = th
	s := h.search.Styles()
	s.Focused.Text, s.Blurred.Text = th.Text, th.Text
	h.search.SetStyles(s)
}

// SetSize sets the size of the area between the top line and the notice row.
func (h *Screen) SetSize(width, height int) {
	h.width, h.height = width, height
	h.search.SetWidth(max(width-40, min(width-18, 30)))
}

// SetReady sets what the top line says of the models: how many agents can take a seat,
// and where they were found. Start is what an empty list says of how to begin, if that is not usual.
func (h *Screen) SetReady(ready, sources, start string) {
	h.ready, h.sources, h.start = ready, text.Line(sources), start
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
		names := text.Each(s.Seats, func(p agents.Profile) string { return text.Line(p.Name) })
		h.all[i] = entry{
			SessionSummary: s, name: text.Line(s.Name()), brief: debate.Line(text.Sanitize(string(s.Line))),
			side: text.Line(string(s.Side)), seats: strings.Join(names, ", "),
		}
		if fork := s.Origin.String(); fork != "" {
			h.all[i].name = "Fork: " + h.all[i].name // as in the top line of its debate
			h.all[i].origin = " · " + text.Line(fork)
		}
	}
	h.filter()
	if at := h.indexOf(id); first || at >= 0 {
		h.list.At = h.leadRows() + max(at, 0)
	}
	h.clampCursor()
}

func (h *Screen) indexOf(id string) int {
	return slices.IndexFunc(h.shown, func(i int) bool { return h.all[i].ID == id })
}

// SetHits shows in which sessions a query was found. Results of an older query are
// ignored.
func (h *Screen) SetHits(query string, hits []Hit) {
	if query != h.search.Value() {
		return
	}
	h.found = map[string][]Match{}
	for _, x := range hits {
		all := h.found[x.Session]
		for _, m := range x.Matches {
			m.Where, m.Before, m.Text, m.After = text.Line(m.Where), safeFragment(m.Before), safeFragment(m.Text), safeFragment(m.After)
			all = append(all, m)
		}
		h.found[x.Session] = all
	}
	h.filter()
	h.clampCursor()
}

func (h *Screen) filter() {
	h.shown, h.longest = h.shown[:0], 0
	now := h.config.Now()
	q := ParseQuery(h.search.Value())
	for i, e := range h.all {
		_, hit := h.found[e.ID]
		if h.search.Value() == "" || q.Matches(e.SessionSummary, now) && (hit || q.inName(e.SessionSummary)) {
			h.shown, h.longest = append(h.shown, i), max(h.longest, ansi.StringWidth(e.name))
		}
	}
}

func (h *Screen) leadRows() int {
	if h.search.Value() != "" {
		return 0
	}
	return 1
}

func (h *Screen) rows() int { return h.leadRows() + len(h.shown) }

func (h *Screen) clampCursor() {
	h.list.Move(0, h.rows())
	h.match = min(h.match, len(h.matches()))
}

// Selected returns the selected session; ok is false if the row of the new debate is
// selected.
func (h *Screen) Selected() (s debate.SessionSummary, ok bool) {
	i := h.list.At - h.leadRows()
	if i < 0 || i >= len(h.shown) {
		return debate.SessionSummary{}, false
	}
	return h.all[h.shown[i]].SessionSummary, true
}

// Page moves the selection by pages.
func (h *Screen) Page(n int) { h.Move(n * max(h.height-8, 1)) }

// Query returns the search as typed; "" lists all sessions.
func (h *Screen) Query() string { return h.search.Value() }

// Typing reports whether the search has the focus.
func (h *Screen) Typing() bool { return h.searching }

func (h *Screen) queryChanged() {
	h.found, h.match, h.list = nil, 0, list.List{}
	h.filter()
	h.clampCursor()
}

// Count returns the number of sessions; ok is false before they were read.
func (h *Screen) Count() (n int, ok bool) { return len(h.all), h.loaded }

// Effects that the shell carries out besides those of package screen.
type (
	// OpenSession opens a session, at a match if there is one.
	OpenSession struct {
		ID    string
		Match *Match
	}
	// Changed says that a session has changed in the store. Apply changes one that is open.
	Changed struct {
		ID    string
		Apply func(*control.Controller)
	}
	// Ask opens a prompt over the list.
	Ask struct{ screen.Prompt }
	// Pause pauses a debate that runs.
	Pause struct{ ID string }
)

func (h *Screen) keys() []screen.Command {
	bind, do := screen.Bind, screen.Do
	return append(screen.MoveKeys(h.Move, h.Page), []screen.Command{
		{
			Binding: bind("open", "enter", "open"), Title: "Open the debate", Also: "resume continue", Group: screen.Choosing,
			Hint: screen.Say("enter open"), Rank: 3, Run: do(h.open),
		},
		{Shared: "new-debate"},
		{Shared: "start-demo"},
		{Binding: bind("search", "/", "search"), Title: "Search titles and full text", Group: screen.Choosing, Run: do(h.Search)},
		{
			Binding: bind("rename", "r", "rename"), Title: "Rename the debate", Group: screen.Choosing,
			Hint: screen.Say("r rename"), Rank: 6, Run: do(h.rename),
			Why: screen.When(h.noneSelected, screen.NoneSelected),
		},
		{
			Binding: bind("delete", "x", "delete"), Title: "Delete the debate", Group: screen.Choosing,
			Hint: screen.Say("x delete"), Rank: 7, Why: h.noSession, Writes: true, Run: do(h.remove),
		},
		{
			Binding: bind("pause", "space", "pause a running debate"), Title: "Pause the running debate", Group: screen.Choosing,
			Hint: screen.Say("space pause"), Rank: 1, Why: h.noPause, Run: do(func() screen.Outcome {
				s, _ := h.Selected()
				return screen.Outcome{Pause{s.ID}}
			}),
		},
		{
			Binding: bind("undo-delete", "u", "undo delete"), Title: "Restore the deleted debate", Also: "undo undelete",
			Group: screen.Choosing, Run: do(h.undo),
			Why: screen.When(func() bool { return len(h.deleted) == 0 }, "Nothing to restore."),
		},
		h.outcomeKey(),
	}...)
}

// Commands lists the keys of the list.
func (h *Screen) Commands() []screen.Command { return h.commands }

func (h *Screen) open() screen.Outcome {
	s, ok := h.Selected()
	if !ok {
		return screen.Outcome{screen.Press("ctrl+n")}
	}
	return screen.Outcome{OpenSession{s.ID, h.matchToOpen()}}
}

// matchToOpen returns the match that is selected, or the first one of a session whose
// name does not match; nil if there is none.
func (h *Screen) matchToOpen() *Match {
	all := h.matches()
	s, ok := h.Selected()
	switch {
	case !ok || len(all) == 0:
		return nil
	case h.match > 0:
		return &all[h.match-1]
	case ParseQuery(h.Query()).inName(s):
		return nil
	}
	return &all[0]
}

func (h *Screen) noneSelected() bool {
	_, ok := h.Selected()
	return !ok
}

func (h *Screen) noSession() string {
	s, ok := h.Selected()
	if !ok {
		return screen.NoneSelected
	}
	switch h.config.Live(s.ID) {
	case Running, AsksApproval, AsksQuestion, Queued:
		return "This debate runs. Press " + h.config.Keys.Of("pause") + " to pause it first."
	case Open:
		return "This debate is open: esc goes back to it, and " + h.config.Keys.Of("leave") + " leaves it."
	case NotOpen:
	}
	return ""
}

func (h *Screen) noPause() string {
	switch s, _ := h.Selected(); {
	case h.config.Live(s.ID) >= Running:
		return ""
	case s.Running:
		return text.Line(fmt.Sprintf("This debate runs in another Roundtable%s. Pause it there.", s.Holder.Aside()))
	}
	return "Only a debate that runs can be paused."
}

// Search focuses the search field.
func (h *Screen) Search() screen.Outcome {
	h.searching = true
	h.search.Focus()
	return nil
}

// rename asks for the title of the selected session; an empty one changes nothing.
func (h *Screen) rename() screen.Outcome {
	s, _ := h.Selected()
	return screen.Outcome{h.renaming(s.ID, s.Name())}
}

func (h *Screen) renaming(id, name string) screen.Prompt {
	return screen.Prompt{
		Label: "new name >", Text: name, Limit: maxTyped, Hints: []string{"enter rename", "esc cancel"},
		Done: func(title string) screen.Outcome { return h.setTitle(id, title) },
	}
}

// HandleKey types into the search.
func (h *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	switch pressed := msg.String(); {
	case !h.searching:
		return nil
	case pressed == "enter":
		if _, ok := h.Selected(); !ok {
			return nil
		}
		return h.open()
	case pressed == "up":
		h.Move(-1)
	case pressed == "down":
		h.Move(1)
	default:
		return h.typeQuery(msg)
	}
	return nil
}

// typeQuery passes a message to the search field. A changed query is searched for when
// nothing was typed for a moment.
func (h *Screen) typeQuery(msg tea.Msg) screen.Outcome {
	previous := h.search.Value()
	var cmd tea.Cmd
	h.search, cmd = h.search.Update(msg)
	out := screen.Run(cmd)
	if h.search.Value() == previous {
		return out
	}
	h.queryChanged()
	query := h.search.Value()
	return append(out, screen.After(h.ctx, typingPause, screen.Then(func() screen.Outcome { return h.find(query) })))
}

// Paste inserts text into the search.
func (h *Screen) Paste(content string) screen.Outcome {
	if !h.searching {
		return nil
	}
	return h.typeQuery(tea.PasteMsg{Content: text.Line(content)})
}

// Back leaves the search, else clears it, else closes the list.
func (h *Screen) Back() screen.Outcome {
	switch {
	case h.searching:
		h.searching = false
		h.search.Blur()
	case h.search.Value() != "":
		s, _ := h.Selected()
		h.search.SetValue("")
		h.queryChanged()
		h.list.At = h.leadRows() + max(h.indexOf(s.ID), 0)
		h.clampCursor()
	default:
		return screen.Outcome{screen.Close{}}
	}
	return nil
}

// BackHint says what esc does, unless the search has the focus, whose hints say so.
func (h *Screen) BackHint() string {
	switch {
	case h.searching:
	case h.Query() != "":
		return "esc all debates"
	case h.config.Open() != "":
		return "esc debate"
	}
	return ""
}

// Name returns "Debates".
func (h *Screen) Name() string { return "Debates" }

// Title says how many agents are ready, or the way back to the debate.
func (h *Screen) Title(screen.Frame) (left, right []theme.Part) {
	if h.config.Open() != "" {
		return []theme.Part{{Text: " Debates", Style: h.th.Accent}},
			[]theme.Part{{Text: "esc back to the debate", Style: h.th.Muted, Cut: 2}, {Text: " "}}
	}
	sources := ""
	if h.sources != "" {
		sources = " " + h.th.Symbols.Sep + " " + h.sources
	}
	return []theme.Part{{Text: " Roundtable", Style: h.th.Accent}},
		[]theme.Part{{Text: h.ready, Style: h.th.Muted, Cut: 2}, {Text: sources, Style: h.th.Muted, Cut: 1, Whole: true}, {Text: " "}}
}

// TypingHints says how to finish a search.
func (h *Screen) TypingHints() []string {
	if !h.searching {
		return nil
	}
	return []string{"enter open", "esc list", h.th.Symbols.Up + h.th.Symbols.Down + " move", "ctrl+u clear"}
}

// Wheel moves in the list.
func (h *Screen) Wheel(_, _, step, _ int) { h.Move(step) }

// Click selects a row; on the selected row it opens the session.
func (h *Screen) Click(_, y int) screen.Outcome {
	line := h.list.Line(y - headRows)
	if y < headRows || line < 0 || line >= len(h.rowAt) || h.rowAt[line] < 0 {
		return nil
	}
	previous := h.list.At
	h.list.At, h.match = h.rowAt[line], 0
	if h.list.At == previous {
		return h.open()
	}
	return nil
}
