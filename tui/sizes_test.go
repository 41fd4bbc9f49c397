package tui_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui"
)

// Whatever sizes a terminal takes on, in whatever order and while text streams:
// every frame has the size of the last one, and when the terminal is again what
// it was, so is the screen.
func TestSize_anyFrameIsExactAndTheFirstComesBack(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{
		{0, 0}, {1, 0}, {0, 1}, {1, 1}, {20, 5}, {39, 12}, {40, 9}, {40, 10}, {79, 24}, {80, 25}, {119, 29}, {121, 31}, {40, 300}, {1000, 10},
	}
	random := rand.New(rand.NewPCG(11, 13))
	for range 4 {
		sizes = append(sizes, [2]int{random.IntN(260), random.IntN(90)})
	}
	for name, x := range map[string]struct {
		session func() debate.Session
		keys    string
	}{
		"home": {gate, "s"}, "form": {gate, ""}, "debate": {interrupted, "1"}, "zoom": {interrupted, "z"}, "verdict": {concluded, ""}, "log": {used, "t"},
		"receipt": {used, "p"}, "approvals": {interrupted, "A"}, "question": {interrupted, "Q"},
		"fork": {answered, "F"}, "fork answer": {answered, "F enter"}, "follow-up": {concluded, "a"},
		"help": {interrupted, "?"}, "palette": {interrupted, ":"}, "search": {interrupted, "/"}, "eight that write": {func() debate.Session { return held(8, 1, 4) }, "space"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := storing(x.session())
				m := newModel(t, 100, 30, script, tui.Start{Session: billing})
				for _, key := range strings.Fields(x.keys) {
					_, cmd := m.Update(keyOf(key))
					if key == "p" || key == "t" {
						drive(m, cmd)
					}
				}
				write := func() {}
				if name == "eight that write" {
					write = writing(m, 8)
				}
				write()
				time.Sleep(2 * time.Second) // the form listens
				before := m.View().Content
				for _, size := range sizes {
					w, h := size[0], size[1]
					m.Update(tea.WindowSizeMsg{Width: w, Height: h})
					content := m.View().Content
					if w < 40 || h < 10 {
						if lines := strings.Split(content, "\n"); len(lines) > max(h, 1) || ansi.StringWidth(lines[0]) > max(w, 0) {
							t.Fatalf("at %dx%d it shows\n%s", w, h, ansi.Strip(content))
						}
						continue
					}
					checkScreen(t, m, w, h, name)
				}
				m.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
				if after := m.View().Content; after != before {
					t.Errorf("afterwards it shows\n%s\nand showed\n%s", ansi.Strip(after), ansi.Strip(before))
				}
			})
		})
	}
}

// writing begins the second round of a debate and returns what has every seat
// write some more.
func writing(m *tui.Model, seats int) func() {
	s := held(seats, 1, 4)
	s.History = append(s.History, debate.Round{Number: 2, Manifest: started(s, 2)})
	events := []debate.Event{debate.RoundStarted{Session: s, Round: 2, At: time.Now()}}
	for _, p := range s.Seats {
		events = append(events, debate.TurnStarted{Turn: turn(p.ID, 2), Profile: p, At: time.Now()})
	}
	m.Update(tui.Gathered(m, events...))
	return func() {
		var more []debate.Event
		for _, p := range s.Seats {
			more = append(
				more,
				debate.Text{
					Turn: turn(p.ID, 2),
					Text: "One writer is enough, and **a backup** becomes a file copy.\n\n- 請求システム\n- `go test`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n",
				},
			)
		}
		m.Update(tui.Gathered(m, more...))
	}
}
