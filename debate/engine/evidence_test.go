package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// replyReading reads a statement in a turn's first completion.
func replyReading(id string, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if len(req.Tools) == 0 || req.Messages[len(req.Messages)-1].Role == agents.ToolRole {
			return then(n, req)
		}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: []agents.ToolCall{{
			ID: "x", Name: agents.ReadEvidenceName,
			Args: fmt.Sprintf(`{"id": %q}`, id),
		}}}}, nil
	}
}

// newCheckingHarness is a table whose agents can read statements.
func newCheckingHarness(t *testing.T, lines map[string]replyFunc) *harness {
	h := newHarness(t, lines)
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	h.engine = engine.New(engine.Options{
		Recorder: h.store, Provider: provider,
		Tools: []tools.Tool{tools.RequestContext{}, tools.ReadEvidence{}},
	})
	return h
}

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

func TestReadEvidence_namesNobodyWhereNamesAreHidden(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyReading(fmt.Sprintf("R1:participant %d", i%3+1), replyLong(fmt.Sprintf("Seat%d on m%d", i%3+1, i%3+1), 3000))
	}
	h := newCheckingHarness(t, lines)
	s := h.smallSession("delphi", 3, func(s *debate.Session) {
		for i := range s.Seats {
			s.Seats[i].ID, s.Seats[i].Name = agents.ID(fmt.Sprint("seat", i+1)), fmt.Sprint("Seat", i+1)
		}
	}, "m1", "m2", "m3")
	h.runRounds(s, 3)
	read := 0
	for i := 1; i <= 3; i++ {
		for _, text := range h.toolResults(fmt.Sprint("m", i)) {
			if strings.Contains(text, "Participant") {
				read++
			}
			for _, name := range []string{"seat1", "seat2", "seat3", "m1", "m2", "m3"} {
				if strings.Contains(strings.ToLower(text), name) {
					t.Errorf("seat %d reads %s:\n%s", i, name, text)
				}
			}
		}
	}
	if read == 0 {
		t.Error("nobody reads a statement")
	}
}

func TestReadEvidence_repeatsNoStatementThatThePromptHas(t *testing.T) {
	t.Parallel()
	h := newCheckingHarness(t, map[string]replyFunc{
		"m1": replyReading("R1:Seat2", replyText("it holds")), "m2": replyReading("R9:Seat1", replyText("it does not hold")),
	})
	s, err := h.store.AddEvidence(t.Context(), h.seatedSession("adversarial", 2, 2).ID, evidenceFile("a.log", 3))
	if err != nil {
		t.Fatal(err)
	}
	h.runRounds(s, 2)
	for _, model := range []string{"m1", "m2"} {
		for _, told := range h.toolResults(model) {
			if told != "your prompt has all statements that you may see in full" {
				t.Errorf("%s is told %q", model, told)
			}
		}
	}
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
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyText("So.")
	}
	for _, m := range all {
		for rounds, want := range map[int]string{1: "request_context", 2: "request_context", 3: "read_evidence, request_context"} {
			h := newCheckingHarness(t, lines)
			h.engine = engine.New(engine.Options{
				Recorder: h.store, Provider: func(agents.Profile) (agents.Provider, error) { return h.provider, nil },
				Tools: []tools.Tool{tools.RequestContext{}, tools.ReadEvidence{}}, AskForBlock: true,
			})
			s := h.seatedSession("delphi", rounds, 3)
			s.ID, s.Mode, s.Question = "", m, debate.QuestionYesNo
			s, err := h.store.Create(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			h.runRounds(s, rounds)
			asked := 0
			for i := 1; i <= 3; i++ {
				for _, req := range h.provider.requests(fmt.Sprint("m", i)) {
					if strings.Contains(req.Messages[0].Text, "You are the chair") {
						continue
					}
					if got := toolNames(req); got != want {
						t.Errorf("%s, %d rounds: m%d is offered %q, want %q:\n%s", m.Name, rounds, i, got, want, req.Messages[1].Text)
					}
					if asksForBlock(req) {
						asked++
						if req.ToolChoice != agents.ToolChoiceNone {
							t.Errorf("%s: a request for the block lets tools be called", m.Name)
						}
					}
				}
			}
			if asked == 0 {
				t.Errorf("%s: nobody is asked for a block", m.Name)
			}
		}
	}
}

// Rounds that the user adds do not change the list, evidence does, from its round on.
func TestTools_changeWithEvidenceAlone(t *testing.T) {
	t.Parallel()
	h := newCheckingHarness(t, map[string]replyFunc{"m1": replyText("So."), "m2": replyText("So.")})
	_, s := h.runRounds(h.seatedSession("collaborative", 2, 2), 2)
	s, err := h.store.AddRounds(t.Context(), s.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.runRounds(s, 3)
	if s, err = h.store.AddEvidence(t.Context(), s.ID, evidenceFile("log.txt", 3)); err != nil {
		t.Fatal(err)
	}
	h.runRounds(s, 4)
	var got []string
	for _, req := range h.provider.requests("m1") {
		if !strings.Contains(req.Messages[0].Text, "You are the chair") {
			got = append(got, toolNames(req))
		}
	}
	want := []string{"request_context", "request_context", "request_context", "read_evidence, request_context"}
	if !slices.Equal(got, want) {
		t.Errorf("offered are %q, want %q", got, want)
	}
}

// A question without a priority is required, and an equal optional one does not lower it.
func TestTools_aQuestionWithoutAPriorityIsRequired(t *testing.T) {
	t.Parallel()
	ask := func(priority string) agents.ToolCall {
		return agents.ToolCall{Name: agents.RequestContextName, Args: `{"query":"A?","reason":"so"` + priority + `}`}
	}
	for name, c := range map[string]struct {
		calls []agents.ToolCall
		want  ledger.Priority
	}{
		"none":               {[]agents.ToolCall{ask("")}, ledger.Required},
		"null":               {[]agents.ToolCall{ask(`,"priority":null`)}, ledger.Required},
		"none, then less":    {[]agents.ToolCall{ask(""), ask(`,"priority":"optional"`)}, ledger.Required},
		"it says that it is": {[]agents.ToolCall{ask(`,"priority":"optional"`)}, ledger.Optional},
	} {
		h := newCheckingHarness(t, map[string]replyFunc{"m1": replyCalling(replyText("So."), c.calls...), "m2": replyText("So.")})
		_, s := h.runRounds(h.seatedSession("collaborative", 2, 2), 1)
		if len(s.Requests) != 1 || s.Requests[0].Priority != c.want {
			t.Errorf("%s: requests are %+v, want one that is %s", name, s.Requests, c.want)
		}
		if got := len(s.Unanswered()); (got == 1) != (c.want == ledger.Required) {
			t.Errorf("%s: %d questions hold the next round", name, got)
		}
	}
}

// What is asked in the last round is a question after the verdict: the debate ends, and one more
// round starts only when it has an answer, which that round cites.
func TestTools_aQuestionInTheLastRoundIsOpenAfterTheVerdict(t *testing.T) {
	t.Parallel()
	h := newCheckingHarness(t, map[string]replyFunc{
		"m1": replyCalling(replyText("So."), agents.ToolCall{Name: agents.RequestContextName, Args: `{"query":"A?","reason":"so"}`}),
		"m2": replyText("So."),
	})
	s, _ := h.runToEnd(h.seatedSession("collaborative", 1, 2))
	q, _ := s.Request("C1")
	if s.Verdict == nil || s.Status() != debate.Complete || q.State != ledger.AfterVerdict || len(s.Unanswered()) > 0 {
		t.Fatalf("%s, %+v", s.Status(), s.Requests)
	}
	c := verdict.Count(s)
	line := verdict.WordsOf(s, c).Line().String()
	if first := c.Cautions[0]; !strings.Contains(line, " · C1 open") || first.ID != verdict.CautionOpenQuestion || first.Missing {
		t.Errorf("the line is %q, the first caution %+v", line, first)
	}
	s, err := h.store.AddRounds(t.Context(), s.ID, 1)
	var blocked *debate.BlockedError
	if _, _, held := drain(h.engine.Start(t.Context(), s)); err != nil || !errors.As(held, &blocked) {
		t.Errorf("a round began without the answer: %v, %v", err, held)
	}
	s = h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	if s, _ = h.runToEnd(s); !strings.Contains(h.userPrompt("m2", 2), "Answer: forty-two") || len(s.History) != 2 {
		t.Errorf("%d rounds, m2 reads\n%s", len(s.History), h.userPrompt("m2", 2))
	}
}

func TestReadEvidence_showsAShortenedStatementInFull(t *testing.T) {
	t.Parallel()
	h := newCheckingHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyReading("R1:A", replyLong("b", 5000))})
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
