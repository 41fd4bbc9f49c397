package pane_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// A seat that joins a request eleven times says so once.
func TestPane_drawsEqualJoinsOnce(t *testing.T) {
	t.Parallel()
	turn, other := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "ada"}, agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "cy"}
	p := newPane(1, agents.Profile{ID: "ada", Name: "Ada"}, 60, 30)
	q := ledger.Request{ID: "C1", Query: "How many?", Priority: ledger.Required, State: ledger.Pending, Asked: noon}
	q.Asks = []ledger.Ask{{Turn: other, Call: other.ToolCall(1)}}
	apply(p, debate.RoundStarted{Round: 1}, debate.TurnStarted{Turn: turn, At: noon})
	for n := range 11 {
		call := debate.ToolRecord{ID: turn.ToolCall(n + 1), Name: agents.RequestContextName, Args: `{"query":"C1"}`}
		q.Asks = append(q.Asks, ledger.Ask{Turn: turn, Call: call.ID, Query: "C1"})
		q.Seq++
		apply(p, debate.ToolsCalled{Turn: turn, Tools: []debate.ToolRecord{call}}, debate.ToolStarted{Turn: turn, Tool: call, At: noon},
			debate.ContextRequested{Turn: turn, Request: q, Ask: q.Asks[len(q.Asks)-1], Joined: true},
			debate.ToolEnded{Turn: turn, Tool: call, At: noon})
	}
	apply(p, debate.Text{Turn: turn, Text: "So it is."})
	view := ansi.Strip(p.View(noon, 0))
	if strings.Count(view, "joins C1") != 1 || strings.Count(view, "asks C1") != 0 || !strings.Contains(view, "So it is.") {
		t.Errorf("got\n%s", view)
	}
}
