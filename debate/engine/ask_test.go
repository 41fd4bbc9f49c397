package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
)

// However many questions of an answer are refused, one notice says so.
func TestAsk_refusedQuestionsAreOneNotice(t *testing.T) {
	t.Parallel()
	var calls []agents.ToolCall
	for i := range 14 {
		args := fmt.Sprintf(`{"query": "What is number %d?", "reason": "it decides", "priority": "optional"}`, i)
		calls = append(calls, agents.ToolCall{ID: fmt.Sprint(i), Name: agents.RequestContextName, Args: args})
	}
	h := newHarness(t, map[string]replyFunc{"a": allAtOnce(calls, "I say yes."), "b": replyText("I say no.")})
	_, s := h.run(h.session("collaborative", 2, "a", "b"))
	told := noticesOf(h.read(s), "context_cap")
	const want = "A question from a in round 1 was refused: "
	if len(told) != 1 || !strings.HasPrefix(told[0], want) {
		t.Errorf("got %q, want one that begins with %q", told, want)
	}
}
