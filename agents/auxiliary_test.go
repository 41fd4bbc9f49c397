package agents_test

import (
	"strings"
	"testing"

	"roundtable/agents"
)

func TestForAuxiliary_asksForTheLowestEffortAndForRoom(t *testing.T) {
	t.Parallel()
	long := []agents.Message{{Role: agents.User, Text: strings.Repeat("a word or two ", 700)}} // about 2,800 tokens
	for name, c := range map[string]struct {
		p      agents.Profile
		wanted int
		effort string
		room   int
	}{
		"nothing known":    {agents.Profile{}, 200, "", 2000},
		"four times":       {agents.Profile{}, 800, "", 3200},
		"its own is more":  {agents.Profile{MaxTokens: 9000}, 800, "", 9000},
		"its own is less":  {agents.Profile{MaxTokens: 100}, 800, "", 3200},
		"high":             {agents.Profile{ReasoningEffort: "high"}, 200, "low", 2000},
		"medium":           {agents.Profile{ReasoningEffort: "medium"}, 200, "low", 2000},
		"minimal is lower": {agents.Profile{ReasoningEffort: "minimal"}, 200, "minimal", 2000},
		"none is lower":    {agents.Profile{ReasoningEffort: "none"}, 200, "none", 2000},
		"other words":      {agents.Profile{ReasoningEffort: "deep"}, 200, "deep", 2000},
		"a tiny window":    {agents.Profile{ContextWindow: 2500}, 300, "", 300},
		"its own program":  {agents.Profile{Loop: true, ReasoningEffort: "high", MaxTokens: 5}, 300, "high", 5},
	} {
		got := c.p.ForAuxiliary(c.wanted, long)
		if got.ReasoningEffort != c.effort || got.MaxTokens != c.room {
			t.Errorf("%s: effort %q and room for %d, want %q and %d", name, got.ReasoningEffort, got.MaxTokens, c.effort, c.room)
		}
	}
	p := agents.Profile{ContextWindow: 5000}
	if got := p.ForAuxiliary(500, long).MaxTokens; got <= 500 || got >= 2000 {
		t.Errorf("in a window of 5000 tokens it has room for %d", got)
	}
}
