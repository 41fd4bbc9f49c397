package agents_test

import (
	"testing"

	"roundtable/agents"
)

func TestBudget4_aWindowIsToldOr32k(t *testing.T) {
	for _, c := range []struct {
		told, tokens int
		known        bool
	}{{9000, 9000, true}, {0, agents.DefaultWindow, false}} {
		if tokens, known := (agents.Profile{Model: "gpt-4o", ContextWindow: c.told}).Window(); tokens != c.tokens || known != c.known {
			t.Errorf("%d: %d, %v", c.told, tokens, known)
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
