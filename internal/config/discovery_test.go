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
