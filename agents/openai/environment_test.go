package openai_test

import (
	"strings"
	"testing"

	"roundtable/agents/openai"
)

func TestConfigEnvironment_isBetweenTheConfigurationAndThePreset(t *testing.T) {
	for _, c := range []struct {
		preset, configured, variable, value string
		want                                string // "": the preset's own
	}{
		{"openai", "", "OPENAI_BASE_URL", "https://gate.example.com/v1", "https://gate.example.com/v1"},
		{"openai", "https://mine.example.com/v1", "OPENAI_BASE_URL", "https://gate.example.com/v1", "https://mine.example.com/v1"},
		{"openai", "", "OPENAI_BASE_URL", " ", ""},
		{"openai", "", "OLLAMA_HOST", "10.0.0.1", ""},
		{"anthropic", "", "ANTHROPIC_BASE_URL", "https://gate.example.com", "https://gate.example.com/v1"},
		{"groq", "", "GROQ_BASE_URL", "https://gate.example.com/", "https://gate.example.com/openai/v1"},
		{"ollama", "", "OLLAMA_HOST", "10.0.0.1", "http://10.0.0.1:11434/v1"},
		{"ollama", "", "OLLAMA_HOST", "box:8000", "http://box:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", ":8000", "http://127.0.0.1:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "0.0.0.0", "http://127.0.0.1:11434/v1"},
		{"ollama", "", "OLLAMA_HOST", "0.0.0.0:8000", "http://127.0.0.1:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "[::]:8000", "http://127.0.0.1:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "::1", "http://[::1]:11434/v1"},
		{"ollama", "", "OLLAMA_HOST", "http://box:8000", "http://box:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "https://box.example.com/ollama/v1", "https://box.example.com/ollama/v1"},
		{"ollama", "", "OLLAMA_HOST", "box/ollama/v1", "http://box:11434/ollama/v1"},
		{"vllm", "", "VLLM_BASE_URL", "http://box:8000/v1", "http://box:8000/v1"},
		{"", "", "OPENAI_BASE_URL", "https://gate.example.com/v1", ""},
	} {
		env := func(name string) (string, bool) { return c.value, name == c.variable }
		got := openai.Config{Preset: c.preset, BaseURL: c.configured}.WithEnvironment(env)
		if got.BaseURL != c.want {
			t.Errorf("%s with %s=%s: %q, want %q", c.preset, c.variable, c.value, got.BaseURL, c.want)
		}
		if c.preset == "" {
			continue
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%s with %s=%s: %v", c.preset, c.variable, c.value, err)
		}
	}
}

// What is checked of a base_url is checked of an address of the environment, which must
// not be one that all can read. The key comes from the same environment and goes there.
func TestConfigEnvironment_isCheckedAsABaseURL(t *testing.T) {
	at := func(value string) func(string) (string, bool) {
		return func(name string) (string, bool) { return value, name == "OPENAI_BASE_URL" }
	}
	c := openai.Config{Preset: "openai"}
	if got := c.WithEnvironment(at("https://gate.example.com/v1")).KeyVariable(); got != "OPENAI_API_KEY" {
		t.Errorf("the host of the environment is sent %q", got)
	}
	if got := c.WithEnvironment(at("https://api.openai.com/v1")).KeyVariable(); got != "OPENAI_API_KEY" {
		t.Errorf("the preset's own host is sent %q", got)
	}
	c.APIKeyEnv = "OPENAI_API_KEY"
	for value, want := range map[string]string{
		"http://gate.example.com/v1":      "OPENAI_BASE_URL: http would send the key to gate.example.com",
		"https://u:p@gate.example.com/v1": "OPENAI_BASE_URL: has a user or password in it",
		"ftp://gate.example.com":          "OPENAI_BASE_URL: begins with ftp://",
	} {
		if err := c.WithEnvironment(at(value)).Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", value, err, want)
		}
	}
}
