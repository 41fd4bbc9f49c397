package tui_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/debate"
)

// What is typed for one seat, or for all, is kept by the store and shown until the
// round begins that tells it.
func TestInterject_goesToTheSeatInFocusAnotherOneOrAll(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("2", "i", "Mind the cost. q x")
		r.sees("to Brook (tab: someone else) > Mind the cost. q x")
		r.press("tab")
		r.sees("to Cy (tab: someone else) > Mind the cost.")
		r.press("tab")
		r.sees("to all (tab: someone else) > Mind the cost.")
		r.press("shift+tab", "esc", "1", "i") // neither the text nor whom it is for is lost
		r.sees("to Cy (tab: someone else) > Mind the cost. q x")
		r.press("backspace", "backspace", "backspace", "backspace", "enter")
		r.sees("To Cy in round 2: Mind the cost.")
		r.did(`tell "cy" Mind the cost.`)
		r.press("i", "shift+tab", "Be brief.")
		script.fails("the disk is full") // what is not saved stays in its field
		r.press("enter")
		r.sees("Cannot save: the disk is full")
		script.fail = nil
		r.press("i")
		r.sees("> Be brief.")
		r.press("enter")
		r.sees("To all in round 2: Be brief.")
		r.did(`tell "" Be brief.`)
		r.ran(0)
		r.press("space")
		if got := len(script.current().session.Interjections); got != 2 {
			t.Errorf("the round begins with %d interjections", got)
		}
	})
}

// During a round it waits for the next; in the last one there is none.
func TestInterject_duringARoundIsForTheNext(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 3) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.speaking(held(3, 1, 3))
		r.wait(time.Second)
		r.press("1", "i", "Mind the cost.", "enter")
		r.sees("To Ada in round 3: Mind the cost.", "writing")
		run.end(s, debate.ErrStopped) // with a session that knows nothing of it
		r.wait(time.Second)
		r.press("space")
		if got := len(script.current().session.Interjections); got != 1 {
			t.Errorf("what was said during the round is lost: %d", got)
		}
	})
}

// A message is kept as it was written, and a key that does not fit says so.
func TestInterject_keepsWhatWasWritten(t *testing.T) {
	const written = "می\u200cخواهم 👩\u200d👩\u200d👧"
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("1", "i")
		r.paste(written)
		r.press("enter")
		r.did(`tell "ada" ` + written)
		r.press("i")
		r.paste(strings.Repeat("字", debate.MaxInterjection))
		r.press("Z")
		r.sees("This text has at most 4,000 characters.")
	})
}
