package pane_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
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

// A question that the model wrote into its text says so, as long as it streams and once it is
// stored.
func TestPane_saysThatAQuestionWasWrittenAsText(t *testing.T) {
	t.Parallel()
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}
	asked := call(turn, 1, agents.RequestContextName, "{}", "C1 required, "+agents.WrittenAsText, 1)
	q := request("C1", "How many?", "It decides.", ledger.Required, noon, turn, 1)
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 12)
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon},
		debate.ToolsCalled{Turn: turn, Tools: []debate.ToolRecord{asked}}, debate.ContextRequested{Turn: turn, Request: q, Ask: q.Asks[0]},
		debate.ToolEnded{Turn: turn, Tool: asked, At: noon}, debate.Text{Turn: turn, Passage: 1, Text: "It is so."})
	streamed := body(t, p, 60, 12)
	apply(p, debate.TurnEnded{Response: debate.Response{
		Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: "It is so."},
		Passages: []debate.Passage{{Tools: []debate.ToolRecord{asked}}, {Text: "It is so."}},
	}, At: noon})
	for _, got := range []string{streamed, body(t, p, 60, 12)} {
		if strings.Count(got, "written as text") != 1 || !strings.Contains(got, "C1 required") || !strings.Contains(got, "It is so.") {
			t.Errorf("shown is:\n%s", got)
		}
	}
}
