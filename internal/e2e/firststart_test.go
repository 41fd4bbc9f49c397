//go:build unix

package e2e_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// chatServer answers every question with a vote, and lists its models as OpenAI's servers
// and Ollama do.
func chatServer(t *testing.T) http.Handler {
	models := endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "Tea it is.\n\n```json\n{\"position\": \"Tea.\", \"vote\": \"tea\", \"confidence\": 0.8}\n```\n"}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lists := map[string]string{
			"/v1/models": `{"data":[{"id":"small-chat"},{"id":"text-embed"}]}`,
			"/api/tags":  `{"models":[{"name":"qwen3:4b","size":4000000000},{"name":"llama3.1:8b","size":5000000000}]}`,
			"/api/ps":    `{"models":[]}`,
		}
		if list, ok := lists[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(list))
			return
		}
		models.Config.Handler.ServeHTTP(w, r)
	})
}

// debates types a question into the form, starts the debate with a key and waits for its verdict.
func debates(tm *terminal, key string) {
	tm.Helper()
	tm.press("Tea or coffee?", "Tea or coffee?")
	tm.press(key, "tea, 3 of 3")
	tm.leaves("q", "q")
}

// nowhere is an address on which nothing listens.
func nowhere(t *testing.T) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}

// One key beside the question leads a newcomer to a verdict.
func TestFirstStart_leadsToAVerdict(t *testing.T) {
	skipShort(t)
	t.Parallel()
	for name, c := range map[string]struct {
		env  func(url string) []string
		key  string // what starts: enter where the price is known
		want []string
	}{
		"one key": {
			func(url string) []string { return []string{"OPENAI_API_KEY=k", "OPENAI_BASE_URL=" + url + "/v1"} },
			ctrlS,
			[]string{"New debate", "Ada small-chat", "price unknown"},
		},
		"a local server": {
			func(url string) []string { return []string{"OLLAMA_HOST=" + url} },
			enter,
			[]string{"New debate", "llama3.1:8b", "One model in three seats", "stays on this machine"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(chatServer(t))
			defer srv.Close()
			env := slices.Concat(home(t), []string{"OLLAMA_HOST=http://" + nowhere(t)}, c.env(srv.URL))
			tm := open(t, env, 100, 40)
			tm.await(c.want...)
			named, err := os.ReadFile(filepath.Join(variable(env, "HOME"), ".cache/roundtable/lists/found.json"))
			if err != nil || !strings.Contains(string(named), `"step":"`) {
				t.Errorf("the form has not stored what it proposes: %s, %v", named, err)
			}
			debates(tm, c.key)
		})
	}
}

// Without a model the program says what a question needs, and takes the server that was
// started meanwhile.
func TestFirstStart_findsAServerThatStartsLater(t *testing.T) {
	skipShort(t)
	t.Parallel()
	addr := nowhere(t)
	tm := open(t, append(home(t), "OLLAMA_HOST=http://"+addr), 100, 40)
	tm.await("Start the demo debate", "Without a model, answers to your own topic are scripted.")
	tm.press("\x0e", "Below is how to get one")
	l := must.Get(net.Listen("tcp", addr))(t)
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: chatServer(t)}}
	srv.Start()
	defer srv.Close()
	tm.press("R", "2 chat models found at Ollama; panel: found, 3 seats.", "llama3.1:8b")
	debates(tm, enter)
}
