//go:build unix

package e2e_test

import (
	"regexp"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

// A new debate is told of earlier ones on its topic. One that is named as a file is evidence,
// with the outcome that was known then.
func TestEarlier_comesBackAsEvidence(t *testing.T) {
	skipShort(t)
	t.Parallel()
	srv := endpoint.New(t, func(endpoint.Request) endpoint.Reply { return endpoint.Reply{Text: yes} })
	env, config := home(t), seatedAt(t, srv.URL, "[context]\nask_again = false\n", "", 2)
	debated := func(topic string, more ...string) (out string) {
		t.Helper()
		code, out := headless(t, env, append([]string{"--config", config, "run", topic, "--question", "yes-no", "--rounds", "1"}, more...)...)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, out)
		}
		return out
	}
	out := debated("Should billing move to SQLite?")
	id := regexp.MustCompile(`Debate (\w+)`).FindStringSubmatch(out)
	if id == nil || strings.Contains(out, "Earlier debate") {
		t.Fatal(out)
	}
	debated("Should we hire a designer?")
	if code, out := headless(t, env, "outcome", id[1], "wrong", "--note", "two writers"); code != 0 {
		t.Fatal(out)
	}
	line := "Earlier debate " + id[1] + " of "
	outcome := "Outcome: wrong; right was no (two writers); from a command."
	out = debated("Is SQLite good enough for the billing service?")
	if strings.Count(out, line) != 1 || strings.Count(out, outcome) != 1 || !strings.Contains(out, "`--file debate:"+id[1]+"` lets the seats read it.") {
		t.Errorf("it is not named once:\n%s", out)
	}
	for _, r := range srv.Requests("") {
		if strings.Contains(r.Raw, line) {
			t.Fatal("it is attached by itself")
		}
	}
	if out := debated("Is SQLite good enough for the billing service?", "--quiet"); strings.Contains(out, line) {
		t.Errorf("--quiet names it:\n%s", out)
	}
	out = debated("Is SQLite good enough for the billing service?", "--file", "debate:"+id[1][:6])
	if strings.Contains(out, "`--file debate:"+id[1]) {
		t.Errorf("it is offered although it is attached:\n%s", out)
	}
	sent := srv.Requests("")
	if raw := sent[len(sent)-2].Raw; !strings.Contains(raw, "[F1] debate "+id[1]) || !strings.Contains(raw, line) || !strings.Contains(raw, outcome) {
		t.Errorf("the seats do not read it:\n%s", raw)
	}
	for path, want := range map[string]string{
		"debate:zzzzzzzzzz": "No debate",
		"debate:":           "too short",
		"debate:../../x":    "not a debate id",
	} {
		code, out := headless(t, env, "--config", config, "run", "So?", "--file", path)
		if code != 2 || !strings.Contains(out, want) || !strings.Contains(out, "Nothing was changed.") {
			t.Errorf("%s: exit code %d: %s", path, code, out)
		}
	}
}
