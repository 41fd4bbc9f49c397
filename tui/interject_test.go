package tui_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
)

// What is typed for one seat, or for all, is kept by the store and shown until the
// round begins that tells it.
func TestInterject_goesToTheSeatInFocusAnotherOneOrAll(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("2", "i")
		r.typeText("Mind the cost. q x")
		r.sees("to Brook (tab: someone else) > Mind the cost. q x")
		r.press("tab")
		r.sees("to Cy (tab: someone else) > Mind the cost.")
		r.press("tab")
		r.sees("to all (tab: someone else) > Mind the cost.")
		r.press("shift+tab", "esc", "1", "i") // neither the text nor whom it is for is lost
		r.sees("to Cy (tab: someone else) > Mind the cost. q x")
		r.press("backspace", "backspace", "backspace", "backspace", "enter")
		r.sees("To Cy in round 2: Mind the cost.")
		if !script.did(`tell "cy" Mind the cost.`) {
			t.Errorf("%q", script.calls)
		}
		r.press("i", "shift+tab")
		r.typeText("Be brief.")
		r.press("enter")
		r.sees("To all in round 2: Be brief.")
		if !script.did(`tell "" Be brief.`) || len(script.runs) > 0 {
			t.Errorf("%q, %d runs", script.calls, len(script.runs))
		}
		r.press("space")
		r.wait(time.Second)
		if got := len(script.current().session.Interjections); got != 2 {
			t.Errorf("the round begins with %d interjections", got)
		}
	})
}

func TestInterject_thatCannotBeSavedKeepsItsText(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("i", "enter")
		if len(script.calls) > 1 {
			t.Errorf("nothing was typed, and it asked for %q", script.calls)
		}
		script.fail = errors.New("the disk is full")
		r.press("i")
		r.typeText("Mind the cost.")
		r.press("enter")
		r.sees("Cannot save: the disk is full.")
		script.fail = nil
		r.press("i")
		r.sees("to Ada (tab: someone else) > Mind the cost.")
		r.press("enter")
		r.sees("To Ada in round 2: Mind the cost.")
	})
}

// During a round it waits for the next; in the last one there is none.
func TestInterject_duringARoundIsForTheNext(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 3) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.speaking(held(3, 1, 3))
		r.wait(time.Second)
		r.press("1", "i")
		r.typeText("Mind the cost.")
		r.press("enter")
		r.sees("To Ada in round 3: Mind the cost.", "writing")
		run.end(s, debate.ErrStopped) // with a session that knows nothing of it
		r.wait(time.Second)
		r.press("space")
		r.wait(time.Second)
		if got := len(script.current().session.Interjections); got != 1 {
			t.Errorf("what was said during the round is lost: %d", got)
		}
	})
}

// The key opens its prompt at any time, and the prompt says what enter does, so that no
// part of a sentence is taken for commands.
func TestInterject_isTakenAtAnyTime(t *testing.T) {
	for name, c := range map[string]struct {
		session func() debate.Session
		keys    []string
		note    string
		calls   []string
	}{
		"after the last round": {
			func() debate.Session { return held(3, 2, 2) }, nil, "There is no later round: this is kept for the one that you add.",
			[]string{"tell \"ada\" Mind the cost, please."},
		},
		"after the verdict": {
			concluded,
			[]string{"esc"},
			"There is no later round: this is kept for the one that you add.",
			[]string{"tell \"ada\" Mind the cost, please."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, c.session, func(r *harness, script *scripted) {
				r.press(c.keys...)
				r.press("i")
				r.sees(c.note)
				r.typeText("Mind the cost, please.")
				r.sees("Mind the cost, please.")
				r.press("enter")
				r.wait(time.Second)
				for _, call := range c.calls {
					if !script.did(call) {
						t.Errorf("%q is not among %q", call, script.calls)
					}
				}
			})
		})
	}
}

// What follows a key that can do nothing is no command, until no key was pressed for a
// moment.
func TestRefusedKey_runsNoSentence(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		before := len(script.calls)
		r.press("v") // no verdict yet
		r.typeText(" ery well, export it + pause")
		r.sees("No verdict yet")
		if n := len(script.calls); n != before || len(script.runs) > 0 {
			t.Errorf("the sentence did %q", script.calls[before:])
		}
		r.press("", "?")
		r.sees("Keys · Debate")
	})
}

// A message is kept as it was written, and a key that does not fit says so.
func TestInterject_keepsWhatWasWritten(t *testing.T) {
	const written = "می\u200cخواهم 👩\u200d👩\u200d👧"
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("1", "i")
		r.paste(written)
		r.press("enter")
		if !script.did(`tell "ada" ` + written) {
			t.Errorf("%q", script.calls)
		}
		r.press("i")
		r.paste(strings.Repeat("字", debate.MaxInterjection))
		r.press("Z")
		r.sees("This text has at most 4,000 characters.")
	})
}
