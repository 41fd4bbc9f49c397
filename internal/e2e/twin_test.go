//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

// askingAlike answers as members that ask for the same in other words.
func askingAlike(r endpoint.Request) endpoint.Reply {
	queries := map[string]string{"m1": "How many writes per second do you have?", "m2": "How many writes do you have per second?"}
	if strings.Contains(r.Messages[1].Content, "round 1 of 2") && r.Last().Role != "tool" {
		return endpoint.Reply{Call: fmt.Sprintf(`{"query":%q,"reason":"it decides","priority":"required"}`, queries[r.Model])}
	}
	return endpoint.Reply{Text: "So says " + r.Model + "."}
}

func TestTwin_isNamedAndJoinedByCommands(t *testing.T) {
	skipShort(t)
	t.Parallel()
	srv := endpoint.New(t, askingAlike)
	env, config := home(t), panelOf(t, srv.URL, 2)
	code, out := headless(t, env, "--config", config, "run", "Is it so?")
	id := regexp.MustCompile(`Debate (\w+)`).FindStringSubmatch(out)
	if code != 3 || id == nil {
		t.Fatalf("exit code %d: %s", code, out)
	}
	hint := fmt.Sprintf("  Looks like C1: `roundtable --config %s join %s C2 C1` joins them.", config, id[1])
	if n := strings.Count(out, hint); n != 1 {
		t.Errorf("the twin is named %d times:\n%s", n, out)
	}
	if _, out = headless(t, env, "answer", id[1], "C1", "--text", "42"); !strings.Contains(out, "1 required left: C2.\nC2 looks like C1: ") {
		t.Errorf("answer says: %s", out)
	}
	if code, out = headless(t, env, "join", id[1], "c1", "c2"); code == 0 || !strings.Contains(out, "Nothing was saved.") {
		t.Errorf("what has an answer is joined: %s", out)
	}
	if code, out = headless(t, env, "join", id[1], "c2", "c1"); code != 0 || !strings.Contains(out, "C2 joined to C1. No required question is open.") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if _, out = headless(t, env, "requests", id[1]); !strings.Contains(out, "C2, joined to C1:") {
		t.Errorf("requests: %s", out)
	}
	_, out = headless(t, env, "requests", id[1], "--json")
	var requests []struct {
		State    string
		Agents   []string
		JoinedTo string `json:"joined_to"`
	}
	if err := json.Unmarshal([]byte(out), &requests); err != nil || len(requests) != 2 || len(requests[0].Agents) != 2 ||
		requests[1].JoinedTo != "C1" || requests[1].State != "withdrawn" {
		t.Errorf("%v: %s", err, out)
	}
	if code, out = headless(t, env, "--config", config, "continue", id[1]); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	given := 0
	for _, r := range srv.Requests("m2") {
		if prompt := r.Messages[1].Content; strings.Contains(prompt, "round 2 of 2") && strings.Contains(prompt, "[C1]") {
			given++
		}
	}
	if given != 1 {
		t.Errorf("who asked C2 is given the answer to C1 %d times", given)
	}
	if _, out = headless(t, env, "export", id[1], "--format", "md", "-o", "-"); !strings.Contains(out, "### C2 · required · joined to C1") {
		t.Errorf("export: %s", out)
	}
}
