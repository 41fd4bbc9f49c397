package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
)

// replyAfterRetry tells of a try that failed and took so many tokens, and then answers.
func replyAfterRetry(tokens int, then replyFunc) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := then(n, req)
		failed := &agents.Failure{Usage: &agents.Usage{Input: tokens}}
		return append([]agents.Chunk{{Event: agents.Retry{Cause: "overloaded", Try: 1, Of: 3, Failed: failed}}}, chunks...), err
	}
}

func TestLimiter_aTryOfTheLightModelThatCouldPassTheBudgetEndsItsCallAndNotTheDebate(t *testing.T) {
	t.Parallel()
	h := newReview(t, replyAfterRetry(9_000, replyComparing))
	s := h.startReview(func(s *debate.Session) {
		addLight(s)
		s.Light.MaxTokens, s.Budget = 20_000, debate.Budget{Tokens: 30_000}
	})
	_, s = h.run(s)
	if s.Stopped != debate.NotStopped || s.Verdict != nil {
		t.Fatalf("stopped by %q", s.Stopped)
	}
	if same := s.History[0].Same; !strings.Contains(same.Ignored, "The budget of 30000 tokens does not allow this call") {
		t.Errorf("the comparison: %+v", same)
	}
	for _, a := range s.AuxiliarySpending {
		if a.Purpose == debate.ForLight && a.Usage.Input < 9_000 {
			t.Errorf("what the try took is not counted: %+v", a)
		}
	}
	if _, s = h.run(s); len(s.History) != 2 || s.History[1].Ended.IsZero() || len(s.History[1].Statements()) != 3 {
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

func TestLimiter_aTryThatFindsTheBudgetHeldByOthersWaitsForThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, map[string]replyFunc{"a": replyAfterRetry(6_000, replyText("So.")), "b": replyText("So.")})
		begun := make(chan struct{}) // b has started, and still runs when a reports a failed try
		h.useProvider(wrapped{h.provider, func(_ context.Context, req agents.Request, _ func(agents.Chunk, error) bool) bool {
			switch req.Model {
			case "a":
				<-begun
			case "b":
				close(begun)
				time.Sleep(time.Second) // of the test's own clock
			}
			return true
		}})
		s := h.smallSession("collaborative", 3, func(s *debate.Session) {
			s.Seats[0].MaxTokens, s.Seats[1].MaxTokens, s.Budget = 10_000, 10_000, debate.Budget{Tokens: 25_000}
		}, "a", "b")
		evs, s := h.run(s)
		queued := eventsOf[debate.TurnQueued](evs)
		if len(queued) != 2 || queued[0].Turn.Agent != "a" || !queued[0].Budget || queued[1].Turn != queued[0].Turn || queued[1].Budget {
			t.Errorf("queued: %+v", queued)
		}
		if x := s.History[0].AttemptsOf("a")[0]; x.State != debate.TurnDone || x.Usage.Input < 6_000 {
			t.Errorf("the try: %s, %+v, %+v", x.State, x.Failure, x.Usage)
		}
		if s.Stopped != debate.NotStopped || s.Verdict != nil || len(s.History[0].Statements()) != 2 {
			t.Errorf("stopped by %q", s.Stopped)
		}
	})
}

// What a server counted is compared with the estimate of the same request alone.
func TestLimiter_aRetryAfterAToolCallDoesNotDoubleTheScale(t *testing.T) {
	t.Parallel()
	counted := func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := replyAsking("How many?", replyText("So."))(n, req)
		chunks[len(chunks)-1].Usage = &agents.Usage{Input: req.Tokens() * 6 / 5, Output: 3}
		if req.Messages[len(req.Messages)-1].Role == agents.ToolRole {
			refusal := &agents.Failure{Kind: agents.KindBusy, Cause: "Too many requests.", Unprocessed: true}
			chunks = append([]agents.Chunk{{Event: agents.Retry{Cause: refusal.Cause, Try: 1, Of: 3, Failed: refusal}}}, chunks...)
		}
		return chunks, err
	}
	h := newHarness(t, nil)
	h.useProvider(perModel(map[string]replyFunc{"a": counted, "b": replyText("So.")}))
	s := h.session("collaborative", 2, "a", "b")
	_, s = h.run(s)
	for _, s := range []debate.Session{s, h.read(s)} {
		if len(s.PromptCounts) != 2 {
			t.Errorf("counted: %+v", s.PromptCounts)
		}
		if scale := budget.TokenScale(s, s.Seats[0], 2); scale < 1.19 || scale > 1.21 {
			t.Errorf("the scale of a is %v", scale)
		}
		if scale := budget.TokenScale(s, s.Seats[1], 2); scale != 1 { // its server counts nothing
			t.Errorf("the scale of b is %v", scale)
		}
	}
}

// Whether a round can be paid is said of the prompts that it would send.
func TestAffords_takesPromptsAsTheyAreFitted(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText(longStatement("a", 1, 20_000)), "b": replyText(longStatement("b", 1, 20_000))})
	s := h.smallSession("collaborative", 2, func(s *debate.Session) {
		for i := range s.Seats {
			s.Seats[i].ContextWindow = 4_000
		}
	}, "a", "b")
	_, s = h.run(s)
	s.Budget = debate.Budget{Tokens: budget.TotalSpending(s).Usage.Total() + 4_000, MaxOutput: 500}
	if err := h.engine.Affords(s); err != nil {
		t.Error(err)
	}
	s.Budget.Tokens -= 3_000
	if err := h.engine.Affords(s); err == nil {
		t.Error("a budget for no call is enough")
	}
}

// What passed the budget is said: a call that took more than was reserved, or a server that ignores
// max_tokens. Nothing is asked again.
func TestLimiter_saysWhatPassedTheBudget(t *testing.T) {
	t.Parallel()
	words := replyText(strings.Repeat("So it is. ", 3000))
	long := func(agents.Request) int { return 9_000 }
	for name, c := range map[string]struct {
		meter *meteredProvider
		says  string
	}{
		"more than reserved": {
			&meteredProvider{answer: func(agents.Request) int { return 10 }, speak: replyText("So."), surcharge: 9_000},
			"since a call took more than was reserved for it: ",
		},
		"max_tokens ignored": {
			&meteredProvider{answer: long, speak: words, unlimited: true},
			" ignores max_tokens, and an answer has 9000 tokens where 500 were allowed: ",
		},
		"ignored, not counted": {
			&meteredProvider{answer: long, speak: words, unlimited: true, silent: true}, " ignores max_tokens, and an answer has ",
		},
	} {
		h := newHarness(t, nil)
		h.useProvider(c.meter)
		s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget = debate.Budget{Tokens: 8_000, MaxOutput: 500} }, "a", "b")
		evs, s := h.runToVerdict(s)
		got := noticesByCode(evs)["budget_passed"]
		if len(got) == 0 || len(got) != c.meter.calls || !strings.HasPrefix(got[0].Text, "The budget of 8000 tokens is passed, since ") || !strings.Contains(got[0].Text, c.says) {
			t.Errorf("%s: notices: %+v", name, got)
		}
		if s.Stopped != debate.StoppedByBudget || c.meter.calls > 2 { // one if the other seat has not called before that
			t.Errorf("%s: stopped by %q after %d calls", name, s.Stopped, c.meter.calls)
		}
	}
}

// What a server that ignores max_tokens has once written is reserved from then on.
func TestLimiter_reservesWhatAServerWritesThatIgnoresMaxTokens(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	b := &meteredProvider{answer: func(agents.Request) int { return 9_000 }, speak: replyText("So."), unlimited: true}
	h.useProvider(b)
	s := h.smallSession("collaborative", 9, func(s *debate.Session) { s.Budget = debate.Budget{Tokens: 25_000, MaxOutput: 500} }, "a", "b")
	evs, s := h.runToVerdict(s)
	if got := noticesByCode(evs)["budget_passed"]; len(got) > 0 || b.tokens > 25_000 {
		t.Errorf("%d tokens were written; notices: %+v", b.tokens, got)
	}
	if s.Stopped != debate.StoppedByBudget {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

func TestLimiter_aTryOfAChairThatCouldPassTheBudgetLeavesTheReportToTheNext(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	chair := replyAfterRetry(9_900, replyText("## Conclusion\nIt is so."))
	h.useProvider(perModel(map[string]replyFunc{"boss": chair, "a": replyText("So."), "b": replyText("So.")}))
	s := h.smallSession("collaborative", 1, func(s *debate.Session) {
		s.Chair = &agents.Profile{ID: "boss", Name: "Boss", Provider: "test", Model: "boss", MaxTokens: 20_000}
		s.Budget = debate.Budget{Tokens: 30_000}
	}, "a", "b")
	_, s = h.run(s)
	if s.Verdict == nil || s.Verdict.Chair != "a" || !strings.Contains(strings.Join(s.Verdict.Notes, " "),
		"Boss could not be asked again: The budget of 30000 tokens does not allow this call") {
		t.Errorf("verdict: %+v", s.Verdict)
	}
	if len(s.AuxiliarySpending) != 1 || s.AuxiliarySpending[0].Usage.Input < 9_000 {
		t.Errorf("what the try took is not counted: %+v", s.AuxiliarySpending)
	}
}

// What a failed try took counts with the call that it is of, whether that is answered or not.
func TestRetries_areCountedWithTheirCall(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		reply := func(int, agents.Request) ([]agents.Chunk, error) {
			failed := &agents.Failure{Usage: &agents.Usage{Input: 7, Output: 3}}
			last := &agents.Usage{Input: 10, Output: 5}
			chunks := []agents.Chunk{{Event: agents.Retry{Cause: "overloaded", Try: 1, Of: 3, Failed: failed}}, {Text: "So."}}
			if fails {
				return chunks, &agents.Failure{Kind: agents.KindFilter, Cause: "It refuses.", Usage: last}
			}
			return append(chunks, agents.Chunk{Finish: agents.FinishStop, Usage: last}), nil
		}
		h := newHarness(t, map[string]replyFunc{"a": reply, "b": replyText("So.")})
		s := h.session("collaborative", 2, "a", "b")
		_, _, err := drain(h.engine.Start(h.Context(), s))
		var open *debate.RoundFailedError
		if err != nil && !errors.As(err, &open) {
			t.Fatal(err)
		}
		x := h.read(s).History[0].AttemptsOf("a")[0]
		if (x.Usage != agents.Usage{Input: 17, Output: 8}) || x.Calls != 2 || (x.Failure != nil) != fails || fails && x.Failure.Tries != 2 {
			t.Errorf("%d requests took %+v: %+v", x.Calls, x.Usage, x.Failure)
		}
	}
}
