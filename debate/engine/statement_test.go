package engine_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// replyThenAsking makes a statement and asks the user in the same completion, and ends
// the turn with another text.
func replyThenAsking(statement, end string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := replyAsking("How many writes?", replyText(end))(n, req)
		if err != nil || len(chunks[0].Calls) == 0 {
			return chunks, err
		}
		half := len(statement) / 2
		return append([]agents.Chunk{
			{Text: statement[:half]}, {Reasoning: "Is that so?"}, {Text: statement[half:]},
		}, chunks...), nil
	}
}

// A statement that a model makes before it asks the user is its statement: it is stored,
// read back and passed on to the others.
func TestStatement_beforeAToolCallIsKept(t *testing.T) {
	t.Parallel()
	const said = "We should split it, since the two halves are released apart, by different people and on different days.\n\n" +
		"```json\n{\"position\": \"Split it.\", \"confidence\": 0.8, \"vote\": \"yes\"}\n```"
	for _, end := range []string{"", "My statement stands as above."} {
		h := newHarness(t, map[string]replyFunc{"a": replyThenAsking(said, end), "b": replyHolding("no", 0.5)})
		_, s := h.run(h.session("collaborative", 2, "a", "b"))
		x := s.History[0].Latest()[0]
		st := x.Statement
		if x.State != debate.TurnDone || st.Position != "Split it." || st.Vote != "yes" || !strings.HasPrefix(st.Body, "We should split it") {
			t.Fatalf("ending with %q: %+v", end, x)
		}
		if read := h.read(s).History[0].Latest()[0]; mustJSON(t, read) != mustJSON(t, x) {
			t.Errorf("read back: %+v", read)
		}
		h.run(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "A hundred."}))
		reqs := h.provider.requests("b")
		if sent := reqs[len(reqs)-1].Messages[1].Text; !strings.Contains(sent, "the two halves are released apart") {
			t.Errorf("b is sent\n%s", sent)
		}
	}
}
