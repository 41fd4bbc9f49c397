package engine_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// dear tells of a try that failed and took so many tokens, and then answers.
func dear(tokens int, then line) line {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := then(n, req)
		lost := agents.Chunk{Retry: &agents.Retry{Cause: "overloaded", Try: 1, Of: 3, Failed: &agents.Failure{Usage: &agents.Usage{Input: tokens}}}}
		return append([]agents.Chunk{lost}, chunks...), err
	}
}

func TestPurse_aTryOfTheLightModelThatCouldPassTheBudgetEndsItsCallAndNotTheDebate(t *testing.T) {
	measures := says(`{"level": 1, "clusters": [], "common_ground": [], "disagreements": []}`)
	tb := newTable(t, map[string]line{"light": dear(9_000, measures), "a": says("So."), "b": says("So.")})
	s := tb.shared("collaborative", 3, func(s *debate.Session) {
		light(s)
		s.Light.MaxTokens, s.Budget = 20_000, debate.Budget{Tokens: 30_000}
	}, "a", "b")
	_, s = tb.start(s)
	if s.Stopped != debate.NotStopped || s.Verdict != nil {
		t.Fatalf("stopped by %q", s.Stopped)
	}
	if c := s.History[0].Consensus; c.Method != debate.ConsensusUnavailable || !strings.Contains(c.Cause, "The budget of 30000 tokens does not allow this call") {
		t.Errorf("the analysis: %+v", c)
	}
	for _, a := range s.AuxiliarySpending {
		if a.Purpose == debate.ForLight && a.Usage.Input < 9_000 {
			t.Errorf("what the try took is not counted: %+v", a)
		}
	}
	if _, s = tb.start(s); len(s.History) != 2 || s.History[1].Ended.IsZero() || len(s.History[1].Statements()) != 2 {
		t.Errorf("the debate did not go on: %+v", s.Stopped)
	}
}

func TestPurse_aTryOfAMemberThatCouldPassTheBudgetStopsTheDebate(t *testing.T) {
	tb := newTable(t, map[string]line{"a": dear(9_000, says("So.")), "b": says("So.")})
	s := tb.shared("collaborative", 3, func(s *debate.Session) {
		s.Seats[0].MaxTokens, s.Budget = 10_000, debate.Budget{Tokens: 15_000}
	}, "a", "b")
	_, s = tb.start(s)
	if s.Stopped != debate.StoppedByBudget || s.Verdict == nil {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

// crowded has b under way while a tells of a try that failed.
type crowded struct {
	begun chan struct{} // b is under way
	told  chan struct{} // a has told, and knows what of it
}

func (c crowded) Stream(_ context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		switch req.Model {
		case "a":
			<-c.begun
			defer close(c.told)
			if !yield(agents.Chunk{Retry: &agents.Retry{Cause: "overloaded", Try: 1, Of: 3, Failed: &agents.Failure{Usage: &agents.Usage{Input: 6_000}}}}, nil) {
				return
			}
		case "b":
			close(c.begun)
			<-c.told
		}
		_ = yield(agents.Chunk{Text: "So."}, nil) && yield(agents.Chunk{Finish: agents.FinishStop}, nil)
	}
}

func TestPurse_aTryThatFindsTheBudgetHeldByOthersEndsItsCallAndNotTheDebate(t *testing.T) {
	tb := newTable(t, nil)
	tb.speakThrough(crowded{make(chan struct{}), make(chan struct{})})
	s := tb.shared("collaborative", 3, func(s *debate.Session) {
		s.Seats[0].MaxTokens, s.Seats[1].MaxTokens, s.Budget = 10_000, 10_000, debate.Budget{Tokens: 25_000}
	}, "a", "b")
	_, s = tb.start(s)
	if x := s.History[0].AttemptsOf("a")[0]; x.State != debate.TurnFailed || x.Failure.Kind != agents.KindBudget || x.Usage.Input < 6_000 {
		t.Errorf("the try: %s, %+v, %+v", x.State, x.Failure, x.Usage)
	}
	if s.Stopped != debate.NotStopped || s.Verdict != nil || len(s.History[0].Statements()) != 1 {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

func TestPurse_aTryOfAChairThatCouldPassTheBudgetLeavesTheReportToTheNext(t *testing.T) {
	tb := newTable(t, nil)
	chair := dear(9_900, says("## Conclusion\nIt is so."))
	tb.speakThrough(seated{"boss": chair, "a": says("So."), "b": says("So.")})
	s := tb.shared("collaborative", 1, func(s *debate.Session) {
		s.Chair = &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss", MaxTokens: 20_000}
		s.Budget = debate.Budget{Tokens: 30_000}
	}, "a", "b")
	_, s = tb.start(s)
	if s.Verdict == nil || s.Verdict.Chair != "a" || !strings.Contains(strings.Join(s.Verdict.Warnings, " "), "Boss failed: The budget of 30000 tokens does not allow this call") {
		t.Errorf("verdict: %+v", s.Verdict)
	}
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Usage.Input < 9_000 {
		t.Errorf("what the try took is not counted: %+v", s.AuxiliarySpending)
	}
}

// seated has a line of its own for every model, also when it is the chair.
type seated map[string]line

func (s seated) Stream(_ context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
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
