package tui_test

import (
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// What the chair writes is shown while it comes, to its last character, and no
// sequence gets through for being cut in two.
func TestVerdict_isShownWhileItIsWritten(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 4, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		chair := agents.Turn{Session: billing, Round: 4, Step: debate.VerdictStep, Attempt: 1, Agent: "brook"}
		run.events <- debate.Concluding{Turn: chair, Profile: panel(2)[1], At: time.Now()}
		for _, piece := range []string{"## Conclu", "sion\nMove it", ", \x1b]52;c;", "eA==\aat on", "ce"} {
			run.events <- debate.Text{Turn: chair, Text: piece}
			r.wait(100 * time.Millisecond)
		}
		r.press("v")
		r.sees("Brook · claude-sonnet is writing it", "Conclusion", "Move it, at once ")
		r.misses("52;c", "eA==")
	})
}

// A chair that fails is told of without a key to press, and leaves its seat's
// answer and the round as they are.
func TestVerdict_tellsOfAChairThatFails(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 4, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		chair := agents.Turn{Session: billing, Round: 4, Step: debate.VerdictStep, Attempt: 1, Agent: "brook"}
		run.events <- debate.Concluding{Turn: chair, Profile: panel(2)[1], At: time.Now()}
		run.events <- debate.TurnEnded{At: time.Now(), Response: debate.Response{
			Turn: chair, State: debate.TurnFailed, Failure: &debate.TurnFailure{Cause: "It refused the key."},
		}}
		r.wait(100 * time.Millisecond)
		r.sees("The chair Brook failed: It refused the key.")
		r.misses("R: retry", "✗ failed")
	})
}

// chairWaits has a chair of its own begin the verdict, which its provider lets wait.
func (r *run) chairWaits(retry agents.Retry) agents.Turn {
	chair := agents.Turn{Session: billing, Round: 3, Step: debate.VerdictStep, Attempt: 1, Agent: "zed"}
	r.events <- debate.Concluding{Turn: chair, Profile: agents.Profile{ID: "zed", Name: "Zed", Model: "opus"}, At: time.Now()}
	r.events <- debate.TurnRetrying{Turn: chair, Retry: retry, At: time.Now()}
	return chair
}

var busyChair = agents.Retry{Cause: "openai rate-limited us (429).", Try: 1, Of: 3, In: 50 * time.Second}

// A chair that must wait says so on each screen, with a countdown, and the keys agree: r asks
// it at once, space twice pauses, and x says what does.
func TestVerdict_saysThatTheChairMustWait(t *testing.T) {
	bubble(t, func() debate.Session {
		s := held(3, 3, 3)
		s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "opus"}
		return s
	}, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		chair := run.chairWaits(busyChair)
		r.wait(9100 * time.Millisecond)
		r.sees("↻ Zed must wait, retry 1 of 3 in 41 s", "↻ The chair must wait, retry 1 of 3 in 41 s.", "Zed · opus must wait",
			"↻ openai rate-limited us (429).", "Retry 1 of 3 in 41 s · R: ask now · space: pause", "R ask now",
			"Zed: openai rate-limited us (429). Retry 1 of 3.")
		r.misses("is writing the verdict", "is writing it")
		r.wait(10 * time.Second)
		r.sees("↻ Zed must wait, retry 1 of 3 in 31 s", "Retry 1 of 3 in 31 s")
		r.press("x", "")
		r.sees("The chair cannot be cancelled. Press space twice to pause now.")
		r.press("R")
		r.press("esc")
		r.sees("↻ Zed must wait, retry 1 of 3 in 31 s")
		r.press("space")
		r.asks("Pause now? Zed must wait before it writes the verdict.")
		r.press("esc", "R", "v")
		if got, want := run.wasAsked(), "now zed, now zed"; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
		run.events <- debate.TurnQueued{Turn: chair}
		r.wait(time.Second)
		r.sees("Zed is writing the verdict", "Zed · opus is writing it")
		r.misses("must wait", "rate-limited", "R ask now")
		r.press("R")
		r.sees("Zed is not waiting for its provider.")
	})
}

// A run that is paused while the chair works leaves no screen of a verdict behind.
func TestVerdict_isLeftWhenTheChairIsPaused(t *testing.T) {
	for name, waits := range map[string]bool{"writes": false, "waits": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func() debate.Session { return held(3, 3, 3) }, func(r *harness, script *scripted) {
				r.press("space")
				run := script.current()
				chair := run.chairWaits(busyChair)
				doing := "must wait before it writes the verdict"
				if !waits {
					run.events <- debate.TurnQueued{Turn: chair}
					doing = "is writing the verdict"
				}
				r.wait(time.Second)
				r.press("space")
				r.asks("Pause now? Zed "+doing+". All answers are saved; the verdict is written on resume.", "space now")
				r.press("space")
				run.end(held(3, 3, 3), debate.ErrStopped)
				r.wait(time.Second)
				r.sees("Paused after round 3, the last one.", "space: write the verdict.")
				r.misses("Zed")
			})
		})
	}
}

// The user cancels the answer of a member, of which what has come stays, and asks the same again.
func TestFollowUp_isCancelledAndAskedAgain(t *testing.T) {
	bubble(t, concluded, func(r *harness, script *scripted) {
		answers := r.asksChair(script)
		r.wait(time.Second)
		r.sees("You asked Brook", "What is left to fear?", "The report job", "x cancel")
		r.press("a")
		r.sees("Brook is still answering")
		r.typeText("qx")
		r.press("enter") // asks nothing
		r.wait(time.Second)
		r.press("a", "ctrl+u", "esc")
		r.wait(time.Second)
		r.press("x")
		run := script.current()
		if got := run.wasAsked(); got != "cancel brook" {
			t.Errorf("asked %q", got)
		}
		cancelled := debate.Response{
			Turn: answers, State: debate.TurnCancelled, Ended: time.Now(), Passages: []debate.Passage{{Text: "The report job"}},
			Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Cancelled by you."},
		}
		s := concluded()
		s.FollowUps = []debate.FollowUp{{Question: "What is left to fear?", Response: cancelled}}
		run.events <- debate.FollowUpEnded{FollowUp: s.FollowUps[0], At: time.Now()}
		run.end(s, nil)
		r.wait(time.Second)
		r.sees("Cancelled by you.", "a: ask again", "Partial text, not used:")
		r.press("a")
		r.sees("ask the chair (tab: someone else) > What is left to fear?")
		r.press("tab", "tab")
		r.sees("ask Brook (tab: someone else) > What is left to fear?")
		r.press("enter")
		if !script.did(`ask "brook" What is left to fear?`) {
			t.Errorf("%q", script.calls)
		}
	})
}

// The verdict of the demo leads to a topic of one's own.
func TestVerdict_ofTheDemo(t *testing.T) {
	bubble(t, func() debate.Session {
		s := concluded()
		s.Seats = demonstrated().Seats
		return s
	}, func(r *harness, _ *scripted) { r.sees("Demo · ", "demo: no model", "ctrl+n own topic") })
}

// What the banner and a pane say of a wait for a provider ends with that wait, although
// nothing else happens.
func TestBanner_followsTheClock(t *testing.T) {
	waiting := func() debate.Session {
		s := interrupted()
		s.History[1].Responses[2].WaitUntil = time.Now().Add(150 * time.Second)
		return s
	}
	bubble(t, waiting, func(r *harness, _ *scripted) {
		until := time.Now().Add(150*time.Second - time.Second).Format("15:04")
		r.wait(140 * time.Second)
		r.sees("Paused in round 2: a provider asked to wait until "+until+".", "Ada and Brook have answered.", "space: wait for Cy",
			"Its provider asked to wait until "+until+".", "space go on")
		r.wait(10 * time.Second)
		r.sees("Paused. Roundtable stopped at", "space: continue with Cy", "space go on")
		r.misses("asked to wait")
	})
}
