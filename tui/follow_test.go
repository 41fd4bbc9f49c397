package tui_test

import (
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// The focus follows what happens until the user chooses a seat; esc gives it back, and
// leaves the debate after that.
func TestFocus_followsWhatHappens(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.sees("▸3 Cy") // asks
		r.press("2")
		run.events <- debate.TurnRetrying{Turn: turn("ada", 2), Retry: agents.Retry{Cause: "busy", Try: 1, Of: 3, In: time.Second}, At: time.Now()}
		r.wait(time.Second)
		r.sees("▸2 Brook", "esc follow")
		r.press("esc")
		r.sees("▸3 Cy")
		r.press("k")
		run.say("ada", "more")
		r.wait(time.Second)
		r.press("esc", "esc")
		r.sees("+ New debate", "+1 running")
	})
}

// Where they take turns, the seat that writes has the focus, and the verdict streams by
// itself while nobody has chosen a seat.
func TestFocus_followsTheOneThatWrites(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		bubble(t, func() debate.Session {
			s := held(3, 1, 4)
			s.Mode.Order = debate.Sequential
			return s
		}, func(r *harness, script *scripted) {
			r.press("space")
			run := script.current()
			next := run.session
			next.History = append(next.History[:1:1], debate.Round{Number: 2, Began: time.Now(), Manifest: started(next, 2)})
			run.events <- debate.RoundStarted{Session: next, Round: 2, At: time.Now()}
			run.events <- debate.TurnStarted{Turn: turn("brook", 2), At: time.Now()}
			r.wait(time.Second)
			r.sees("▸2 Brook")
			if chosen {
				r.press("1")
			}
			run.events <- debate.Concluding{Profile: agents.Profile{Name: "Brook"}, At: time.Now()}
			r.wait(time.Second)
			if chosen {
				r.sees("▸1 Ada", "v: watch")
				return
			}
			r.sees("▸Verdict")
		})
	}
}
