package tui_test

import (
	"testing"
	"testing/synctest"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// A key that repeats confirms nothing: a question takes the same key, or enter, once no
// key was pressed for a moment.
func TestQuestion_takesAnAnswerAfterAMomentWithoutKeys(t *testing.T) {
	for _, key := range []string{"x", "enter"} {
		bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
			r.press("space")
			run := script.current()
			run.speaking(held(3, 1, 4))
			r.wait(screen.Settle)
			r.press("1", "x")
			for range 20 {
				r.wait(screen.Settle * 2 / 3)
				r.press("x")
				r.misses("x cancel")
			}
			r.sees("Cancel Ada?")
			r.asks("x cancel · esc back")
			if got := run.wasAsked(); got != "" {
				t.Errorf("the repeated key did %s", got)
			}
			r.press(key)
			if got := run.wasAsked(); got != "cancel ada" {
				t.Errorf("%s did %q", key, got)
			}
			r.press("x")
			r.press("esc")
			r.misses("Cancel Ada?")
			r.confirm("j")
			if got := run.wasAsked(); got != "cancel ada" {
				t.Errorf("esc did %q", got)
			}
			finish(r, run)
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
