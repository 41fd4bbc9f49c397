package tui_test

import (
	"context"
	"testing"
	"time"

	"roundtable/debate"
)

// S ends the debate amid a round once it is confirmed.
func TestEnd_amidARoundAsksOnce(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		r.press("S")
		r.asks("End after round 2 with a verdict? S after this round · n now")
		r.press("n")
		r.sees("End now? The chair writes the verdict without unfinished answers.")
		if got := run.wasAsked(); got != "" {
			t.Errorf("asked %q before the answer", got)
		}
		r.confirm("enter")
		if got := run.wasAsked(); got != "end " {
			t.Errorf("asked %q", got)
		}
		run.end(s, context.Canceled)
	})
}

// Without an answer there is nothing that a chair could write of.
func TestEnd_beforeAnybodyHasAnswered(t *testing.T) {
	bubble(t, func() debate.Session { return session(3, 2) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := session(3, 2)
		s.History = []debate.Round{{Number: 1, Began: time.Now(), Manifest: started(s, 1)}}
		run.events <- debate.RoundStarted{Session: s, Round: 1, At: time.Now()}
		r.wait(time.Second)
		r.press("S")
		r.confirm("n")
		r.sees("End now? Nobody has answered, so no chair")
		ada := debate.Response{
			Turn: turn("ada", 1), State: debate.TurnDone, Began: time.Now(), Ended: time.Now(),
			Statement: debate.Statement{Position: "Move.", Body: "Move."},
		}
		run.events <- debate.TurnEnded{Response: ada, At: time.Now()}
		r.wait(time.Second)
		r.sees("End now? The chair writes the verdict without unfinished answers.")
		run.end(s, context.Canceled)
	})
}

// A pause reaches the run, which must not begin the verdict.
func TestPause_reachesTheRun(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		r.press("space")
		if !run.paused.Load() {
			t.Error("the run does not pause")
		}
		r.press("space")
		r.asks("space now · k keep going")
		r.press("k")
		if run.paused.Load() {
			t.Error("the run pauses")
		}
		run.end(s, context.Canceled)
	})
}

// A command that cannot be carried out is answered.
func TestRefused_isShown(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		run.events <- debate.Refused{Agent: "ada", Text: "Ada has already finished; there is nothing to cancel.", At: time.Now()}
		r.wait(time.Second)
		r.sees("Ada has already finished; there is nothing to cancel.")
		run.end(s, context.Canceled)
	})
}

// The question of the next round stays in its prompt when the rest of a round is played.
func TestFocus_staysWhileTheRestOfARoundIsPlayed(t *testing.T) {
	bubble(t, brokenOff, func(r *harness, script *scripted) {
		r.press("f")
		r.typeText("Who pays?")
		r.press("enter")
		r.press("space")
		run := script.current()
		run.events <- debate.RoundStarted{Session: brokenOff(), Round: 2, At: time.Now()}
		r.wait(time.Second)
		r.press("f")
		r.sees("Who pays?")
		r.press("esc")
		run.end(brokenOff(), context.Canceled)
	})
}
