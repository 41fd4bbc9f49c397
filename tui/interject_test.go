package tui_test

import (
	"errors"
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
		r.press("i")
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

func TestInterject_saysWhyItIsTooLate(t *testing.T) {
	bubble(t, concluded, func(r *harness, _ *scripted) {
		r.press("esc", "i")
		r.sees("The debate has ended. Press + to add a round.")
	})
	bubble(t, func() debate.Session { return held(3, 2, 2) }, func(r *harness, _ *scripted) {
		r.press("i")
		r.sees("This is the last round. Press + to add one")
	})
}

// The verdict names an answer that its asker passed over.
func TestVerdict_namesAnAnswerThatItsAskerPassesOver(t *testing.T) {
	ignored := func() debate.Session {
		s := concluded()
		s.History[2].Responses[2].Statement.ContextUsed = nil
		return s
	}
	bubble(t, ignored, func(r *harness, _ *scripted) {
		r.press("G")
		r.sees("Cy asked for C1 but did not use the answer in round 3.")
		r.press("esc")
		r.press("3", "z")
		r.sees("! Asked for C1 but did not use the answer.")
	})
	bubble(t, concluded, func(r *harness, _ *scripted) {
		r.press("G")
		r.misses("did not use")
	})
}
