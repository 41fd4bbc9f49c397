package tui_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/charmbracelet/x/ansi"

	"roundtable/debate"
	"roundtable/tui"
)

// An emoji of several characters falls apart, and joined letters stay joined: each row has the
// width of the terminal however that counts cells.
func TestView_takesTheSameCellsOnEveryTerminal(t *testing.T) {
	const family, persian = "👩\u200d👩\u200d👧", "می\u200cخواهم"
	words := []string{family, persian, "ශ්\u200dරී", "🇩🇪", "👍🏽", "❤️", "🏳️\u200d🌈", "1️⃣", "a\u200db", "\u200d", "plain", "世界"}
	joined := 0
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(10) {
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
				for _, key := range []string{"", "tab", "z", "Q", "j"} {
					if key != "" {
						m.Update(keyOf(key))
					}
					for i, row := range strings.Split(m.View().Content, "\n") {
						if n, alone := ansi.StringWidth(row), ansi.StringWidthWc(row); n != w || alone != w {
							t.Fatalf("%s, seed %d, after %q: row %d has %d or %d cells, want %d: %q", name, seed, key, i, n, alone, w, row)
						}
						joined += strings.Count(row, persian)
					}
				}
			}
		}
	})
	if joined == 0 {
		t.Error("no joined letters are drawn")
	}
}
