package engine_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// replyAfterRetry tells of a try that failed and took so many tokens, and then answers.
func replyAfterRetry(tokens int, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := then(n, req)
		lost := agents.Chunk{Retry: &agents.Retry{
			Cause: "overloaded", Try: 1, Of: 3,
			Failed: &agents.Failure{Usage: &agents.Usage{Input: tokens}},
		}}
		return append([]agents.Chunk{lost}, chunks...), err
	}
}

func TestLimiter_aTryOfTheLightModelThatCouldPassTheBudgetEndsItsCallAndNotTheDebate(t *testing.T) {
	t.Parallel()
	measures := replyText(`{"level": 1, "clusters": [], "common_ground": [], "disagreements": []}`)
	h := newHarness(t, map[string]replyFunc{"light": replyAfterRetry(9_000, measures), "a": replyText("So."), "b": replyText("So.")})
	s := h.smallSession("collaborative", 3, func(s *debate.Session) {
		addLight(s)
		s.Light.MaxTokens, s.Budget = 20_000, debate.Budget{Tokens: 30_000}
	}, "a", "b")
	_, s = h.run(s)
	if s.Stopped != debate.NotStopped || s.Verdict != nil {
		t.Fatalf("stopped by %q", s.Stopped)
	}
	if c := s.History[0].Consensus; c.Method != debate.ConsensusUnavailable || !strings.Contains(c.Cause,
		"The budget of 30000 tokens does not allow this call") {
		t.Errorf("the analysis: %+v", c)
	}
	for _, a := range s.AuxiliarySpending {
		if a.Purpose == debate.ForLight && a.Usage.Input < 9_000 {
			t.Errorf("what the try took is not counted: %+v", a)
		}
	}
	if _, s = h.run(s); len(s.History) != 2 || s.History[1].Ended.IsZero() || len(s.History[1].Statements()) != 2 {
		t.Errorf("the debate did not go on: %+v", s.Stopped)
	}
}

func TestLimiter_aTryOfAMemberThatCouldPassTheBudgetStopsTheDebate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyAfterRetry(9_000, replyText("So.")), "b": replyText("So.")})
	s := h.smallSession("collaborative", 3, func(s *debate.Session) {
		s.Seats[0].MaxTokens, s.Budget = 10_000, debate.Budget{Tokens: 15_000}
	}, "a", "b")
	_, s = h.run(s)
	if s.Stopped != debate.StoppedByBudget || s.Verdict == nil {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

// busyProvider has b under way while a tells of a try that failed.
type busyProvider struct {
	begun chan struct{} // b is under way
	told  chan struct{} // a has told, and knows what of it
}

func (c busyProvider) Stream(_ context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		switch req.Model {
		case "a":
			<-c.begun
			defer close(c.told)
			if !yield(agents.Chunk{Retry: &agents.Retry{
				Cause: "overloaded", Try: 1, Of: 3,
				Failed: &agents.Failure{Usage: &agents.Usage{Input: 6_000}},
			}}, nil) {
				return
			}
		case "b":
			close(c.begun)
			<-c.told
		}
		_ = yield(agents.Chunk{Text: "So."}, nil) && yield(agents.Chunk{Finish: agents.FinishStop}, nil)
	}
}

func TestLimiter_aTryThatFindsTheBudgetHeldByOthersEndsItsCallAndNotTheDebate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	h.useProvider(busyProvider{make(chan struct{}), make(chan struct{})})
	s := h.smallSession("collaborative", 3, func(s *debate.Session) {
		s.Seats[0].MaxTokens, s.Seats[1].MaxTokens, s.Budget = 10_000, 10_000, debate.Budget{Tokens: 25_000}
	}, "a", "b")
	_, s = h.run(s)
	if x := s.History[0].AttemptsOf("a")[0]; x.State != debate.TurnFailed || x.Failure.Kind != agents.KindBudget || x.Usage.Input < 6_000 {
		t.Errorf("the try: %s, %+v, %+v", x.State, x.Failure, x.Usage)
	}
	if s.Stopped != debate.NotStopped || s.Verdict != nil || len(s.History[0].Statements()) != 1 {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

func TestLimiter_aTryOfAChairThatCouldPassTheBudgetLeavesTheReportToTheNext(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	chair := replyAfterRetry(9_900, replyText("## Conclusion\nIt is so."))
	h.useProvider(perModelProvider{"boss": chair, "a": replyText("So."), "b": replyText("So.")})
	s := h.smallSession("collaborative", 1, func(s *debate.Session) {
		s.Chair = &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss", MaxTokens: 20_000}
		s.Budget = debate.Budget{Tokens: 30_000}
	}, "a", "b")
	_, s = h.run(s)
	if s.Verdict == nil || s.Verdict.Chair != "a" || !strings.Contains(strings.Join(s.Verdict.Warnings, " "),
		"Boss failed: The budget of 30000 tokens does not allow this call") {
		t.Errorf("verdict: %+v", s.Verdict)
	}
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Usage.Input < 9_000 {
		t.Errorf("what the try took is not counted: %+v", s.AuxiliarySpending)
	}
}

// perModelProvider has a line of its own for every model, also when it is the chair.
type perModelProvider map[string]replyFunc

func (s perModelProvider) Stream(_ context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		chunks, err := s[req.Model](1, req)
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
		if err != nil {
			yield(agents.Chunk{}, err)
		}
	}
}
