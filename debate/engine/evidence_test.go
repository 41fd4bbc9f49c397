package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate/debatetest"
	"roundtable/debate/engine"
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
	h.runRounds(h.seatedSession("adversarial", 2, 3), 2)
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
			if blocks, _ := debatetest.ReadBlocks(t, text); len(blocks) != len(got) {
				t.Errorf("seat %d: %d blocks of %d statements", i+1, len(blocks), len(got))
			}
		}
	}
}
