package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/engine"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// replyCalling calls tools in a turn's first completions, one after the other.
func replyCalling(then replyFunc, calls ...agents.ToolCall) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		done := 0
		for _, m := range req.Messages {
			if m.Role == agents.ToolRole {
				done++
			}
		}
		if len(req.Tools) == 0 || done == len(calls) {
			return then(n, req)
		}
		calls[done].ID = fmt.Sprint("x", done)
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: calls[done : done+1]}}, nil
	}
}

// newReadingHarness is a table whose agents can read evidence.
func newReadingHarness(t *testing.T, lines map[string]replyFunc) *harness {
	h := newHarness(t, lines)
	h.use(engine.Options{
		Tools: []tools.Tool{tools.RequestContext(), tools.SearchEvidence(), tools.ReadEvidence(), tools.ListEvidence()},
	})
	return h
}

func evidenceFile(name string, lines int) debate.Evidence {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "Seat%d of m1 says %d.\n", i%3+1, i+1)
	}
	return debate.NewEvidence(name, debate.EvidenceFile, b.String(), "")
}

func TestEvidenceTools_readWhatTheRoundBeganWith(t *testing.T) {
	t.Parallel()
	var h *harness
	var id string
	adds := func(n int, req agents.Request) ([]agents.Chunk, error) { // while the round runs
		_, err := h.store.AddEvidence(t.Context(), id, evidenceFile("late.log", 3))
		if err != nil {
			t.Error(err)
		}
		return replyText("See [F1:2500].")(n, req)
	}
	calls := func() []agents.ToolCall {
		return []agents.ToolCall{
			{Name: tools.ListEvidenceName, Args: "{}"},
			{Name: agents.ReadEvidenceName, Args: `{"id": "F1", "offset": 2499, "limit": 2}`},
			{Name: tools.SearchEvidenceName, Args: `{"pattern": "says 77\\."}`},
			{Name: agents.ReadEvidenceName, Args: `{"id": "F2"}`},
		}
	}
	h = newReadingHarness(t, map[string]replyFunc{"m1": adds, "m2": replyCalling(replyText("So."), calls()...), "m3": replyText("So.")})
	s := h.seatedSession("adversarial", 2, 3) // m2 speaks after m1
	id = s.ID
	s = must.Get(h.store.AddEvidence(t.Context(), id, evidenceFile("a.log", 3000)))(t)
	_, s = h.runRounds(s, 1)
	told := h.toolResults("m2")
	if len(told) < len(calls()) {
		t.Fatalf("m2 is told %q", told)
	}
	for i, want := range []string{
		"[F1] a.log, file, 3000 lines", "2499| Seat3 of m1 says 2499.\n2500| Seat1 of m1 says 2500.", "F1:77| Seat2 of m1 says 77.",
		`there is no evidence "F2"; there is: F1`,
	} {
		blocks, outside := debatetest.ReadBlocks(t, told[i])
		text := outside
		if len(blocks) > 0 {
			text = blocks[0].Text
		}
		if !strings.Contains(text, want) || (len(blocks) == 0) != (i == 3) {
			t.Errorf("call %d: %d blocks, %q is missing in\n%s", i+1, len(blocks), want, told[i])
		}
		if i < 3 && (strings.Contains(told[i], "late.log") || strings.Contains(outside, "Seat")) {
			t.Errorf("call %d:\n%s", i+1, told[i])
		}
	}
	if len(s.Evidence) != 2 || cite.EvidenceRound(s, "F2") != 0 {
		t.Errorf("the session has %d pieces of evidence, F2 came with round %d", len(s.Evidence), cite.EvidenceRound(s, "F2"))
	}
}

// Where names are hidden, a tool shows the user's text as it is, as the prompt does, and
// nothing about the seats.
func TestEvidenceTools_showTheUsersTextAsItIsWhereNamesAreHidden(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyCalling(replyText("I, Seat1, hold it [F1:1]."),
			agents.ToolCall{Name: agents.ReadEvidenceName, Args: `{"id": "F1"}`}, agents.ToolCall{Name: tools.ListEvidenceName, Args: "{}"})
	}
	h := newReadingHarness(t, lines)
	s := h.seatedSession("delphi", 2, 3)
	s = must.Get(h.store.AddEvidence(t.Context(), s.ID, evidenceFile("a.log", 2),
		debate.NewEvidence("notes", debate.EvidenceFile, "plain\n", "")))(t)
	h.runRounds(s, 2)
	for i := 1; i <= 3; i++ {
		for _, text := range h.toolResults(fmt.Sprint("m", i)) {
			if rest := strings.NewReplacer("Seat1 of m1 says", "", "Seat2 of m1 says", "").Replace(text); strings.Contains(rest, "Seat") ||
				strings.Contains(rest, "m1") {
				t.Errorf("seat %d reads\n%s", i, text)
			}
		}
		prompt := h.userPrompt(fmt.Sprint("m", i), 1)
		if read := h.toolResults(fmt.Sprint("m", i))[0]; !strings.Contains(read, "1| Seat1 of m1 says 1.") ||
			!strings.Contains(prompt, "1| Seat1 of m1 says 1.") {
			t.Errorf("seat %d reads\n%s\nand the prompt\n%s", i, read, prompt)
		}
	}
}

// Evidence that prompts do not show whole is told with the round that it came with, once.
func TestStart_tellsWhatOfTheEvidenceIsNotShown(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("So."), "b": replyText("So.")})
	evs, _ := h.runRounds(h.smallSession("collaborative", 2, func(s *debate.Session) {
		s.Evidence = []debate.Evidence{evidenceFile("log.txt", 2000)}
		s.Evidence[0].ID = "F1"
		for i := range s.Seats {
			s.Seats[i].ContextWindow = 8000
		}
	}, "a", "b"), 2)
	told := noticesByCode(evs)["evidence"]
	if len(told) != 1 || told[0].Round != 1 || !strings.HasPrefix(told[0].Text, "F1 (log.txt): prompts show ") {
		t.Errorf("%+v", told)
	}
}
