package openai

import (
	"maps"
	"slices"
)

// Preset is a known server.
type Preset struct {
	Name    string
	BaseURL string
	KeyEnv  string // the environment variable that usually holds its key; "" if it needs none
	KeyPath string // tells whether a key is valid, if the list of models needs none; "" otherwise
	Local   bool   // runs on the user's own machine
	Quirks  Quirks
}

// Presets returns the known servers, in the order in which they are offered.
func Presets() []Preset {
	return []Preset{
		{Name: "openai", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", Quirks: Quirks{CompletionTokens: true}},
		{
			Name:    "anthropic",
			BaseURL: "https://api.anthropic.com/v1",
			KeyEnv:  "ANTHROPIC_API_KEY",
			Quirks:  Quirks{ModelsKeyHeader: "X-Api-Key"},
		},
		{Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", KeyEnv: "GEMINI_API_KEY"},
		{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY", KeyPath: "/key"},
		{Name: "groq", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY"},
		{Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", KeyEnv: "DEEPSEEK_API_KEY"},
		{
			Name:    "mistral",
			BaseURL: "https://api.mistral.ai/v1",
			KeyEnv:  "MISTRAL_API_KEY",
			Quirks:  Quirks{Omit: []string{paramStreamOptions}},
		},
		{Name: "xai", BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY"},
		{Name: "dashscope", BaseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", KeyEnv: "DASHSCOPE_API_KEY"},
		{
			Name:    "ollama",
			BaseURL: "http://localhost:11434/v1",
			Local:   true,
			Quirks:  Quirks{Omit: []string{paramToolChoice}}, // it would ignore it
		},
		{Name: "lmstudio", BaseURL: "http://localhost:1234/v1", Local: true},
		{Name: "vllm", BaseURL: "http://localhost:8000/v1", Local: true},
		{Name: "llamacpp", BaseURL: "http://localhost:8080/v1", Local: true},
	}
}

func presetOf(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

func presetNames() []string {
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return names
}

// slots returns how many completions run at once unless configured. A local server
// runs few and lets the others wait in silence.
func (p Preset) slots() int {
	if p.Local {
		return 4
	}
	return 8
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
