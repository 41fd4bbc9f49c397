package config_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/internal/config"
)

// TestBaseURL_isConfiguredOrInTheEnvironmentOrThePresets asks providers whose
// addresses come from different places.
func TestBaseURL_isConfiguredOrInTheEnvironmentOrThePresets(t *testing.T) {
	var asked []string
	serve := func(name string) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, name+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		}))
		t.Cleanup(srv.Close)
		return srv.URL
	}
	configured, variable := serve("configured"), serve("variable")
	cfg := parsed(t, "[providers.own]\npreset = \"openai\"\nbase_url = \""+configured+"/v1\"\napi_key_env = \"OWN\"\n"+
		"[providers.work]\npreset = \"openai\"\n")
	env := map[string]string{
		"OPENAI_API_KEY": "sk-openai-123", "OWN": "sk-own-123", "OPENAI_BASE_URL": variable,
		"GROQ_API_KEY": "sk-groq-123", "GROQ_BASE_URL": "http://groq.example.com/v1", "XAI_API_KEY": "sk-xai-123", "XAI_BASE_URL": "ftp://x",
	}
	lookup := func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}
	clients := config.NewClients(t.Context(), cfg, config.ClientOptions{Env: lookup})
	for provider, want := range map[string]string{
		"own":    "configured /v1/chat/completions Bearer sk-own-123",
		"work":   "variable /v1/chat/completions Bearer sk-openai-123",
		"openai": "variable /v1/chat/completions Bearer sk-openai-123",
	} {
		asked = nil
		client, err := clients.Provider(agents.Profile{Provider: provider, Model: "m"})
		if err != nil {
			t.Errorf("%s: %v", provider, err)
			continue
		}
		for _, err := range client.Stream(t.Context(), agents.Request{Model: "m"}) {
			if err != nil {
				t.Errorf("%s: %v", provider, err)
			}
		}
		if got := strings.Join(asked, ", "); got != want {
			t.Errorf("%s asked %q, want %q", provider, got, want)
		}
	}
	for provider, want := range map[string]string{
		"groq": "GROQ_BASE_URL: http would send the key to groq.example.com for all to read",
		"xai":  "XAI_BASE_URL: begins with ftp://, which is neither http nor https",
	} {
		if _, err := clients.Provider(agents.Profile{Provider: provider, Model: "m"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", provider, err, want)
		}
	}
}
