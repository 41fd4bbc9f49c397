//go:build unix

package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/e2e/endpoint"
)

// exampleConfig writes the configuration as `config init` does, and lets its providers
// be a server on loopback. It returns the environment of the program, its path and the ids of the
// agents in the order of the file.
func exampleConfig(t *testing.T, url string) (env []string, path string, ids []string) {
	t.Helper()
	env = home(t)
	if code, out := headless(t, env, "config", "init"); code != 0 { // without a key it writes the whole example
		t.Fatalf("config init: %s", out)
	}
	env = append(env, "OPENAI_API_KEY=sk-any")
	_, out := headless(t, env, "config", "path")
	path = strings.TrimSpace(out)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	served := regexp.MustCompile(`(?m)^preset = .*$`).ReplaceAll(raw, fmt.Appendf(nil, "$0\nbase_url = %q", url+"/v1"))
	if err := os.WriteFile(path, served, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range regexp.MustCompile(`(?m)^id +=\s+"(\w+)"`).FindAllSubmatch(raw, -1) {
		ids = append(ids, string(id[1]))
	}
	return env, path, ids
}

// headless runs a command and returns its exit code and what it printed.
func headless(t *testing.T, env []string, args ...string) (int, string) {
	t.Helper()
	cmd := program(t, env, args...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

var (
	memberLabel = regexp.MustCompile(`seat \d, (Member \d)`)
	ownLabel    = regexp.MustCompile(`You are (Member \d)`)
)

// scriptedMember answers as a member that knows the format of its block, in the words of
// a language.
func scriptedMember(r endpoint.Request, words string) endpoint.Reply {
	system, prompt := r.Messages[0].Content, r.Messages[1].Content
	if strings.Contains(system, "You are the chair") {
		return endpoint.Reply{Text: "## " + words}
	}
	more := ""
	if strings.Contains(prompt, `"ranking"`) {
		own := ""
		if m := ownLabel.FindStringSubmatch(system); m != nil {
			own = m[1]
		}
		var labels []string
		for _, m := range memberLabel.FindAllStringSubmatch(prompt, -1) {
			if q := fmt.Sprintf("%q", m[1]); m[1] != own && !slices.Contains(labels, q) {
				labels = append(labels, q)
			}
		}
		more = fmt.Sprintf(`, "ranking": [%s]`, strings.Join(labels, ", "))
	}
	if strings.Contains(prompt, `"findings"`) {
		more += `, "findings": [], "judgements": []`
	}
	if strings.Contains(prompt, `"concerns"`) {
		more += `, "concerns": []`
	}
	return endpoint.Reply{Text: fmt.Sprintf("%s\n\n```json\n{\"position\": %q, \"confidence\": 0.7, \"vote\": \"yes\", "+
		"\"vote\": \"yes\"%s}\n```", words, words, more)}
}

// Every mode plays with the configuration that `config init` writes, to a verdict in
// which nobody is missing, whatever the language of the question.
func TestExampleConfig_playsEveryMode(t *testing.T) {
	skipShort(t)
	t.Parallel()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	languages := []struct{ topic, words string }{
		{"Should we move to Postgres?", "We should move."},
		{"Sollen wir auf Postgres umsteigen?", "Wir sollten umsteigen, weil es künftig weniger kostet."},
	}
	for _, m := range all {
		for _, seats := range []int{2, 3, 8} {
			for k, language := range languages {
				t.Run(fmt.Sprint(m.Name, " ", seats, " ", k), func(t *testing.T) {
					t.Parallel()
					srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
						return scriptedMember(r, language.words)
					})
					env, _, ids := exampleConfig(t, srv.URL)
					code, out := headless(t, env, "run", language.topic, "--mode", m.Name, "--agents", strings.Join(ids[:seats], ","), "--json")
					if seats < m.MinSeats {
						if code != 2 || !strings.Contains(out, fmt.Sprintf("takes %d to", m.MinSeats)) {
							t.Errorf("exit code %d for too few seats: %s", code, out)
						}
						return
					}
					if code != 0 || !strings.Contains(out, `"type":"session.completed"`) || !strings.Contains(out, `"incomplete":false`) {
						t.Errorf("exit code %d: %s", code, out)
					}
				})
			}
		}
	}
}

// A configuration of before, whose names are too short to be hidden, is refused with what
// to do; other modes play with it.
func TestExampleConfig_refusesShortNamesWhereTheyAreHidden(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply { return scriptedMember(r, "So.") })
	env, path, _ := exampleConfig(t, srv.URL)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(raw, []byte(`"cleo"`), []byte(`"cy"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"delphi", "council"} {
		code, out := headless(t, env, "run", "So?", "--mode", mode)
		if want := fmt.Sprintf("give that seat a name and an id of at least %d letters", debate.MinNameLength); code != 2 ||
			!strings.Contains(out, `the name "Cy" is too short`) || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d: %s", mode, code, out)
		}
	}
	if n := len(srv.Requests("")); n > 0 {
		t.Errorf("%d calls were made", n)
	}
	if code, out := headless(t, env, "run", "So?", "--rounds", "1", "--json"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
}
