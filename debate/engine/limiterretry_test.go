package engine_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/store"
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

// busyProvider has b under way for a while after a has told of a try that failed.
type busyProvider struct {
	begun chan struct{} // b is under way
	told  chan struct{} // a tells of its try
}

func (c busyProvider) Stream(_ context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		switch req.Model {
		case "a":
			<-c.begun
			close(c.told)
			if !yield(agents.Chunk{Retry: &agents.Retry{
				Cause: "overloaded", Try: 1, Of: 3,
				Failed: &agents.Failure{Usage: &agents.Usage{Input: 6_000}},
			}}, nil) {
				return
			}
		case "b":
			close(c.begun)
			<-c.told
			time.Sleep(time.Second) // of the test's own clock
		}
		_ = yield(agents.Chunk{Text: "So."}, nil) && yield(agents.Chunk{Finish: agents.FinishStop}, nil)
	}
}

func TestLimiter_aTryThatFindsTheBudgetHeldByOthersWaitsForThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.useProvider(busyProvider{make(chan struct{}), make(chan struct{})})
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

// A server that refuses a request has not read it, so that it takes nothing of the budget.
func TestLimiter_aRefusedTryTakesNothing(t *testing.T) {
	t.Parallel()
	refusal := &agents.Failure{Kind: agents.KindBusy, Cause: "Too many requests.", Unprocessed: true}
	refusedOnce := func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := replyText("So.")(n, req)
		return append([]agents.Chunk{{Retry: &agents.Retry{Cause: refusal.Cause, Try: 1, Of: 3, Failed: refusal}}}, chunks...), err
	}
	refused := func(int, agents.Request) ([]agents.Chunk, error) { return nil, refusal }
	h := newHarness(t, nil)
	h.useProvider(perModelProvider{"a": refusedOnce, "b": refused})
	s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget = debate.Budget{Tokens: 3_000, MaxOutput: 1_000} }, "a", "b")
	_, s = h.run(s)
	a, b := s.History[0].AttemptsOf("a")[0], s.History[0].AttemptsOf("b")[0]
	if a.State != debate.TurnDone || a.Usage.Input != h.estimateOf(a) {
		t.Errorf("refused once: %s, %+v, %+v", a.State, a.Failure, a.Usage)
	}
	if b.Failure == nil || b.Failure.Kind != agents.KindBusy || b.Usage != (agents.Usage{}) {
		t.Errorf("refused: %+v, %+v", b.Failure, b.Usage)
	}
	if s.Stopped != debate.NotStopped {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

// What a server counted is compared with the estimate of the same request alone.
func TestLimiter_aRetryAfterAToolCallDoesNotDoubleTheScale(t *testing.T) {
	t.Parallel()
	counted := func(n int, req agents.Request) ([]agents.Chunk, error) {
		chunks, err := replyAsking("How many?", replyText("So."))(n, req)
		chunks[len(chunks)-1].Usage = &agents.Usage{Input: req.Tokens() * 6 / 5, Output: 3}
		if req.Messages[len(req.Messages)-1].Role == agents.ToolRole {
			refusal := &agents.Failure{Kind: agents.KindBusy, Cause: "Too many requests.", Unprocessed: true}
			chunks = append([]agents.Chunk{{Retry: &agents.Retry{Cause: refusal.Cause, Try: 1, Of: 3, Failed: refusal}}}, chunks...)
			chunks[len(chunks)-1].Tries = 2
		}
		return chunks, err
	}
	h := newHarness(t, nil)
	h.useProvider(perModelProvider{"a": counted, "b": replyText("So.")})
	s := h.session("collaborative", 2, "a", "b")
	_, s = h.run(s)
	stored, err := h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []debate.Session{s, stored} {
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

// A request that was sent and cut before any text came has taken its prompt.
func TestLimiter_aRequestThatWasCutOffCountsItsPrompt(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]error{
		"silence":     &agents.Failure{Kind: agents.KindSilence, Cause: "It fell silent."},
		"not counted": &agents.Failure{Kind: agents.KindTruncated, Cause: "It was cut.", Usage: &agents.Usage{}},
		"unknown":     errors.New("cut"),
	} {
		h := newHarness(t, nil)
		cut := func(int, agents.Request) ([]agents.Chunk, error) { return nil, fault }
		h.useProvider(perModelProvider{"a": cut, "b": replyText("So.")})
		s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget = debate.Budget{Tokens: 30_000} }, "a", "b")
		_, s = h.run(s)
		x := s.History[0].AttemptsOf("a")[0]
		if n := h.estimateOf(x); n == 0 || x.Usage != (agents.Usage{Input: n, Estimated: true}) {
			t.Errorf("%s: %+v, the prompt has %d", name, x.Usage, n)
		}
		if spent := budget.TotalSpending(s).Usage.Input; spent <= x.Usage.Input {
			t.Errorf("%s: %d are spent", name, spent)
		}
	}
}

// estimateOf returns the estimate of a response's first prompt.
func (h *harness) estimateOf(x debate.Response) int {
	h.Helper()
	all, err := h.store.Receipts(h.Context(), x.Turn.Session)
	if err != nil {
		h.Fatal(err)
	}
	for _, r := range all {
		if r.Turn == x.Turn {
			return r.Estimate
		}
	}
	return 0
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

func TestLimiter_saysThatACallTookMoreThanWasReserved(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	h.useProvider(&meteredProvider{answer: func(agents.Request) int { return 10 }, speak: replyText("So."), surcharge: 9_000})
	s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget = debate.Budget{Tokens: 8_000, MaxOutput: 500} }, "a", "b")
	evs, s := h.runToVerdict(s)
	got := noticesByCode(evs)["budget_passed"]
	if len(got) == 0 || !strings.HasPrefix(got[0].Text, "The budget of 8000 tokens is passed, since a call took more than was reserved for it: ") {
		t.Errorf("notices: %+v", got)
	}
	if s.Stopped != debate.StoppedByBudget {
		t.Errorf("stopped by %q", s.Stopped)
	}
}

// A server that ignores max_tokens is named when it has passed the budget, and is not asked again.
func TestLimiter_namesAServerThatIgnoresMaxTokens(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]bool{"it counts": false, "it does not": true} {
		h := newHarness(t, nil)
		words := replyText(strings.Repeat("So it is. ", 3000))
		b := &meteredProvider{answer: func(agents.Request) int { return 9_000 }, speak: words, unlimited: true, silent: silent}
		h.useProvider(b)
		s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget = debate.Budget{Tokens: 8_000, MaxOutput: 500} }, "a", "b")
		evs, s := h.runToVerdict(s)
		got := noticesByCode(evs)["budget_passed"]
		if len(got) == 0 || !strings.HasPrefix(got[0].Text, "The budget of 8000 tokens is passed, since the server of ") ||
			!silent && !strings.Contains(got[0].Text, " ignores max_tokens, and an answer has 9000 tokens where 500 were allowed: ") ||
			!strings.Contains(got[0].Text, " ignores max_tokens, and an answer has ") {
			t.Errorf("%s: notices: %+v", name, got)
		}
		if s.Stopped != debate.StoppedByBudget || b.calls > 2 { // one if the other seat has not called before that
			t.Errorf("%s: stopped by %q after %d calls", name, s.Stopped, b.calls)
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

func TestLimiter_aForkHasABudgetOfItsOwn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	b := &meteredProvider{answer: func(agents.Request) int { return 700 }, speak: replyText("So it is.")}
	h.useProvider(b)
	parent := h.smallSession("collaborative", 30, withPrices(debate.Budget{USD: 0.06, MaxOutput: 1000}), "a", "b")
	_, parent = h.runToVerdict(parent)
	if parent.Stopped != debate.StoppedByBudget {
		t.Fatalf("stopped by %q", parent.Stopped)
	}
	took := b.usd
	f, err := h.store.Fork(t.Context(), parent.ID, debate.ForkPlan{Round: 1})
	if err != nil {
		t.Fatal(err)
	}
	inherited := budget.InheritedSpending(f)
	if err := h.engine.Affords(f); err != nil || *budget.TotalSpending(f).Cost != 0 || *inherited.Cost <= 0 {
		t.Fatalf("the fork spent %+v and inherited %+v: %v", budget.TotalSpending(f), inherited, err)
	}
	_, f = h.runToVerdict(f)
	if own := *budget.TotalSpending(f).Cost; own < 0.03 || own > 0.06 || own < (b.usd-took)*0.99 || own > (b.usd-took)*1.01 {
		t.Errorf("the fork spent $%.4f, billed are $%.4f", own, b.usd-took)
	}
	if got := budget.InheritedSpending(f); *got.Cost != *inherited.Cost {
		t.Errorf("inherited are %+v", got)
	}
	list, err := h.store.Sessions(t.Context(), store.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.ID == f.ID && (l.Cost == nil || *l.Cost < *budget.TotalSpending(f).Cost*0.99 || *l.Cost > *budget.TotalSpending(f).Cost*1.01) {
			t.Errorf("listed are %v", l.Cost)
		}
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
	if s.Verdict == nil || s.Verdict.Chair != "a" || !strings.Contains(strings.Join(s.Verdict.Notes, " "),
		"Boss could not be asked again: The budget of 30000 tokens does not allow this call") {
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
