package tui_test

import (
	"testing"

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

// A key of a choice is no answer either while keys come fast: who types a sentence does
// not export the debate.
func TestQuestion_isNotAnsweredByTyping(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, _ *scripted) {
		r.press("e", "m")
		r.misses("Wrote")
		r.asks("Export as: m Markdown · j JSON · h HTML")
	})
}
