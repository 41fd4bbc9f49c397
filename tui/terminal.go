package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
)

// Terminal says what stands between the program and the screen, as far as it is known.
type Terminal struct {
	Tmux, Screen bool // a multiplexer that passes on what is wrapped for it
	Urxvt        bool // notifications are those of urxvt (OSC 777), not of iTerm2 (OSC 9)
	Progress     bool // it shows progress (OSC 9;4), which others take for a notification
}

// pass returns a sequence so that it reaches the terminal behind a multiplexer, too.
func (t Terminal) pass(seq string) string {
	switch {
	case t.Tmux:
		return ansi.TmuxPassthrough(seq)
	case t.Screen:
		return ansi.ScreenPassthrough(seq, 0)
	}
	return seq
}

// notify returns the sequence that shows a notification, after a bell.
func (t Terminal) notify(words string) string {
	seq := ansi.Notify(words)
	if t.Urxvt {
		seq = ansi.URxvtExt("notify", "Roundtable", words)
	}
	return "\a" + t.pass(seq)
}

// copy returns the command that puts a text into the clipboard. A multiplexer may take it
// for its own clipboard, pass it on, or both, by its settings; so it is sent in both ways.
func (t Terminal) copy(s string) tea.Cmd {
	set := tea.SetClipboard(s)
	if !t.Tmux && !t.Screen {
		return set
	}
	return tea.Batch(set, tea.Raw(t.pass(ansi.SetSystemClipboard(s))))
}

// progress returns how far the open debate is, for the terminal's own progress bar; nil
// where there is none.
func (t Terminal) progress(st *stack) *tea.ProgressBar {
	if !t.Progress || st.open == nil {
		return nil
	}
	s := st.open.debate.Session()
	if s.Verdict != nil || s.Rounds == 0 || len(s.Seats) == 0 {
		return nil
	}
	done := 0
	for _, r := range s.History {
		for _, p := range s.Seats {
			if tries := r.AttemptsOf(p.ID); !r.Ended.IsZero() || len(tries) > 0 && tries[len(tries)-1].HasStatement() {
				done++
			}
		}
	}
	percent := 100 * done / (s.Rounds*len(s.Seats) + 1) // the verdict is the last step
	switch {
	case st.running():
		return tea.NewProgressBar(tea.ProgressBarDefault, percent)
	case s.Status() == debate.NeedsContext:
		return tea.NewProgressBar(tea.ProgressBarWarning, percent)
	}
	return nil
}
