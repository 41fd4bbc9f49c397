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
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
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
	h := newReadingHarness(t, lines)
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
	s, err := h.store.AddRounds(t.Context(), s.ID, 2)
	must.Do(t, err)
	_, s = h.runRounds(s, 3)
	if s, err = h.store.AddEvidence(t.Context(), s.ID, evidenceFile("log.txt", 3)); err != nil {
		t.Fatal(err)
	}
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

// What is asked in the last round is a question after the verdict: the debate ends, and one more
// round starts only when it has an answer, which that round cites.
func TestTools_aQuestionInTheLastRoundIsOpenAfterTheVerdict(t *testing.T) {
	t.Parallel()
	h := newReadingHarness(t, map[string]replyFunc{
		"m1": replyCalling(replyText("So."), agents.ToolCall{Name: agents.RequestContextName, Args: `{"query":"A?","reason":"so"}`}),
		"m2": replyText("So."),
	})
	_, s := h.runToVerdict(h.seatedSession("collaborative", 1, 2))
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
	if _, s = h.runToVerdict(s); !strings.Contains(h.userPrompt("m2", 2), "Answer: forty-two") || len(s.History) != 2 {
		t.Errorf("%d rounds, m2 reads\n%s", len(s.History), h.userPrompt("m2", 2))
	}
}

func TestReadEvidence_showsAShortenedStatementInFull(t *testing.T) {
	t.Parallel()
	h := newReadingHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyReading("R1:A", replyLong("b", 5000))})
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
