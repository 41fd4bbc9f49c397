package config_test

import (
	"testing"

	"roundtable/internal/config"
)

// Who reads an answer is named as in the form of a new debate.
func TestRecipient_isACompanyOrThisMachine(t *testing.T) {
	cfg, err := config.Parse("c.toml", []byte("[providers.work]\npreset = \"openai\"\n[providers.proxy]\npreset = \"openai\"\n"+
		"base_url = \"https://gate.example.com/v1\"\n[providers.box]\nbase_url = \"http://127.0.0.1:8080/v1\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for provider, want := range map[string]string{
		"work": "OpenAI", "anthropic": "Anthropic", "gemini": "Google", "proxy": "gate.example.com", "unknown": "unknown",
		"box": "box, here", "ollama": "ollama, here", "demo": "demo, here",
	} {
		name, here := cfg.Recipient(provider)
		if here {
			name += ", here"
		}
		if name != want {
			t.Errorf("%s: %q, want %q", provider, name, want)
		}
	}
}

// The variable of a preset moves its provider wherever it is used: in a table without an
// address, and without a table.
func TestWithEnvironment_movesProvidersThatNameNoAddress(t *testing.T) {
	vars := map[string]string{"OLLAMA_HOST": "box.example.com", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
	env := func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	cfg, err := config.Parse("c.toml", []byte("[providers.work]\npreset = \"openai\"\n[providers.own]\npreset = \"openai\"\n"+
		"base_url = \"https://gate.example.com/v1\"\n[providers.local]\npreset = \"ollama\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for provider, want := range map[string]string{
		"work": "work, here", "own": "gate.example.com", "local": "box.example.com", "ollama": "box.example.com", "openai": "openai, here",
	} {
		name, here := cfg.WithEnvironment(env).Recipient(provider)
		if here {
			name += ", here"
		}
		if name != want {
			t.Errorf("%s: %q, want %q", provider, name, want)
		}
	}
}
