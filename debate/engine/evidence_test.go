package engine_test

import (
	"fmt"
	"slices"
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

// toolResults are the results that a model's tools brought it, by round.
func (h *harness) toolResults(model string) []string {
	var out []string
	for _, r := range h.provider.requests(model) {
		if last := r.Messages[len(r.Messages)-1]; last.Role == agents.ToolRole {
			out = append(out, last.Text)
		}
	}
	return out
}

// toolNames returns the names of the tools that a request offers.
func toolNames(req agents.Request) string {
	var names []string
	for _, spec := range req.Tools {
		names = append(names, spec.Name)
	}
	return strings.Join(names, ", ")
}

// A provider caches the beginning of a prompt, and the tools stand before all else: they
// are the same in every round, also in a request for the block alone.
func TestTools_areTheSameInEveryRound(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{"m1": replyText("So."), "m2": replyText("So."), "m3": replyText("So.")}
	for _, c := range []struct {
		mode   string
		rounds int
		want   string
	}{
		{"collaborative", 1, "request_context"},
		{"delphi", 2, "request_context"},
		{"delphi", 3, "read_evidence, request_context"},
		{"adversarial", 3, "read_evidence, request_context"},
	} {
		h := newHarness(t, lines)
		h.use(engine.Options{Tools: []tools.Tool{tools.RequestContext(), tools.ReadEvidence()}, AskForBlock: true})
		s := h.changed(h.seatedSession(c.mode, c.rounds, 3), func(s *debate.Session) { s.Question = debate.QuestionYesNo })
		h.runRounds(s, c.rounds)
		asked := 0
		for model := range lines {
			for _, req := range h.provider.requests(model) {
				if asksChair(req) {
					continue
				}
				if got := toolNames(req); got != c.want {
					t.Errorf("%s, %d rounds: %s is offered %q, want %q:\n%s", c.mode, c.rounds, model, got, c.want, req.Messages[1].Text)
				}
				if asksForBlock(req) {
					asked++
					if req.ToolChoice != agents.ToolChoiceNone {
						t.Errorf("%s: a request for the block lets tools be called", c.mode)
					}
				}
			}
		}
		if asked == 0 {
			t.Errorf("%s: nobody is asked for a block", c.mode)
		}
	}
}

// Rounds that the user adds do not change the list, evidence does, from its round on.
func TestTools_changeWithEvidenceAlone(t *testing.T) {
	t.Parallel()
	h := newReadingHarness(t, map[string]replyFunc{"m1": replyText("So."), "m2": replyText("So.")})
	_, s := h.runRounds(h.seatedSession("collaborative", 2, 2), 2)
	_, s = h.runRounds(must.Get(h.store.AddRounds(t.Context(), s.ID, 2))(t), 3)
	s = must.Get(h.store.AddEvidence(t.Context(), s.ID, evidenceFile("log.txt", 3)))(t)
	h.runRounds(s, 4)
	var got []string
	for _, req := range h.provider.requests("m1") {
		if !asksChair(req) {
			got = append(got, toolNames(req))
		}
	}
	want := []string{"request_context", "request_context", "request_context", "list_evidence, read_evidence, request_context, search_evidence"}
	if !slices.Equal(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
}

func TestReadEvidence_showsAShortenedStatementInFull(t *testing.T) {
	t.Parallel()
	h := newReadingHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyCalling(replyLong("b", 5000),
		agents.ToolCall{Name: agents.ReadEvidenceName, Args: `{"id": "R1:A"}`})})
	_, s := h.runRounds(h.smallSession("collaborative", 3, func(s *debate.Session) { s.Seats[1].ContextWindow = 4600 }, "a", "b"), 3)
	told := h.toolResults("b")
	x := s.History[2].Responses[1]
	if x.ContextFit == nil || len(x.ContextFit.Excerpts) == 0 || len(told) != 3 {
		t.Fatalf("nothing is shortened, or the tool was not called: %+v, %d results", x.ContextFit, len(told))
	}
	first := s.History[0].Responses[0].Statement
	blocks, _ := debatetest.ReadBlocks(t, told[2])
	if len(blocks) != 1 || !strings.Contains(told[2], first.Body) || !strings.Contains(told[2], "Position: "+first.Position) {
		t.Errorf("the tool answers\n%s", told[2])
	}
}

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
	h.use(engine.Options{Tools: []tools.Tool{tools.RequestContext(), tools.SearchEvidence(), tools.ReadEvidence(), tools.ListEvidence()}})
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

// Where names are hidden, a tool shows the user's text as it is, as the prompt does, and no name of
// the seats in what they say.
func TestEvidenceTools_showTheUsersTextAsItIsWhereNamesAreHidden(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyCalling(replyLong("Seat1 on m1 [F1:1]", 3000),
			agents.ToolCall{Name: agents.ReadEvidenceName, Args: `{"id": "F1"}`}, agents.ToolCall{Name: tools.ListEvidenceName, Args: "{}"},
			agents.ToolCall{Name: agents.ReadEvidenceName, Args: fmt.Sprintf(`{"id": "R1:participant %d"}`, i%3+1)})
	}
	h := newReadingHarness(t, lines)
	s := h.changed(h.seatedSession("delphi", 3, 3), func(s *debate.Session) {
		for i := range s.Seats { // in which the statements of round 1 are shortened
			s.Seats[i].ContextWindow, s.Seats[i].MaxTokens = 6300, 500
		}
	})
	s = must.Get(h.store.AddEvidence(t.Context(), s.ID, evidenceFile("a.log", 2),
		debate.NewEvidence("notes", debate.EvidenceFile, "plain\n", "")))(t)
	h.runRounds(s, 3)
	for i := 1; i <= 3; i++ {
		told := h.toolResults(fmt.Sprint("m", i))
		statements := 0
		for _, text := range told {
			statements += strings.Count(text, "Participant")
			rest := strings.ToLower(strings.NewReplacer("Seat1 of m1 says", "", "Seat2 of m1 says", "").Replace(text))
			if strings.Contains(rest, "seat1") || strings.Contains(rest, "seat2") || strings.Contains(rest, "seat3") || strings.Contains(rest, "m1") {
				t.Errorf("seat %d reads\n%s", i, text)
			}
		}
		if statements == 0 {
			t.Errorf("seat %d reads no statement", i)
		}
		const own = "1| Seat1 of m1 says 1."
		if prompt := h.userPrompt(fmt.Sprint("m", i), 1); !strings.Contains(told[0], own) || !strings.Contains(prompt, own) {
			t.Errorf("seat %d reads\n%s\nand the prompt\n%s", i, told[0], prompt)
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
