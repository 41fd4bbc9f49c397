package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
)

// However many questions of an answer are refused, one notice says so.
func TestAsk_refusedQuestionsAreOneNotice(t *testing.T) {
	asking := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if len(req.Tools) == 0 || req.Messages[len(req.Messages)-1].Role == agents.ToolRole {
			return replyText("I say yes.")(n, req)
		}
		var calls []agents.ToolCall
		for i := range 14 {
			args, err := json.Marshal(map[string]string{"query": fmt.Sprintf("What is number %d?", i), "reason": "it decides", "priority": "optional"})
			if err != nil {
				return nil, err
			}
			calls = append(calls, agents.ToolCall{ID: fmt.Sprint(i), Name: agents.RequestContextName, Args: string(args)})
		}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: calls}}, nil
	}
	h := newHarness(t, map[string]replyFunc{"a": asking, "b": replyText("I say no.")})
	s := h.session("collaborative", 2, "a", "b")
	_, s, err := drain(h.engine.Start(t.Context(), s))
	if err != nil {
		t.Fatal(err)
	}
	s, err = h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, n := range s.Notices {
		if n.Code == "context_cap" {
			told = append(told, n.Text)
		}
	}
	const want = "A question from a in round 1 was refused: "
	if len(told) != 1 || !strings.HasPrefix(told[0], want) {
		t.Errorf("got %q, want one that begins with %q", told, want)
	}
}
