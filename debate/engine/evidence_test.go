package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/modes"
)

// replyChecking calls fact_check in a turn's first completion.
func replyChecking(claim string, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		if len(req.Tools) == 0 || req.Messages[len(req.Messages)-1].Role == agents.ToolRole {
			return then(n, req)
		}
		return []agents.Chunk{{Finish: agents.FinishToolCalls, Calls: []agents.ToolCall{{
			ID: "x", Name: tools.FactCheckName,
			Args: fmt.Sprintf(`{"claim": %q}`, claim),
		}}}}, nil
	}
}

// newCheckingHarness is a table whose agents have fact_check.
func newCheckingHarness(t *testing.T, lines map[string]replyFunc) *harness {
	h := newHarness(t, lines)
	provider := func(agents.Profile) (agents.Provider, error) { return h.provider, nil }
	h.engine = engine.New(engine.Options{
		Recorder: h.store, Provider: provider,
		Tools: []tools.Tool{tools.RequestContext{}, tools.FactCheck{}},
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

func TestFactCheck_answersWithLabelsWhereNamesAreHidden(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyChecking("the ledger is append-only",
			replyText(fmt.Sprintf("I, Seat%d, say that the ledger is append-only, as seat%d on m%d does.", i, i%3+1, i%3+1)))
	}
	h := newCheckingHarness(t, lines)
	_, s := h.runRounds(h.seatedSession("delphi", 3, 3), 3)
	for i := 1; i <= 3; i++ {
		told := h.toolResults(fmt.Sprint("m", i))
		if len(told) != 3 || !strings.HasPrefix(told[0], "No other member has said anything yet") {
			t.Fatalf("seat %d is told %q", i, told)
		}
		for n, text := range told[1:] {
			if strings.Contains(text, fmt.Sprintf("Participant %d mentions", i)) || strings.Count(text, "mentions it, in round "+fmt.Sprint(n+1)) != 2 {
				t.Errorf("seat %d is told in round %d:\n%s", i, n+2, text)
			}
			for _, name := range []string{"seat1", "seat2", "seat3", "m1", "m2", "m3"} {
				if strings.Contains(strings.ToLower(text), name) {
					t.Errorf("seat %d reads %s:\n%s", i, name, text)
				}
			}
		}
	}
	if got := s.History[1].Responses[0].Passages[0].Tools[0].Result.Summary; got != "Participant 2, Participant 3 mention it" {
		t.Errorf("the user reads %q", got)
	}
}

func TestFactCheck_knowsWhatTheTurnMaySeeAndNoMore(t *testing.T) {
	t.Parallel()
	lines := map[string]replyFunc{}
	for i := 1; i <= 3; i++ {
		lines[fmt.Sprint("m", i)] = replyChecking("it holds", replyText(fmt.Sprintf("it holds, says %d", i)))
	}
	h := newCheckingHarness(t, lines)
	s, err := h.store.AddEvidence(t.Context(), h.seatedSession("adversarial", 2, 3).ID, evidenceFile("a.log", 3))
	if err != nil {
		t.Fatal(err)
	}
	h.runRounds(s, 2)
	for i, want := range [][3]string{ // in round 1, in round 2, and in the phase after that
		{"", "Seat2 in 1, Seat3 in 1", "Seat2 in 2, Seat3 in 2"},
		{"Seat1 in 1", "Seat1 in 2, Seat3 in 1", "Seat1 in 2, Seat3 in 2"},
		{"Seat1 in 1, Seat2 in 1", "Seat1 in 2, Seat2 in 2", "Seat1 in 2, Seat2 in 2"},
	} {
		told := h.toolResults(fmt.Sprint("m", i+1))
		for n, text := range told {
			var got []string
			for _, l := range strings.Split(text, "\n") {
				var who string
				var round int
				if _, err := fmt.Sscanf(l, "%s mentions it, in round %d:", &who, &round); err == nil {
					got = append(got, fmt.Sprintf("%s in %d", who, round))
				}
			}
			if all := strings.Join(got, ", "); all != want[n] {
				t.Errorf("seat %d is told in turn %d of %q, want %q", i+1, n+1, all, want[n])
			}
			if n := strings.Count(text, ": the statement stands above in full."); n != len(got) || strings.Contains(text, "it holds, says") {
				t.Errorf("seat %d is told of %d statements where they stand, want %d, and none again:\n%s", i+1, n, len(got), text)
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
		for rounds, want := range map[int]string{1: "request_context", 2: "request_context", 3: "fact_check, request_context"} {
			h := newCheckingHarness(t, lines)
			h.engine = engine.New(engine.Options{
				Recorder: h.store, Provider: func(agents.Profile) (agents.Provider, error) { return h.provider, nil },
				Tools: []tools.Tool{tools.RequestContext{}, tools.FactCheck{}}, AskAgain: true,
			})
			s := h.seatedSession("delphi", rounds, 3)
			s.ID, s.Mode, s.Question = "", withOptions(t, m), debate.QuestionYesNo
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
	want := []string{"request_context", "request_context", "request_context", "fact_check, request_context"}
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

func TestTools_aQuestionInTheLastRoundIsRefusedWithWhatToDo(t *testing.T) {
	t.Parallel()
	h := newCheckingHarness(t, map[string]replyFunc{
		"m1": replyCalling(replyText("So."), agents.ToolCall{Name: agents.RequestContextName, Args: `{"query":"A?","reason":"so"}`},
			agents.ToolCall{Name: agents.RequestContextName, Args: `{"query":"B?","reason":"so"}`},
			agents.ToolCall{Name: agents.RequestContextName, Args: `{"query":"D?","reason":"so"}`}),
		"m2": replyText("So."),
	})
	_, s := h.runRounds(h.seatedSession("collaborative", 1, 2), 1)
	x := s.History[0].Responses[0]
	if x.State != debate.TurnDone || len(s.Requests) > 0 {
		t.Errorf("the turn is %s, %d questions", x.State, len(s.Requests))
	}
	for _, told := range h.toolResults("m1") {
		if !strings.HasPrefix(told, "final round 1 of 1; no later round can use it. Write your whole statement now") {
			t.Errorf("m1 is told %q", told)
		}
	}
}

func TestFactCheck_showsAShortenedStatementInFull(t *testing.T) {
	t.Parallel()
	const claim = "a thinks in sentence"
	h := newCheckingHarness(t, map[string]replyFunc{"a": replyLong("a", 5000), "b": replyChecking(claim, replyLong("b", 5000))})
	_, s := h.runRounds(h.smallSession("collaborative", 3, func(s *debate.Session) { s.Seats[1].ContextWindow = 4600 }, "a", "b"), 3)
	told := h.toolResults("b")
	x := s.History[2].Responses[1]
	if x.ContextFit == nil || len(x.ContextFit.Excerpts) == 0 || len(told) < 2 {
		t.Fatalf("nothing is shortened, or the tool was not called: %+v, %d results", x.ContextFit, len(told))
	}
	last := s.History[1].Responses[0]
	inFull := !slices.ContainsFunc(x.ContextFit.Excerpts, func(e debate.Excerpt) bool { return e.Response == last.ID() })
	if blocks, _ := debatetest.ReadBlocks(t, told[len(told)-1]); (len(blocks) == 0) != inFull {
		t.Errorf("the prompt has the statement in full: %v; the tool answers\n%s", inFull, told[len(told)-1])
	}
}
