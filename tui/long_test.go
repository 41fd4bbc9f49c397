package tui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
)

// longAnswers returns a debate whose answers are so long that they are laid out in parts.
func longAnswers() debate.Session {
	s := gate()
	for _, r := range s.History {
		for i := range r.Responses {
			x := &r.Responses[i]
			x.Statement.Body = strings.Repeat("```json\n{\"a\": 1}\n```\n\nWords of no **meaning**.\n\n", 10_000)
			x.Passages = []debate.Passage{{Text: x.Statement.Body}}
		}
	}
	return s
}

func TestQuit_whileALongAnswerIsLaidOut(t *testing.T) {
	bubble(t, longAnswers, func(r *harness, _ *scripted) {
		r.wait(2 * time.Second)
		r.misses("laying out")
		r.prog.Send(tea.WindowSizeMsg{Width: 120, Height: 40})
		r.wait(time.Millisecond)
		r.sees("laying out")
		r.press("?")
		r.sees("laying out")
		r.press("esc", "ctrl+c")
		r.quit.Do(r.ended)
		if !strings.Contains(r.screen(), "laying out") {
			t.Errorf("it waited for the end of the layout:\n%s", r.screen())
		}
	})
}
