package tui_test

import (
	"strings"
	"testing"

	"roundtable/debate"
)

// A question of 230 characters can be read on every screen of its session, at any size,
// also after a rename.
func TestQuestion_isReadableOnEveryScreen(t *testing.T) {
	question := "Given that billing runs on one Postgres instance with nightly dumps and a single engineer on call, and that " +
		"auditors ask for point in time recovery by March, should we move its ledger to SQLite with WAL shipping in this quarter, or wait?"
	renamed := func() debate.Session {
		s := concluded()
		s.Topic, s.Title = question, "Billing"
		s.Notices = []debate.Notice{{Text: "Statements were shortened.", At: at(0)}} // so that there is a tool log
		return s
	}
	words := func(r *harness) string {
		return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╭", " ", "╰", " ").Replace(r.screen())), " ")
	}
	bubble(t, renamed, func(r *harness, _ *scripted) {
		for _, size := range [][2]int{{80, 24}, {140, 40}} {
			r.resized(size[0], size[1])
			for _, keys := range [][]string{{}, {"t"}, {"v"}} {
				r.press(keys...)
				r.press("Q")
				if got := words(r); !strings.Contains(got, "Topic "+question) {
					t.Errorf("at %v after %v:\n%s", size, keys, r.screen())
				}
				r.press("esc")
				if strings.Contains(r.screen(), "Tool log") {
					r.press("esc")
				}
			}
			if strings.Contains(r.screen(), "▸Verdict") {
				r.press("esc")
			}
			r.press("v", "g")
			if got := words(r); size[0] == 80 && !strings.Contains(got, "Topic "+question) {
				t.Errorf("at %v it does not stand at the head of the verdict:\n%s", size, r.screen())
			}
			r.press("esc")
		}
		r.sees("  Given that billing runs on one Postgres")
		r.resized(100, 32)
		r.sees("Q shows it all")
	})
}

// The topic is once on a screen, in the top line or below it. However long it is, the top
// line keeps the round and the sides.
func TestTopic_isShownOnce(t *testing.T) {
	long := "Should a small team with " + strings.Repeat("a very old ", 20) + "database use SQLite?"
	for _, topic := range []string{"Should billing move?", long} {
		bubble(t, func() debate.Session {
			s := concluded()
			s.Topic = topic
			return s
		}, func(r *harness, _ *scripted) {
			for _, size := range [][2]int{{80, 24}, {140, 40}} {
				r.resized(size[0], size[1])
				for _, key := range []string{"esc", "v"} { // the debate and the verdict
					r.press(key)
					if n := strings.Count(r.screen(), topic[:16]); n != 1 {
						t.Errorf("at %v the topic is %d times on the screen:\n%s", size, n, r.screen())
					}
					top, _, _ := strings.Cut(r.screen(), "\n")
					if !strings.Contains(top, "round 4 of 4") || !strings.Contains(top, "yes") {
						t.Errorf("at %v the top line lost the round or the sides: %q", size, top)
					}
				}
			}
		})
	}
}
