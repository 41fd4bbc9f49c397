package agents_test

import (
	"testing"

	"roundtable/agents"
)

func TestBudget4_aWindowIsConfiguredOrPublishedOr32k(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      agents.Profile
		tokens int
		known  bool
	}{
		{"configured", agents.Profile{Model: "gpt-4o", ContextWindow: 9000}, 9000, true},
		{"published", agents.Profile{Model: "gpt-4o-mini-2024-07-18"}, 128_000, true},
		{"the longest name counts", agents.Profile{Model: "gpt-4.1-nano"}, 1_047_576, true},
		{"and not a shorter one", agents.Profile{Model: "gpt-4"}, 8_192, true},
		{"through a router", agents.Profile{Model: "Anthropic/Claude-Sonnet-4.5"}, 200_000, true},
		{"served at home", agents.Profile{Model: "llama3.1:8b"}, agents.DefaultWindow, false},
	} {
		if tokens, known := c.p.Window(); tokens != c.tokens || known != c.known {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, tokens, known, c.tokens, c.known)
		}
	}
}

func TestBudget4_aPromptLeavesRoomForTheAnswer(t *testing.T) {
	for _, c := range []struct {
		name  string
		p     agents.Profile
		share float64
		want  int
	}{
		{"with a limit", agents.Profile{ContextWindow: 10_000, MaxTokens: 2000}, 0.9, 7000},
		{"without one", agents.Profile{ContextWindow: 100_000}, 0.9, 90_000 - 4096},
		{"without one in a small window", agents.Profile{ContextWindow: 8_000}, 0.9, 7200 - 2000},
		{"with a limit that leaves nothing", agents.Profile{ContextWindow: 8_000, MaxTokens: 8_000}, 0.9, 2000},
	} {
		if got := c.p.MaxPromptTokens(c.share); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
