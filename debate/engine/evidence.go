package engine

import (
	"context"
	"slices"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// evidence is what the tools of a step may know of the debate: what its speakers
// see of the others, and nothing that was said since.
type evidence struct {
	snap prompt.Snapshot
	step debate.Step
}

// Statements returns what the other members said last, by seat, as the turn may see it.
func (e evidence) Statements(t agents.Turn) []tools.Statement {
	snap := e.snap.For(e.step, t.Agent)
	f := snap.ToolFence(t)
	var out []tools.Statement
	for _, p := range snap.Seats {
		i := lastBy(snap.Earlier, p.ID)
		if p.ID == t.Agent || i < 0 {
			continue
		}
		x := snap.Earlier[i]
		out = append(out, tools.Statement{
			Speaker: snap.DisplayName(p.ID), Round: x.Turn.Round, Text: x.Statement.Position + " " + x.Statement.Body, Block: snap.Block(f, x, t.Agent),
		})
	}
	return out
}

// lastBy returns where the newest statement of a seat is; -1 for none. A ranking of
// others is none.
func lastBy(list []debate.Response, id agents.ID) int {
	for i, x := range slices.Backward(list) {
		if x.Turn.Agent == id && x.Statement.Asked != debate.AsksRanking {
			return i
		}
	}
	return -1
}

// masked hides names in what tools bring. What the user answered stands as it is.
type masked struct {
	agents.Toolkit
	hidden prompt.Anonymizer
}

// Execute runs the call and hides names in the text for the model.
func (m masked) Execute(ctx context.Context, turn agents.Turn, id string, call agents.ToolCall) agents.ToolResult {
	r := m.Toolkit.Execute(ctx, turn, id, call)
	if call.Name != tools.RequestContextName {
		r.Text = m.hidden.Scrub(r.Text)
	}
	return r
}
