package debate_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func TestFamily_isWhatModelsOfOneMakerHaveInCommon(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-5-mini": "gpt", "openai/gpt-oss:20b": "gpt", "o3-mini": "gpt", "claude-sonnet-4-5": "claude", "llama3.1": "llama",
		"Llama-3.3-70b": "llama",
		"mixtral-8x7b":  "mistral", "gemini-2.5-flash": "gemini", "7b": "", "": "",
		"my-finetune": "", "m1": "", "qwq:32b": "qwen", "qwen/qwen3-8b": "qwen", "codellama:7b": "llama",
	} {
		if got := debate.ModelFamily(model); got != want {
			t.Errorf("%s is of %q, want %q", model, got, want)
		}
	}
}

func TestRosterNote_tellsWhatTiesAPanel(t *testing.T) {
	seat := func(model string) agents.Profile { return agents.Profile{Model: model, Provider: "p"} }
	loop := func(provider string) agents.Profile {
		return agents.Profile{Name: provider, Model: "default", Provider: provider, Loop: true}
	}
	demo := agents.Profile{Model: "scripted-1", Provider: debate.DemoProvider}
	for _, c := range []struct {
		name  string
		seats []agents.Profile
		local bool
		want  string
	}{
		{"mixed", []agents.Profile{seat("gpt-5"), seat("claude")}, true, ""},
		{"one family", []agents.Profile{seat("gpt-5"), seat("gpt-4")}, true, debate.WarningOneFamily},
		{"one is unknown", []agents.Profile{seat("gpt-5"), seat("7b")}, true, ""},
		{"one unknown model", []agents.Profile{seat("7b"), seat("7b")}, false, debate.WarningOneFamily},
		{"one local model", []agents.Profile{seat("7b"), seat("7b")}, true, "One model in two seats: two may not fit into memory together."},
		{"two programs", []agents.Profile{loop("claude"), loop("gemini")}, true, ""},
		{"one program twice", []agents.Profile{loop("x"), seat("7b"), loop("x")}, true, "x and x are one program and tend to make the same mistakes."},
		{"scripted", []agents.Profile{demo, demo}, true, ""},
		{"one seat", []agents.Profile{seat("gpt-5")}, true, ""},
	} {
		if got := (debate.Session{Seats: c.seats}).RosterNote(func(string) bool { return c.local }); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
