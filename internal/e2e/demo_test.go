//go:build unix

package e2e_test

import (
	"encoding/json"
	"testing"
)

// listed is what `sessions --json` says of a session.
type listed struct {
	ID      string `json:"id"`
	Topic   string `json:"topic"`
	Status  string `json:"status"`
	Pending int    `json:"pending"`
}

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

// What is typed into the form is there again after the program was killed.
func TestForm_typedTextSurvivesKill(t *testing.T) {
	skipShort(t)
	t.Parallel()
	env := home(t)
	tm := open(t, env, 80, 24)
	tm.await("Start the demo debate")
	tm.send(enter)
	tm.skipAhead("They answer blind")
	tm.entersForm()
	tm.await("required", "How many servers write")
	tm.send(startRow)
	tm.await("C1 needs an answer")
	tm.send("a week of work, seen within a day")
	tm.await("a week of work", "draft saved")
	tm.kill()

	all := sessions(t, env)
	if len(all) != 1 || all[0].Status != "needs_context" || all[0].Pending != 1 {
		t.Fatalf("after the kill: %+v", all)
	}
	tm = open(t, env, 80, 24, "resume", all[0].ID[:6])
	tm.await("a week of work", takesKeys)
}
