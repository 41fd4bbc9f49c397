package tui_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// A key that repeats confirms nothing: a question takes the same key, or enter, once no
// key was pressed for a moment.
func TestQuestion_takesAnAnswerAfterAMomentWithoutKeys(t *testing.T) {
	for _, key := range []string{"x", "enter"} {
		inRound2(t, func(r *harness, script *scripted, run *run) {
			r.wait(screen.Settle)
			r.press("1", "x")
			for range 20 {
				r.wait(screen.Settle * 2 / 3)
				r.press("x")
				r.misses("x cancel")
			}
			r.sees("Cancel Ada?")
			r.asks("x cancel · esc back")
			r.asked("")
			r.press(key)
			r.asked("cancel ada")
			r.press("x", "esc")
			r.misses("Cancel Ada?")
			r.confirm("j")
			r.asked("cancel ada")
		})
	}
}

// A choice takes the next key. What costs, ends, quits or approves shows its answers, and takes
// them, once no key was pressed for a moment.
func TestQuestion_holdsWhatCannotBeTakenBack(t *testing.T) {
	for _, row := range []struct {
		when    string // one of moments
		keys    []string
		answers string
		held    bool
	}{
		{"paused", []string{"e"}, "m Markdown · j JSON", false},
		{"verdict", []string{"O"}, "r right · w wrong", false},
		{"streaming, to pause", []string{"space"}, "space now", false},
		{"streaming", []string{"S"}, "S after this round · n now", true},
		{"streaming", []string{"1", "x"}, "x cancel", true},
		{"verdict", []string{"+"}, "+ add", true},
		{"streaming", []string{"s", "q"}, "q quit", true},
		{"streaming", []string{"ctrl+c"}, "ctrl+c quit", true},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := moments()[row.when].begin(t, false, nil)
			defer b.close()
			b.press(row.keys...)
			if row.held {
				b.misses(row.answers)
				b.wait(screen.Settle)
			}
			b.sees(row.answers)
		})
	}
}

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
