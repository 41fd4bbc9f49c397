//go:build unix

package e2e_test

import (
	"encoding/json"
	"testing"
)

// listed is what `sessions --json` says of a session.
type listed struct{ ID, Topic, Status string }

func sessions(t testing.TB, env []string) []listed {
	t.Helper()
	out, err := program(t, env, "sessions", "--json").Output()
	if err != nil {
		t.Fatalf("sessions --json: %v", err)
	}
	var all []listed
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("sessions --json printed %s: %v", out, err)
	}
	return all
}

// takesKeys is a key hint that is shown while an answer is typed.
const takesKeys = "alt+enter new line"

// entersForm waits for the form that opens by itself after round 1, and goes into it. A key
// that comes too late for that is text, which is deleted.
func (tm *terminal) entersForm() {
	tm.Helper()
	tm.await("Context for round 2", takesKeys)
	tm.send("c")
	tm.send("\x7f")
}

// skipAhead has the demo show the rest of a stage at once.
func (tm *terminal) skipAhead(stage string) {
	tm.Helper()
	tm.await(stage, "> skip ahead")
	tm.send(">")
}
