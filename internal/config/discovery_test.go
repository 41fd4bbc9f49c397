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
		"xai": "gate.example.com", "groq": "groq, here",
	} {
		name, here := cfg.Recipient(provider, func(name string) (string, bool) {
			address, ok := map[string]string{
				"XAI_BASE_URL": "https://gate.example.com/v1", "GROQ_BASE_URL": "localhost:99/v1", "GEMINI_BASE_URL": " ",
			}[name]
			return address, ok
		})
		if here {
			name += ", here"
		}
		if name != want {
			t.Errorf("%s: %q, want %q", provider, name, want)
		}
	}
}
