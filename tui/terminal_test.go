package tui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui"
)

// What is meant for the terminal itself reaches it through tmux, too.
func TestTerminal_sequences(t *testing.T) {
	const words = "The debate is waiting for you: a command needs your approval."
	for name, c := range map[string]struct {
		terminal    tui.Terminal
		has, hasNot string
	}{
		"plain": {tui.Terminal{}, "\a\x1b]9;" + words, "\x1bP"},
		"urxvt": {tui.Terminal{Urxvt: true}, "\a\x1b]777;notify;Roundtable;" + words, "\x1b]9;"},
		"tmux":  {tui.Terminal{Tmux: true}, "\a\x1bPtmux;\x1b\x1b]9;" + words, ""},
	} {
		t.Run(name, func(t *testing.T) {
			noted := func(d *tui.Deps, _ *scripted) { d.Notify, d.Terminal = true, c.terminal }
			bubbleWith(t, small, interrupted, noted, func(r *harness, _ *scripted) {
				r.press("y")
				r.wait(time.Second)
				copies := strings.Count(r.wrote.String(), "]52;c;")
				if copies == 0 || (copies > 1) != c.terminal.Tmux {
					t.Errorf("copied %d times", copies)
				}
				r.press("space")
				r.prog.Send(tea.BlurMsg{})
				r.hears(asksToRun("t1", "go", "test"))
				if got := r.wrote.String(); !strings.Contains(got, c.has) || c.hasNot != "" && strings.Contains(got, c.hasNot) {
					t.Errorf("the notification is not %q", c.has)
				}
				r.over(interrupted(), context.Canceled)
			})
		})
	}
}
