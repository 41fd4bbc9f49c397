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
)

// mostKeys is how many keys a newcomer needs at most from the first start to a verdict,
// besides those that type the question.
const mostKeys = 3

// chatServer answers every question with a vote, and lists its models as OpenAI's servers
// and Ollama do.
func chatServer(t *testing.T) http.Handler {
	models := endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "Tea it is.\n\n```json\n{\"position\": \"Tea.\", \"vote\": \"tea\", \"confidence\": 0.8}\n```\n"}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		twelve := strings.HasPrefix(r.URL.Path, "/twelve")
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/twelve")
		lists := map[string]string{
			"/v1/models": `{"data":[{"id":"small-chat"},{"id":"text-embed"}]}`,
			"/api/tags":  `{"models":[{"name":"qwen3:4b","size":4000000000},{"name":"llama3.1:8b","size":5000000000}]}`,
			"/api/ps":    `{"models":[]}`,
		}
		if twelve {
			lists["/v1/models"] = `{"data":[{"id":"` + strings.Join([]string{
				"llama3.1:8b", "gemma3:12b", "phi4:14b", "qwen3:8b", "mistral:7b", "deepseek-r1:7b",
				"qwen3:4b", "gemma3:4b", "llama3.2:3b", "phi3:3.8b", "qwen2.5:7b", "mistral-nemo:12b",
			}, `"},{"id":"`) + `"}]}`
		}
		if list, ok := lists[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(list))
			return
		}
		models.Config.Handler.ServeHTTP(w, r)
	})
}

// newcomer counts the keys of someone who has never used the program.
type newcomer struct {
	*terminal
	keys int
}

func (n *newcomer) press(keys ...string) {
	n.Helper()
	for _, k := range keys {
		n.send(k)
		n.keys++
	}
}

// debates types a question into the form, starts the debate with a key and waits for its verdict.
func (n *newcomer) debates(t *testing.T, key string) {
	n.Helper()
	n.send("Tea or coffee?")
	n.await("Tea or coffee?")
	n.press(key)
	n.await("tea, 3 of 3")
	if n.keys > mostKeys {
		t.Errorf("%d keys", n.keys)
	}
	t.Logf("%d keys besides the question", n.keys)
	n.send("q")
	n.send("q")
	if code := n.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// nowhere is an address on which nothing listens.
func nowhere(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

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
		"three keys": {
			func(url string) []string {
				return []string{
					"OPENAI_API_KEY=k", "OPENAI_BASE_URL=" + url + "/v1", "MISTRAL_API_KEY=k", "MISTRAL_BASE_URL=" + url + "/v1",
					"GROQ_API_KEY=k", "GROQ_BASE_URL=" + url + "/v1",
				}
			},
			ctrlS,
			[]string{"New debate", "price unknown"},
		},
		"a base URL without a key": {
			func(url string) []string { return []string{"OPENAI_BASE_URL=" + url + "/v1"} },
			enter,
			[]string{"New debate", "small-chat", "One model in three seats", "free, "},
		},
		"a local server": {
			func(url string) []string { return []string{"OLLAMA_HOST=" + url} },
			enter,
			[]string{"New debate", "llama3.1:8b", "One model in three seats", "stays on this machine"},
		},
		"a base URL with twelve models": {
			func(url string) []string { return []string{"OPENAI_BASE_URL=" + url + "/twelve/v1"} },
			enter,
			[]string{"New debate", "free, ", "stays on this machine"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(chatServer(t))
			defer srv.Close()
			env := slices.Concat(home(t), []string{"OLLAMA_HOST=http://" + nowhere(t)}, c.env(srv.URL))
			n := &newcomer{terminal: open(t, env, 100, 40)}
			n.await(c.want...)
			named, err := os.ReadFile(filepath.Join(strings.TrimPrefix(env[1], "HOME="), ".cache/roundtable/lists/found.json"))
			if err != nil || !strings.Contains(string(named), `"step":"`) {
				t.Errorf("the form has not stored what it proposes: %s, %v", named, err)
			}
			n.debates(t, c.key)
		})
	}
}

// Without a model the program says what a question needs, and takes the server that was
// started meanwhile.
func TestFirstStart_findsAServerThatStartsLater(t *testing.T) {
	skipShort(t)
	t.Parallel()
	addr := nowhere(t)
	n := &newcomer{terminal: open(t, append(home(t), "OLLAMA_HOST=http://"+addr), 100, 40)}
	n.await("Start the demo debate", "Without a model, answers to your own topic are scripted.")
	n.press("\x0e")
	n.await("Below is how to get one")
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: chatServer(t)}}
	srv.Start()
	defer srv.Close()
	n.press("R")
	n.await("2 chat models found at Ollama; panel: found, 3 seats.", "llama3.1:8b")
	n.debates(t, enter)
}

// Nothing is sent when a debate may only use this machine, whoever would receive it.
func TestOnlyLocal_namesWhoeverIsElsewhere(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) }))
	defer srv.Close()
	elsewhere := strings.Replace(srv.URL, "127.0.0.1", "localtest.example.com", 1)
	env := append(home(t), "OLLAMA_HOST=http://"+nowhere(t), "OPENAI_API_KEY=k", "OPENAI_BASE_URL="+elsewhere+"/v1")
	out, err := program(t, env, "run", "Tea or coffee?", "--only-local").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "only_local allows nothing but models on this machine") {
		t.Errorf("%v: %s", err, out)
	}
}
