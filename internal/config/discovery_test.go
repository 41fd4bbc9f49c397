package config_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"roundtable/agents/openai"
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
		name, here := cfg.Recipient(provider, env)
		if here {
			name += ", here"
		}
		if name != want {
			t.Errorf("%s: %q, want %q", provider, name, want)
		}
	}
}

func TestLook_offersLoadedModelsThenThoseThatFitTogether(t *testing.T) {
	for name, c := range map[string]struct {
		models []openai.LocalModel
		want   string // model, window; a spare one in brackets
	}{
		"none loaded: what fits beside others comes first": {[]openai.LocalModel{
			{Name: "huge", Size: 40, Chat: true, Tools: true},
			{Name: "large", Size: 18, Chat: true, Tools: true, Window: 131072},
			{Name: "small", Size: 5, Chat: true, Tools: true, Window: 8192},
		}, "large 0, (small 8192), (huge 0)"},
		"the loaded one comes first": {[]openai.LocalModel{
			{Name: "large", Size: 18, Chat: true, Tools: true},
			{Name: "small", Size: 5, Chat: true, Tools: true, Loaded: true, Window: 65536},
		}, "small 65536, (large 0)"},
		"one that calls tools before one that does not": {[]openai.LocalModel{
			{Name: "mute", Size: 9, Chat: true}, {Name: "able", Size: 5, Chat: true, Tools: true}, {Name: "huge", Size: 40, Chat: true, Tools: true},
		}, "able 0, (mute 0), (huge 0)"},
		"what cannot answer is not offered": {[]openai.LocalModel{{Name: "embedder", Size: 1}, {Name: "only", Size: 5, Chat: true}}, "only 0"},
	} {
		var asked string
		d := config.Discovery{
			Env: func(name string) (string, bool) { return "box", name == "OLLAMA_HOST" },
			Ollama: func(_ context.Context, server openai.Config) ([]openai.LocalModel, error) {
				asked = server.BaseURL
				return c.models, nil
			},
		}
		var got []string
		for _, x := range d.Look(t.Context()).Candidates {
			line := fmt.Sprint(x.Profile.Model, " ", x.Profile.ContextWindow)
			if x.Spare {
				line = "(" + line + ")"
			}
			got = append(got, line)
		}
		if strings.Join(got, ", ") != c.want || asked != "http://box:11434/v1" {
			t.Errorf("%s: %s of %s, want %s", name, strings.Join(got, ", "), asked, c.want)
		}
	}
}
