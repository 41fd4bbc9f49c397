package tui_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui"
)

// An emoji of several characters is one only where the terminal answered mode 2027, and
// joined letters stay joined everywhere: each row has the terminal's width as it counts cells.
func TestView_drawsGroupsAsTheTerminalDoes(t *testing.T) {
	const family, persian = "👩\u200d👩\u200d👧", "می\u200cخواهم"
	words := []string{family, persian, "ශ්\u200dරී", "🇩🇪", "👍🏽", "❤️", "🏳️\u200d🌈", "1️⃣", "a\u200db", "\u200d", "plain", "世界"}
	seen := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(40) {
			random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test
			mess := func() string {
				var b strings.Builder
				for range 1 + random.IntN(12) {
					b.WriteString(words[random.IntN(len(words))] + strings.Repeat(" ", random.IntN(2)))
				}
				return b.String()
			}
			for name, session := range map[string]debate.Session{"verdict": concluded(), "form": gate(), "panes": used()} {
				w := 60 + random.IntN(90)
				m := newModel(t, w, 30, storing(poisoned(session, mess)), tui.Start{Session: billing})
				width := ansi.StringWidthWc
				if seed%2 == 0 {
					m.Update(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
					width = ansi.StringWidth
				}
				for _, key := range []string{"", "tab", "z", "Q", "j"} {
					if key != "" {
						m.Update(keyOf(key))
					}
					for i, row := range strings.Split(m.View().Content, "\n") {
						if n := width(row); n != w {
							t.Fatalf("%s, seed %d, after %q: row %d has %d cells, want %d: %q", name, seed, key, i, n, w, row)
						}
						seen[fmt.Sprint("family ", seed%2 == 0)] += strings.Count(row, family)
						seen[fmt.Sprint("persian ", seed%2 == 0)] += strings.Count(row, persian)
					}
				}
			}
		}
	})
	if seen["family true"] == 0 || seen["family false"] != 0 || seen["persian true"] == 0 || seen["persian false"] == 0 {
		t.Errorf("drawn with groups and without: %v", seen)
	}
}
