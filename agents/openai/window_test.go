package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// windowed is a server that has a window, and answers requests for it.
type windowed struct {
	mu       sync.Mutex
	answers  map[string]string                                 // by path
	count    func(prompt int) (counted int, more string)       // of the prompt's estimated tokens
	asked    []string                                          // paths besides the completions
	prompts  int                                               // completions
	loaded   func(prompts int, path, answer string) (a string) // replaces an answer; may be nil
	estimate int                                               // of the prompt
}

func (s *windowed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	io.Copy(io.Discard, r.Body) // what is left unread would reset the connection
	if r.URL.Path == "/v1/chat/completions" {
		s.prompts++
		counted, more := s.count(s.estimate)
		usage := fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":2%s}}`, counted, more)
		events(w, stream(content("Yes."), stop, usage, done))
		return
	}
	s.asked = append(s.asked, r.URL.Path)
	answer, ok := s.answers[r.URL.Path]
	if s.loaded != nil {
		answer = s.loaded(s.prompts, r.URL.Path, answer)
	}
	if !ok {
		w.WriteHeader(http.StatusNotFound)
	}
	io.WriteString(w, answer)
}

// prompt returns a request of about n tokens.
func prompt(model string, n int) agents.Request {
	return agents.Request{Model: model, Messages: []agents.Message{{Role: agents.User, Text: strings.Repeat("debate ", n)}}}
}

// cutOf sends a prompt and returns how it was cut.
func (s *windowed) cutOf(t *testing.T, c *openai.Client, req agents.Request) *agents.PromptCut {
	t.Helper()
	s.mu.Lock()
	s.estimate = req.Tokens()
	s.mu.Unlock()
	return ask(t, t.Context(), c, req).Cut
}

func (s *windowed) client(t *testing.T, preset string) *openai.Client {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return client(t, openai.Config{Preset: preset, BaseURL: srv.URL + "/v1"}, openai.Options{Rand: noBackoff})
}

const (
	ollamaRuns4096 = `{"models":[{"name":"llama3.1:latest","model":"llama3.1:latest","context_length":4096}]}`
	ollamaRunsNone = `{"models":[]}`
	llamaCpp2048   = `{"default_generation_settings":{"n_ctx":2048},"total_slots":4}`
	lmStudio8192   = `{"data":[{"id":"m","state":"loaded","loaded_context_length":8192,"max_context_length":131072}]}`
	vllm4096       = `{"data":[{"id":"other","max_model_len":99},{"id":"m","max_model_len":4096}]}`
	router         = `{"data":[{"id":"m","context_length":200000,"top_provider":{"context_length":131072}}]}`
)

func TestWindow_isAskedOfTheServerOnce(t *testing.T) {
	for _, tt := range []struct {
		name, preset, model string
		answers             map[string]string
		want                int
		asked               []string
	}{
		{"Ollama, loaded", "ollama", "llama3.1", map[string]string{"/api/ps": ollamaRuns4096}, 4096, []string{"/api/ps"}},
		{"Ollama, not loaded", "ollama", "llama3.1", map[string]string{"/api/ps": ollamaRunsNone}, 0, []string{"/api/ps", "/api/ps", "/api/ps"}},
		{"llama.cpp", "llamacpp", "m", map[string]string{"/props": llamaCpp2048}, 2048, []string{"/props"}},
		{"LM Studio", "lmstudio", "m", map[string]string{"/api/v0/models": lmStudio8192}, 8192, []string{"/api/v0/models"}},
		{"vLLM", "vllm", "m", map[string]string{"/v1/models": vllm4096}, 4096, []string{"/v1/models"}},
		{"OpenRouter", "openrouter", "m", map[string]string{"/v1/models": router}, 131072, []string{"/v1/models"}},
		{"without an answer", "ollama", "m", nil, 0, []string{"/api/ps"}},
		{"of an unknown server", "", "m", nil, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &windowed{answers: tt.answers}
			c := s.client(t, tt.preset)
			for range 3 {
				if got := c.Window(t.Context(), tt.model); got != tt.want {
					t.Errorf("got a window of %d, want %d", got, tt.want)
				}
			}
			if !slices.Equal(s.asked, tt.asked) {
				t.Errorf("asked %q, want %q", s.asked, tt.asked)
			}
		})
	}
}

func TestCut_isNoticed(t *testing.T) {
	for _, tt := range []struct {
		name, preset string
		answers      map[string]string
		count        func(int) (int, string)
		want         agents.PromptCut
	}{
		{
			"by Ollama", "ollama",
			map[string]string{"/api/ps": ollamaRuns4096},
			func(int) (int, string) { return 4096, "" },
			agents.PromptCut{Server: "Ollama", Read: 4096, Remedy: "Raise OLLAMA_CONTEXT_LENGTH, or the num_ctx of the model."},
		},
		{
			"by ik_llama.cpp", "llamacpp",
			map[string]string{"/props": llamaCpp2048},
			func(int) (int, string) { return 1779, `,"prompt_tokens_details":{"cached_tokens":0}` },
			agents.PromptCut{Server: "llama.cpp", Read: 1779, Remedy: "Start the server with a larger --ctx-size, or with fewer slots."},
		},
		{
			"by llama.cpp", "llamacpp",
			map[string]string{"/props": llamaCpp2048},
			func(int) (int, string) { return 2047, "" },
			agents.PromptCut{Server: "llama.cpp", Read: 2047, Remedy: "Start the server with a larger --ctx-size, or with fewer slots."},
		},
		{
			"by LM Studio, which does not count", "lmstudio",
			map[string]string{"/api/v0/models": lmStudio8192},
			func(int) (int, string) { return 0, "" },
			agents.PromptCut{Server: "LM Studio", Read: 8192, Remedy: "Load the model with a larger context length."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &windowed{answers: tt.answers, count: tt.count}
			c := s.client(t, tt.preset)
			model := map[bool]string{true: "llama3.1", false: "m"}[tt.preset == "ollama"]
			for n := range 5 {
				req := prompt(model, 15_000+100*n)
				tt.want.Estimate = req.Tokens()
				if got := s.cutOf(t, c, req); got == nil || *got != tt.want {
					t.Errorf("prompt %d: got %+v, want %+v", n, got, tt.want)
				}
			}
		})
	}
}

func TestCut_isNoticedOfAModelThatIsLoadedByItsFirstPrompt(t *testing.T) {
	s := &windowed{
		answers: map[string]string{"/api/ps": ollamaRunsNone, "/api/show": `{}`},
		count:   func(int) (int, string) { return 4096, "" },
		loaded: func(prompts int, path, answer string) string {
			if prompts > 0 && path == "/api/ps" {
				return ollamaRuns4096
			}
			return answer
		},
	}
	c := s.client(t, "ollama")
	if got := c.Window(t.Context(), "llama3.1"); got != 0 {
		t.Errorf("a window of %d before the model is loaded", got)
	}
	if s.cutOf(t, c, prompt("llama3.1", 15_000)) == nil {
		t.Error("the cut was not noticed")
	}
	if got := c.Window(t.Context(), "llama3.1"); got != 4096 {
		t.Errorf("a window of %d after that, want 4096", got)
	}
}

func TestCut_isNotNoticedWhereAllWasRead(t *testing.T) {
	for _, tt := range []struct {
		name, preset string
		answers      map[string]string
		count        func(prompt int) (int, string)
	}{
		{"all was counted", "", nil, func(n int) (int, string) { return n * 8 / 10, "" }},
		{"nothing was counted", "", nil, func(int) (int, string) { return 0, "" }},
		{"much was cached", "", nil, func(n int) (int, string) {
			return n, fmt.Sprintf(`,"prompt_tokens_details":{"cached_tokens":%d}`, n-10)
		}},
		{"what was cached is not in the count", "", nil, func(n int) (int, string) {
			return 600, fmt.Sprintf(`,"cache_read_input_tokens":%d`, n-600)
		}},
		{
			"what was cached is not in the count of a server with a window", "llamacpp",
			map[string]string{"/props": `{"default_generation_settings":{"n_ctx":32768}}`},
			func(int) (int, string) { return 600, "" },
		},
		{"a server that refuses what it cannot read", "vllm", map[string]string{"/v1/models": vllm4096}, func(n int) (int, string) { return n * 8 / 10, "" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &windowed{answers: tt.answers, count: tt.count}
			c := s.client(t, tt.preset)
			for n := range 5 {
				if got := s.cutOf(t, c, prompt("m", 4600+1000*n)); got != nil {
					t.Errorf("prompt %d: %+v", n, got)
				}
			}
			if got := c.Notices(); len(got) > 0 {
				t.Errorf("notices: %q", got)
			}
		})
	}
}

func TestUsage_hasWhatWasCached(t *testing.T) {
	for name, tt := range map[string]struct {
		usage string
		want  agents.Usage
	}{
		"OpenAI":   {`{"prompt_tokens":900,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":768}}`, agents.Usage{Input: 900, Output: 2, Cached: 768}},
		"DeepSeek": {`{"prompt_tokens":900,"completion_tokens":2,"prompt_cache_hit_tokens":768}`, agents.Usage{Input: 900, Output: 2, Cached: 768}},
		"reasoning left out of completion_tokens": {
			`{"prompt_tokens":1000,"completion_tokens":200,"total_tokens":6200,"completion_tokens_details":{"reasoning_tokens":5000}}`,
			agents.Usage{Input: 1000, Output: 5200, Reasoning: 5000},
		},
		"left out of the count":  {`{"input_tokens":100,"output_tokens":2,"cache_read_input_tokens":768}`, agents.Usage{Input: 868, Output: 2, Cached: 768}},
		"null":                   {`{"prompt_tokens":900,"completion_tokens":2,"prompt_tokens_details":null}`, agents.Usage{Input: 900, Output: 2}},
		"a number that is words": {`{"prompt_tokens":900,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":"many"}}`, agents.Usage{Input: 900, Output: 2}},
	} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			events(w, stream(content("Yes."), stop, `{"choices":[],"usage":`+tt.usage+`}`, done))
		})
		got := ask(t, t.Context(), c, hello("m"))
		if got.Usage == nil || *got.Usage != tt.want {
			text, _ := json.Marshal(got.Usage)
			t.Errorf("%s: got %s", name, text)
		}
	}
}
