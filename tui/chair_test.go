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
		r.misses("x: retry", "✗ failed")
	})
}
