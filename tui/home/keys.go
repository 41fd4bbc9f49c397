package home

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Effects that the shell carries out besides those of package screen.
type (
	// OpenSession opens a session, at a match if there is one.
	OpenSession struct {
		ID    string
		Match *Match
	}
	// Renamed says that a session has another title.
	Renamed struct{ ID, Title string }
	// NewDebate shows the form of a new debate.
	NewDebate struct{}
)

// keys lists what the user can do on the list.
func (h *Screen) keys() []screen.Command {
	k, bind, do := screen.Keys, screen.Bind, screen.Do
	return append(screen.MoveKeys(h.Move, h.Page), []screen.Command{
		{
			Binding: bind(k("enter"), "enter", "open"), Title: "Open the session", Also: "resume continue", Group: screen.Choosing,
			Hint: screen.Say("enter open"), Rank: 3, Run: do(h.open),
		},
		{Shared: screen.NewDebate},
		{Shared: screen.StartDemo},
		{Binding: bind(k("/"), "/", "search"), Title: "Search titles and full text", Group: screen.Choosing, Run: do(h.Search)},
		{
			Binding: bind(k("r"), "r", "rename"), Title: "Rename the session", Group: screen.Choosing,
			Hint: h.renameHint, Rank: 6, Why: h.noRename, Run: do(h.Rename),
		},
		{
			Binding: bind(k("x"), "x", "delete"), Title: "Delete the session", Group: screen.Choosing,
			Hint: screen.Say("x delete"), Rank: 7, Why: h.noSession, Writes: true, Run: do(h.remove),
		},
		{
			Binding: bind(k("u"), "u", "undo delete"), Title: "Restore the deleted session", Also: "undo undelete",
			Group: screen.Choosing, Why: h.noUndo,
			Run: do(h.undo),
		},
		h.compareKey(),
	}...)
}

// Commands lists the keys of the list.
func (h *Screen) Commands() []screen.Command { return h.commands }

// open opens the selected session, or the form of a new debate if none is selected.
func (h *Screen) open() screen.Outcome {
	s, ok := h.Selected()
	if !ok {
		return screen.Outcome{NewDebate{}}
	}
	return screen.Outcome{OpenSession{s.ID, h.matchToOpen()}}
}

func (h *Screen) noSession() string {
	s, ok := h.Selected()
	if !ok {
		return "No session is selected."
	}
	if open, _ := h.config.Open(); open == s.ID {
		return "This session is open. Press q to leave it first."
	}
	return ""
}

func (h *Screen) noUndo() string {
	if len(h.deleted) == 0 {
		return "Nothing to restore."
	}
	return ""
}

// Search focuses the search field.
func (h *Screen) Search() screen.Outcome {
	h.searching = true
	h.search.Focus()
	return nil
}

// renameHint names the key while a session is selected.
func (h *Screen) renameHint() string {
	if _, ok := h.Selected(); !ok {
		return ""
	}
	return "r rename"
}

func (h *Screen) noRename() string {
	if len(h.shown) == 0 {
		return "There is no session to rename."
	}
	return ""
}

// Rename opens a text field for the name of the selected session, or of the first one
// while none is selected.
func (h *Screen) Rename() screen.Outcome {
	if _, ok := h.Selected(); !ok && len(h.shown) > 0 {
		h.Select(h.all[h.shown[0]].ID)
	}
	if s, ok := h.Selected(); ok {
		h.renaming, h.match = s.ID, 0
		h.name.SetValue(text.Line(s.Name()))
		h.name.CursorEnd()
		h.name.Focus()
	}
	return nil
}

// HandleKey types into the search or into a name.
func (h *Screen) HandleKey(msg tea.KeyPressMsg) screen.Outcome {
	switch pressed := msg.String(); {
	case !h.Typing():
		return nil
	case h.renaming != "" && pressed == "enter":
		return h.saveName()
	case h.renaming != "":
		return h.typeName(msg)
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

// typeName passes a message to the field of the name.
func (h *Screen) typeName(msg tea.Msg) screen.Outcome {
	var cmd tea.Cmd
	h.name, cmd = h.name.Update(msg)
	return screen.Run(cmd)
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
	return append(out, screen.After(h.ctx, typingPause, searchMsg{h.search.Value()}))
}

// Paste inserts text into the search or into a name.
func (h *Screen) Paste(content string) screen.Outcome {
	msg := tea.PasteMsg{Content: text.Line(content)}
	switch {
	case h.renaming != "":
		return h.typeName(msg)
	case h.searching:
		return h.typeQuery(msg)
	}
	return nil
}

// Back leaves the text field, else clears the search, else closes the list.
func (h *Screen) Back() screen.Outcome {
	switch {
	case h.renaming != "":
		h.renaming = ""
		h.name.Blur()
	case h.searching:
		h.searching = false
		h.search.Blur()
	case h.search.Value() != "":
		s, _ := h.Selected()
		h.search.SetValue("")
		h.queryChanged()
		h.cursor = h.leadRows() + max(h.indexOf(s.ID), 0)
		h.clampCursor()
	default:
		return screen.Outcome{screen.Close{}}
	}
	return nil
}

// BackHint says what esc does, unless a text field has the focus, whose hints say so.
func (h *Screen) BackHint() string {
	open, _ := h.config.Open()
	switch {
	case h.Typing():
	case h.Query() != "":
		return "esc all sessions"
	case open != "":
		return "esc debate"
	}
	return ""
}

// Newest returns when the newest session was changed.
func (h *Screen) Newest() (at time.Time, ok bool) {
	for _, s := range h.all {
		if s.Updated.After(at) {
			at = s.Updated
		}
	}
	return at, len(h.all) > 0
}

// Name returns "Sessions".
func (h *Screen) Name() string { return "Sessions" }

// Title says how many agents are ready, or the way back to the debate.
func (h *Screen) Title(screen.Frame) (left, right []theme.Part) {
	if open, _ := h.config.Open(); open != "" {
		return []theme.Part{{Text: " Sessions", Style: h.th.Accent}},
			[]theme.Part{{Text: "esc back to the debate", Style: h.th.Muted, Cut: 2}, {Text: " "}}
	}
	sources := ""
	if h.sources != "" {
		sources = " " + h.th.Symbols.Sep + " " + h.sources
	}
	return []theme.Part{{Text: " Roundtable", Style: h.th.Accent}},
		[]theme.Part{{Text: h.ready, Style: h.th.Muted, Cut: 2}, {Text: sources, Style: h.th.Muted, Cut: 1, Whole: true}, {Text: " "}}
}

// TypingHints says how to finish a name or a search.
func (h *Screen) TypingHints() []string {
	switch {
	case h.renaming != "":
		return []string{"enter rename", "esc cancel"}
	case h.searching:
		return []string{"enter open", "esc list", h.th.Symbols.Up + h.th.Symbols.Down + " move", "ctrl+u clear"}
	}
	return nil
}

// Wheel moves in the list, unless a name is typed, which would stay behind.
func (h *Screen) Wheel(_, _, step, _ int) {
	if h.renaming == "" {
		h.Move(step)
	}
}

// Click selects a row; on the selected row it opens the session.
func (h *Screen) Click(_, y int) screen.Outcome {
	line := h.viewport.Line(y - headRows)
	if y < headRows || line < 0 || line >= len(h.rowAt) || h.rowAt[line] < 0 || h.renaming != "" {
		return nil
	}
	previous := h.cursor
	h.cursor, h.match = h.rowAt[line], 0
	if h.cursor == previous {
		return h.open()
	}
	return nil
}
