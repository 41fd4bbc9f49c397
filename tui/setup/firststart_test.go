package setup_test

import (
	"testing"

	"roundtable/tui/setup"
)

func TestFirstStart_view(t *testing.T) {
	f := setup.NewFirstStart(colors())
	f.SetSize(80, 21)
	f.SetOptions(setup.Options{Found: []setup.Finding{
		{What: "OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY and 6 more", Result: "not set"},
		{What: "Ollama at localhost:11434", Result: "no answer"},
		{What: "a config file", Result: "none (optional)"},
	}})
	requireScreen(t, f.View(), 80, 21)
	f.Move(-1)
	f.Move(2)
	if f.Choice() != setup.WriteConfig {
		t.Error(f.Choice())
	}
}
