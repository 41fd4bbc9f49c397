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
)

// Whatever keys are pressed on whatever screen, every frame has exactly the
// terminal's size, and nothing panics.
func TestMonkey_everyFrameIsExact(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	keys := strings.Fields(
		"tab shift+tab 1 2 9 z j k d u g G [ ] / n N space x + c t v o e y s ? : ctrl+p ctrl+s ctrl+x ctrl+o esc enter up down left right pgup pgdown backspace a m h r w q",
	)
	scenes := map[string]func() debate.Session{
		"gate":    gate,
		"verdict": concluded,
		"resumed": interrupted,
		"tools":   used,
		"eight":   func() debate.Session { return held(8, 1, 3) },
	}
	for name, scene := range scenes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(7, uint64(len(name))))
				script := storing(scene())
				deps := script.deps()
				deps.Start.Session = billing
				w, h := 80, 24
				r := start(t, w, h, deps)
				defer r.stop()
				begun := 0
				for range 80 {
					if random.IntN(25) == 0 {
						w, h = 40+random.IntN(120), 10+random.IntN(40)
						r.prog.Send(tea.WindowSizeMsg{Width: w, Height: h})
						r.wait(time.Millisecond)
					}
					key := keys[random.IntN(len(keys))]
					if strings.Contains(r.screen(), "q home · esc back") || strings.Contains(r.screen(), "q quit") && key == "q" {
						key = "esc" // the monkey must not leave
					}
					r.press(key)
					r.wait(time.Duration(random.IntN(200)) * time.Millisecond)
					for ; begun < len(script.runs); begun++ {
						finish(r, script.runs[begun])
						script.runs[begun].speaking(held(len(script.runs[begun].session.Seats), 1, 4))
					}
					lines := strings.Split(r.last.Load().Content, "\n")
					if len(lines) != h {
						t.Fatalf("%d rows of %d after %q:\n%s", len(lines), h, key, r.screen())
					}
					for _, l := range lines {
						if n := ansi.StringWidth(l); n != w {
							t.Fatalf("%d cells of %d after %q: %q in\n%s", n, w, key, ansi.Strip(l), r.screen())
						}
					}
				}
			})
		})
	}
}
