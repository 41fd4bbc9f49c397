package debate_test

import (
	"slices"
	"strings"
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

func TestRosterWarnings_tellWhatTiesAPanelAndItsChair(t *testing.T) {
	seat := func(id, model string) agents.Profile {
		return agents.Profile{ID: agents.ID(id), Name: strings.ToUpper(id[:1]) + id[1:], Model: model, Provider: "p"}
	}
	chair := func(id, model string) *agents.Profile { p := seat(id, model); return &p }
	loop := func(provider string) agents.Profile {
		return agents.Profile{Model: "default", Provider: provider, Loop: true}
	}
	demo := seat("ada", "scripted-1")
	demo.Provider = debate.DemoProvider
	for _, c := range []struct {
		name  string
		seats []agents.Profile
		chair *agents.Profile
		want  []string
	}{
		{"mixed, no chair", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude")}, nil, nil},
		{"one family", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "gpt-4")}, nil, []string{debate.WarningOneFamily}},
		{"one is unknown", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "7b")}, nil, nil},
		{"two programs", []agents.Profile{loop("claude"), loop("gemini")}, nil, nil},
		{"one program twice", []agents.Profile{loop("claude"), loop("claude")}, nil, []string{debate.WarningOneFamily}},
		{"scripted", []agents.Profile{demo, demo}, nil, nil},
		{
			"the chair has a seat",
			[]agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude")},
			chair("ada", "gpt-5"),
			nil,
		},
		{"the chair is outside", []agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude")}, chair("zed", "llama3"), nil},
		{
			"the chair is kin",
			[]agents.Profile{seat("ada", "gpt-5"), seat("brook", "claude"), seat("cy", "o3")},
			chair("zed", "gpt-4"),
			[]string{"The chair uses the same model family as Ada, Cy (gpt)."},
		},
	} {
		s := debate.Session{Seats: c.seats, Chair: c.chair}
		if got := s.RosterWarnings(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
