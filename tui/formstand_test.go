package tui_test

import (
	"testing"
	"time"

	"roundtable/debate"
)

// What the form says of the next round is true wherever the debate stands: amid a
// round, at the gate, and when the verdict is written while it is open.
func TestForm_saysWhatComesNextWhereverTheDebateStands(t *testing.T) {
	const never = "An answer now waits for another round: + on the verdict."
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		script.sessions[billing] = gate()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c")
		r.sees("Round 3 can start once round 2 is done.")
		r.typeText("42 writes/s")
		r.send()
		r.wait(time.Second)
		r.sees("✓ Saved. Round 3 can start once round 2 is done.")
		r.misses("later round")

		run.end(script.sessions[billing], nil)
		r.wait(time.Second)
		r.sees("enter starts round 3 with 1 answer, 1 optional open", "Context for round 3")
		r.misses("later round:", "Saved.")
		r.send()
		r.wait(time.Second)

		run = script.current()
		r.press("c")
		r.sees("Round 3 can start once round 2 is done.")
		run.events <- debate.Concluding{Profile: panel(1)[0], At: time.Now()}
		r.wait(time.Second)
		r.sees("Context · after the last round", never)
		done := concluded()
		run.events <- debate.Concluded{Session: done, At: time.Now()}
		run.end(done, nil)
		r.wait(time.Second)
		r.sees("Context · after the last round", "round 5 with 1 answer, ")
		r.press("esc")
		r.sees("✓ Yes, 2 of 3; no 1")
	})
}

// A round that was cut off is not over: the form records, and starts nothing.
func TestForm_onlyRecordsWhileTheRoundIsNotOver(t *testing.T) {
	bubble(t, func() debate.Session {
		s := interrupted()
		s.Requests = gate().Requests
		return s
	}, func(r *harness, script *scripted) {
		r.press("c")
		r.sees("Round 3 can start once round 2 is done.")
		r.misses("End now", "blocked")
		r.typeText("42")
		r.send()
		r.wait(time.Second)
		r.sees("✓ Saved. Round 3 can start once round 2 is done.")
		if !script.did("answer C1 42") || len(script.runs) > 0 {
			t.Errorf("%q, %d runs", script.calls, len(script.runs))
		}
	})
}

func TestForm_isEndedFromThePalette(t *testing.T) {
	bubble(t, gate, func(r *harness, script *scripted) {
		choose := func(name string) {
			r.press("ctrl+p")
			r.typeText(name)
			r.press("enter")
		}
		r.wait(2 * time.Second)
		r.typeText("half")
		choose("end the debate")
		r.asks("End now? The chair writes the verdict without C1. enter end · esc back")
		r.press("esc")
		r.sees("Context for round 3", "half")
		choose("end the debate")
		r.confirm("enter")
		r.wait(time.Second)
		if !script.did("stop user") || !script.did("conclude") || !script.did("draft C1 half") {
			t.Errorf("%q", script.calls)
		}
	})
}
