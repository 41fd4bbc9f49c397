package pane_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// Text that turns out to be reasoning is no longer shown as a statement.
func TestPane_movesTextThatWasReasoning(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
	apply(p, pieces(turn, 0, "Okay, the user wants a vote.")...)
	if got := body(t, p, 60, 12); !strings.Contains(got, "Okay, the user") {
		t.Fatalf("the text is not shown:\n%s", got)
	}
	apply(p, debate.Text{Turn: turn, Text: "Okay, the user wants a vote.", Reasoning: true, Moves: true}, debate.Text{Turn: turn, Text: "It is so."})
	got := body(t, p, 60, 12)
	if strings.Contains(got, "Okay") || !strings.Contains(got, "+ thought") || !strings.Contains(got, "It is so.") {
		t.Errorf("shown is:\n%s", got)
	}
}
