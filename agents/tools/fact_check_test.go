package tools_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
)

// record is the statements of members.
type record []tools.Statement

func (r record) Statements(agents.Turn) []tools.Statement { return r }

func TestFactCheck_saysWhoSpeaksOfAClaim(t *testing.T) {
	said := record{
		{Speaker: "Participant 2", Round: 1, Text: "The ledger has to stay append-only.", Block: "<two>"},
		{Speaker: "Participant 3", Round: 2, Text: "Backups are what matters.", Block: "<three>"},
	}
	for _, c := range []struct {
		name    string
		said    record
		args    string
		status  agents.ToolStatus
		summary string
		text    []string // in this order
	}{
		{"one of two", said, `{"claim": "The ledger is append-only"}`, agents.ToolOK, "Participant 2 mentions it; Participant 3 does not", []string{"Participant 2 mentions it, in round 1:\n<two>", "Participant 3 does not mention it in these words, in round 2:\n<three>"}},
		{"who speaks of it comes first", said, `{"claim": "Backups matters"}`, agents.ToolOK, "Participant 3 mentions it; Participant 2 does not", []string{"<three>", "<two>"}},
		{"nobody", said, `{"claim": "Whales sing"}`, agents.ToolOK, "Participant 2, Participant 3 do not", []string{"<two>", "<three>"}},
		{"one member alone", said, `{"claim": "append-only ledger", "source_agent": "participant 2"}`, agents.ToolOK, "Participant 2 mentions it", []string{"<two>"}},
		{"a member that is not there", said, `{"claim": "x", "source_agent": "Brook"}`, agents.ToolError, "", []string{`no statement of "Brook" can be seen; there are statements of: Participant 2, Participant 3`}},
		{"before anybody has spoken", nil, `{"claim": "x"}`, agents.ToolOK, "nobody has spoken yet", []string{"No other member has said anything yet"}},
		{"without a claim", said, `{}`, agents.ToolError, "", []string{"claim"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := tools.NewExecutor(tools.Sources{Statements: c.said}, tools.FactCheck{})
			if err != nil {
				t.Fatal(err)
			}
			r := e.Execute(t.Context(), agents.Turn{Agent: "one"}, "t1", agents.ToolCall{Name: tools.FactCheckName, Args: c.args})
			if r.Status != c.status || c.status == agents.ToolOK && r.Summary != c.summary {
				t.Errorf("%s, %q, want %q", r.Status, r.Summary, c.summary)
			}
			at := 0
			for _, want := range c.text {
				i := strings.Index(r.Text[at:], want)
				if i < 0 {
					t.Fatalf("no %q after byte %d of\n%s", want, at, r.Text)
				}
				at += i
			}
		})
	}
}
