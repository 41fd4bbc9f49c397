//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// listener is a server that keeps everything that it was sent.
type listener struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string // method, address and body of each request
}

func listen(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	model := endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "Yes.\n\n```json\n{\"position\": \"Yes.\", \"vote\": \"yes\"}\n```"}
	})
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		l.mu.Lock()
		l.sent = append(l.sent, r.Method+" "+r.URL.String()+r.Host+" "+string(raw))
		l.mu.Unlock()
		if r.Method == http.MethodGet && r.URL.Path == "/v1/models" {
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		model.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(l.Close)
	return l
}

// heard returns the requests since it was called last that hold a text.
func (l *listener) heard(text string) (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.sent {
		if strings.Contains(r, text) {
			all = append(all, r)
		}
	}
	l.sent = nil
	return all
}

// What belongs to a debate is sent to the servers of its panel and to nobody else. Servers
// that are configured or found are asked for their lists of models, with nothing else, by the
// commands that show them, and by none if the config says so.
func TestRecipients_areThePanelAndForListsWhatIsFound(t *testing.T) {
	t.Parallel()
	const question = "Should the canary 7f3d9a1c move?"
	one, two, other, elsewhere := listen(t), listen(t), listen(t), listen(t)
	all := []*listener{one, two, other, elsewhere}
	env := append(home(t), "HTTPS_PROXY="+elsewhere.URL, "OPENAI_API_KEY=sk-0123456789abcdefghij", "OLLAMA_HOST="+other.URL)
	text := ""
	for i, l := range all[:3] {
		text += fmt.Sprintf("[providers.p%[1]d]\nbase_url = %[2]q\n[[agents]]\nid = \"m%[1]d\"\nprovider = \"p%[1]d\"\nmodel = \"m\"\n", i, l.URL+"/v1")
	}
	text += "[panels.default]\nagents = [\"m0\", \"m1\"]\n"
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	asks, silent := write("asks.toml", text), write("silent.toml", "[defaults]\nask_lists = false\n"+text)
	play := func(args ...string) []byte {
		t.Helper()
		cmd := program(t, env, args...)
		cmd.Dir = folder // of exports
		out, err := cmd.Output()
		if err != nil && !slices.Contains(args, "doctor") && !slices.Contains(args, "run") {
			t.Errorf("%s: %v", args, err)
		}
		return out
	}
	play("--config", asks, "run", question, "--rounds", "1")
	if len(other.heard("")) > 0 || len(elsewhere.heard("")) > 0 {
		t.Error("a debate was sent to others than its panel")
	}
	if one.heard("7f3d9a1c") == nil || two.heard("7f3d9a1c") == nil {
		t.Error("the panel was not asked")
	}
	var stored []struct{ ID string }
	if err := json.Unmarshal(play("sessions", "--json"), &stored); err != nil || len(stored) != 1 {
		t.Fatal(err, stored)
	}
	for _, quiet := range [][]string{
		{"sessions"},
		{"show", stored[0].ID},
		{"export", stored[0].ID},
		{"mcp"},
		{"--config", silent, "models"},
		{"--config", silent, "agents"},
		{"--config", silent, "doctor"},
	} {
		if quiet[0] != "--config" {
			quiet = append([]string{"--config", asks}, quiet...)
		}
		play(quiet...)
		for i, l := range all {
			if heard := l.heard("/models"); len(heard) > 0 {
				t.Errorf("%s asks server %d: %q", quiet, i, heard)
			}
		}
	}
	for _, loud := range [][]string{{"models"}, {"models", "--refresh"}, {"doctor"}} {
		play(append([]string{"--config", asks}, loud...)...)
		for i, l := range all[:3] {
			heard := l.heard("")
			if !slices.ContainsFunc(heard, func(r string) bool { return strings.HasPrefix(r, "GET /v1/models") }) ||
				slices.ContainsFunc(heard, func(r string) bool { return strings.Contains(r, "7f3d9a1c") || strings.HasPrefix(r, "POST") }) {
				t.Errorf("%s: server %d heard %q", loud, i, heard)
			}
		}
	}
	play("--config", asks, "models")
	for i, l := range all[:3] {
		if heard := l.heard(""); len(heard) > 0 {
			t.Errorf("asked twice in a day: server %d heard %q", i, heard)
		}
	}
	elsewhere.heard("")
	play("agents") // without a config: the server of the key that is set
	if heard := elsewhere.heard(""); len(heard) == 0 || slices.ContainsFunc(heard, func(r string) bool {
		return !strings.HasPrefix(r, "CONNECT") || !strings.Contains(r, "api.openai.com:443")
	}) {
		t.Errorf("without a config: %q", heard)
	}
}
