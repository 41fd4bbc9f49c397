package home

import (
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// Compare asks the shell to compare two sessions.
type Compare struct{ First, Second string }

// compareKey marks a session, and on a second one compares the two.
func (h *Screen) compareKey() screen.Command {
	return screen.Command{
		Binding: screen.Bind(screen.Keys("="), "=", "compare two sessions"), Title: "Compare this session with another",
		Group: screen.Choosing, Why: func() string {
			if _, ok := h.Selected(); !ok {
				return "No session is selected."
			}
			return ""
		},
		Hint: func() string {
			if h.marked != "" {
				return "= compare with the marked one"
			}
			return ""
		},
		Rank: 3, Run: screen.Do(h.mark),
	}
}

// mark marks the selected session for a comparison; if another one is marked, the two are
// compared, and the mark goes.
func (h *Screen) mark() screen.Outcome {
	s, _ := h.Selected()
	first := h.marked
	h.marked = ""
	switch first {
	case s.ID:
		return screen.Tell(screen.Info, "The mark is gone.")
	case "":
		h.marked = s.ID
		name := text.Clip(text.Line(s.Name()), 40)
		return screen.Advise(screen.Info, "Marked: "+name, "= on another session compares the two.")
	}
	return screen.Outcome{screen.ClearNotice{}, Compare{first, s.ID}}
}
