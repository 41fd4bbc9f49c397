package debate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func TestMode_ofAnOlderSessionIsPlayedAsItWas(t *testing.T) {
	const stored = `{"name":"adversarial","summary":"s","use":"u","min_seats":2,"max_seats":8,"rounds":2,"order":"sequential",
		"roles":[{"name":"proponent","stance":"yes","brief":"For."},{"name":"opponent","stance":"no","brief":"Against."}],
		"rules":"r","first":"f","later":"l","last":"z","asking":"a","decision":"vote"}`
	var m debate.Mode
	if err := json.Unmarshal([]byte(stored), &m); err != nil {
		t.Fatal(err)
	}
	if err := m.Validate(); err != nil {
		t.Error(err)
	}
	if steps := m.Steps([]agents.ID{"a", "b", "c"}, 1, 2); len(steps) != 3 || steps[2].Phase != "" || m.Sees() != debate.SeesSeats {
		t.Errorf("steps %+v, sees %s", steps, m.Sees())
	}
	if r, _ := m.RoleOf(3, 3); r.Name != "proponent" {
		t.Errorf("seat 3 is %q", r.Name)
	}
	again, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(again), "visibility") || strings.Contains(string(again), "phases") {
		t.Errorf("what it did not say is said now: %s", again)
	}
}
