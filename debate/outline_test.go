package debate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
)

// What is counted of a response is the same of its outline, which is small.
func TestOutline_isCountedLikeTheWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Nobody reads all of it. ", 1000)
	for name, body := range map[string]string{
		"nothing": "", "words": long, "citations": long + "[C1, C3-C5] and [F1:12-14, 20] again [C1, C3-C5]" + long + "[c2]",
		"no citations": long + "[see below] [C1 and others]", "hidden": "[C\u200b1] \x1b[31m[F2]",
	} {
		whole := debate.Response{
			State: debate.TurnDone, Statement: debate.Statement{Body: body, Citations: []string{"[C7]", "a book"}},
			Passages: []debate.Passage{
				{Text: long, Reasoning: long, Tools: []debate.ToolRecord{{
					Name: "read_file", Args: long, State: debate.ToolDone, Result: agents.ToolResult{Status: agents.ToolOK, Text: long},
				}, {Name: "grep", State: debate.ToolDone}}},
				{Text: body},
			},
		}
		outline := whole.Outline()
		if got := outline.HasStatement(); got != whole.HasStatement() || !outline.Outlined {
			t.Errorf("%s: it has a statement: %v", name, got)
		}
		if diff := cmp.Diff(cite.Of(whole), cite.Of(outline)); diff != "" && name != "hidden" {
			t.Errorf("%s: it cites\n%s", name, diff)
		}
		if n := len(outline.Statement.Body); n > 200 {
			t.Errorf("%s: its body has %d bytes", name, n)
		}
		for i, p := range outline.Passages {
			if p.Text != "" || p.Reasoning != "" || len(p.Tools) != len(whole.Passages[i].Tools) {
				t.Errorf("%s: passage %d is %+v", name, i, p)
			}
			for j, c := range p.Tools {
				had := whole.Passages[i].Tools[j]
				if c.Name != had.Name || c.Args != "" || (c.Result.Text != "") != (had.Result.Text != "") {
					t.Errorf("%s: a tool call is %+v", name, c)
				}
			}
		}
	}
}
