package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/testing/must"
)

// meteredProvider is a provider that bills what it really reads and writes, at a dollar a
// million tokens read and ten a million written: more than is estimated, and
// tries that fail after they have begun too.
type meteredProvider struct {
	mu        sync.Mutex
	usd       float64
	most      float64 // at any time, with what is under way counted whole
	tokens    int
	calls     int
	open      int
	peak      int                                // calls at once
	answer    func(req agents.Request) (out int) // tokens written
	retry     int                                // every so many calls is tried twice
	silent    bool                               // says no usage
	surcharge int                                // tokens read that no estimate foresees
	unlimited bool                               // ignores max_tokens
	speak     replyFunc
}

const (
	readPrice  = 1.0
	writePrice = 10.0
)

func (b *meteredProvider) bill(in, out int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.usd += (float64(in)*readPrice + float64(out)*writePrice) / 1e6
	b.tokens += in + out
	b.most = max(b.most, b.usd)
}

func (b *meteredProvider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		b.mu.Lock()
		b.calls++
		n := b.calls
		b.open++
		b.peak = max(b.peak, b.open)
		b.mu.Unlock()
		defer func() {
			b.mu.Lock()
			b.open--
			b.mu.Unlock()
		}()
		in := req.Tokens()*6/5 + b.surcharge // a fifth more than is estimated
		out := b.answer(req)
		if req.MaxTokens > 0 && !b.unlimited {
			out = min(out, req.MaxTokens)
		}
		if b.retry > 0 && n%b.retry == 0 {
			b.bill(in, 1)
			failed := &agents.Failure{Usage: &agents.Usage{Input: in, Output: 1}}
			if !yield(agents.Chunk{Event: agents.Retry{Cause: "overloaded", Try: 1, Of: 3, Failed: failed}}, nil) {
				return
			}
		}
		time.Sleep(time.Duration(n) * time.Millisecond) // of the test's own clock
		b.bill(in, out)
		chunks, err := b.speak(n, req)
		if err != nil {
			yield(agents.Chunk{}, err)
			return
		}
		if !b.silent {
			chunks[len(chunks)-1].Usage = &agents.Usage{Input: in, Output: out}
		}
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// withPrices gives all speakers the bank's prices, and the session a budget.
func withPrices(b debate.Budget) func(*debate.Session) {
	return func(s *debate.Session) {
		in, out := readPrice, writePrice
		s.Budget = b
		for i := range s.Seats {
			s.Seats[i].PriceIn, s.Seats[i].PriceOut, s.Seats[i].ContextWindow, s.Seats[i].MaxTokens = &in, &out, 0, 0
		}
	}
}

func eightSeats() []string {
	var names []string
	for i := range 8 {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	return names
}

// runToVerdict plays until the verdict is written.
func (h *harness) runToVerdict(s debate.Session) ([]debate.Event, debate.Session) {
	h.Helper()
	var all []debate.Event
	for s.Verdict == nil {
		evs, next := h.run(s)
		all, s = append(all, evs...), next
	}
	return all, s
}

func TestLimiter_spendsNoMoreThanTheCapHoweverManySpendAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		budget debate.Budget
		retry  int
		speak  replyFunc
	}{
		"USD, with tools": {debate.Budget{USD: 0.10, MaxOutput: 1000}, 3, replyAsking("How many?", replyText("So it is."))},
		"both":            {debate.Budget{USD: 0.10, Tokens: 20_000, MaxOutput: 1000}, 2, replyText("So it is.")},
		"default answer":  {debate.Budget{USD: 0.10}, 2, replyText("So it is.")},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, nil)
				b := &meteredProvider{answer: func(agents.Request) int { return 700 }, retry: c.retry, speak: c.speak}
				h.useProvider(b)
				s := h.smallSession("collaborative", 40, withPrices(c.budget), eightSeats()...)
				s = h.runAnswering(s, "forty-two")
				if c.budget.USD > 0 && b.most > c.budget.USD || c.budget.Tokens > 0 && b.tokens > c.budget.Tokens {
					t.Errorf("billed are $%.4f and %d tokens under a budget of %s", b.most, b.tokens, c.budget)
				}
				if c.budget.USD > 0 && b.usd < c.budget.USD/3 && b.tokens < c.budget.Tokens/2 {
					t.Errorf("it stopped at $%.4f, long before the budget of %s", b.usd, c.budget)
				}
				if s.Verdict == nil || s.Stopped != debate.StoppedByBudget {
					t.Fatalf("status %s, verdict %+v", s.Status(), s.Verdict)
				}
				if spent := budget.TotalSpending(s); spent.Cost == nil || *spent.Cost > b.usd*1.01 || *spent.Cost < b.usd*0.99 {
					t.Errorf("the session says it has spent %v, billed are %v", *spent.Cost, b.usd)
				}
				if b.peak < 2 {
					t.Errorf("%d calls at once", b.peak)
				}
			})
		})
	}
}

// A seat that waits for the budget says so once, and those that wait are let in in their order.
func TestLimiter_letsThoseInThatWaitInTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		slowly := func(n int, req agents.Request) ([]agents.Chunk, error) {
			time.Sleep(time.Duration(n) * time.Second) // no two end at once
			return replyText("So it is.")(n, req)
		}
		h.useProvider(&meteredProvider{answer: func(agents.Request) int { return 100 }, speak: slowly})
		s := h.smallSession("collaborative", 1, withPrices(debate.Budget{USD: 0.03, MaxOutput: 1000}), eightSeats()...)
		evs, _ := h.run(s)
		queued := map[agents.ID]int{}
		var waited, let []agents.ID
		for _, ev := range evs {
			switch ev := ev.(type) {
			case debate.TurnQueued:
				if ev.Budget {
					waited = append(waited, ev.Turn.Agent)
				} else if queued[ev.Turn.Agent] == 1 {
					let = append(let, ev.Turn.Agent)
				}
				queued[ev.Turn.Agent]++
			}
		}
		if len(waited) < 3 {
			t.Fatalf("only %v waited", waited)
		}
		for id, n := range queued {
			if n > 2 {
				t.Errorf("%s was queued %d times", id, n)
			}
		}
		if len(let) == 0 || !slices.Equal(let, waited[:len(let)]) {
			t.Errorf("%v waited, and %v were let in", waited, let)
		}
	})
}

func TestLimiter_aBudgetInUSDNeedsPrices(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText(longStatement("a", 1, 20)), "b": replyText(longStatement("b", 1, 20))})
	s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget.USD = 1 }, "a", "b")
	_, _, err := drain(h.engine.Start(t.Context(), s))
	var unpriced *debate.UnpricedError
	if !errors.As(err, &unpriced) || len(unpriced.Speakers) != 2 {
		t.Fatalf("err = %v", err)
	}
	for _, want := range []string{"A (a, test)", "B (b, test)", "price_in", "tokens"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %q", err, want)
		}
	}
	if h.provider.count() != 0 {
		t.Error("a call was sent")
	}
	s = h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget = debate.Budget{USD: 1, Tokens: 100_000} }, "a", "b")
	if _, s = h.runToVerdict(s); s.Verdict.Chair == "" || s.Stopped != debate.NotStopped {
		t.Errorf("with a cap in tokens: %+v, stopped %q", s.Verdict, s.Stopped)
	}
}

func TestLimiter_aBudgetForNotASingleCallIsRefusedBeforeTheStart(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("x"), "b": replyText("y")})
	s := h.smallSession("collaborative", 2, func(s *debate.Session) { s.Budget.Tokens = 700 }, "a", "b")
	_, next, err := drain(h.engine.Start(t.Context(), s))
	var refused *debate.BudgetError
	if !errors.As(err, &refused) || h.provider.count() != 0 || len(next.History) != 0 {
		t.Fatalf("err = %v after %d calls", err, h.provider.count())
	}
	if s.Budget = refused.Needed; s.Budget.Tokens <= 700 || h.engine.Affords(s) != nil {
		t.Errorf("not afforded with what %q asks for: %v", err, h.engine.Affords(s))
	}
	if s.Budget.Tokens--; h.engine.Affords(s) == nil {
		t.Errorf("afforded with less than %q asks for", err)
	}
	h.run(h.changed(s, func(s *debate.Session) { s.Budget = refused.Needed }))
	sent := slices.Concat(h.provider.requests("a"), h.provider.requests("b"))
	if len(sent) != 1 || refused.Needed.Tokens < sent[0].Tokens()*5/4+500 { // an estimate may be a fifth too low
		t.Errorf("%d requests were sent with %d tokens", len(sent), refused.Needed.Tokens)
	}
}

func TestLimiter_moreOfItLetsAStoppedDebateGoOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	b := &meteredProvider{answer: func(agents.Request) int { return 700 }, speak: replyText("So it is.")}
	h.useProvider(b)
	s := h.smallSession("collaborative", 30, withPrices(debate.Budget{USD: 0.06, MaxOutput: 1000, WarnAt: 0.5}), "a", "b")
	if err := h.engine.Affords(s); err != nil {
		t.Errorf("before the start: %v", err)
	}
	evs, s := h.runToVerdict(s)
	told := noticesByCode(evs)["budget"]
	if s.Status() != debate.Stopped || len(told) != 1 || !strings.HasPrefix(told[0].Text, "Stopped by the budget at $0.0") ||
		!strings.HasSuffix(told[0].Text, " of $0.06.") {
		t.Errorf("%s, told: %+v", s.Status(), told)
	}
	calls, rounds := b.calls, len(s.History)
	err := h.engine.Affords(s)
	var poor *debate.BudgetError
	if !errors.As(err, &poor) || !strings.Contains(err.Error(), "the budget of $0.06 does not allow another call; $0.0") {
		t.Fatalf("after the stop: %v", err)
	}
	s = must.Get(h.store.SetBudget(t.Context(), s.ID, debate.Budget{USD: 0.15, MaxOutput: 1000, WarnAt: 0.5}))(t)
	if err := h.engine.Affords(s); err != nil || b.calls != calls {
		t.Errorf("with more: %v, %d calls", err, b.calls-calls)
	}
	s = must.Get(h.store.AddRounds(t.Context(), s.ID, 3))(t)
	evs, s = h.runToVerdict(s)
	warned := noticesByCode(evs)["budget_warning"]
	if len(s.History) <= rounds || b.usd > 0.15 || len(warned) != 1 || !strings.Contains(warned[0].Text, " of $0.15 spent.") {
		t.Errorf("%d rounds, $%.4f billed, warnings %+v", len(s.History), b.usd, warned)
	}
	if _, err := h.store.SetBudget(t.Context(), s.ID, debate.Budget{USD: -1}); err == nil {
		t.Error("a negative budget was taken")
	}
}

// The user is warned once, after the first request that takes the spending to the threshold.
func TestLimiter_warnsOfAPartThatIsSpent(t *testing.T) {
	t.Parallel()
	for _, b := range []debate.Budget{{USD: 0.06, MaxOutput: 1000, WarnAt: 0.5}, {Tokens: 20_000, MaxOutput: 1000, WarnAt: 0.5}} {
		h := newHarness(t, nil)
		h.useProvider(&meteredProvider{answer: func(agents.Request) int { return 700 }, speak: replyText("So it is.")})
		evs, _ := h.runToVerdict(h.smallSession("collaborative", 30, withPrices(b), "a", "b"))
		told := noticesByCode(evs)["budget_warning"]
		if len(told) != 1 {
			t.Fatalf("%s: %+v", b, told)
		}
		spent, err := strconv.ParseFloat(strings.Trim(strings.Fields(told[0].Text)[0], "$"), 64)
		if part := spent / max(b.USD, float64(b.Tokens)); err != nil || part < 0.5 || part > 0.7 {
			t.Errorf("%s: %v, %s", b, err, told[0].Text)
		}
	}
}

// What chair and light model took counts like the seats' turns, and what a fork was begun with does not.
func TestLimiter_countsWhatThisSessionHasPaid(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("So it is."), "b": replyText("So it is.")})
	_, played := h.run(h.smallSession("collaborative", 3, func(s *debate.Session) { s.Budget.Tokens = 50_000 }, "a", "b"))
	for name, c := range map[string]struct {
		spend func(x *debate.Response, s *debate.Session)
		poor  bool
	}{
		"nothing more": {func(*debate.Response, *debate.Session) {}, false},
		"a turn":       {func(x *debate.Response, _ *debate.Session) { x.Usage.Input = 50_000 }, true},
		"inherited":    {func(x *debate.Response, _ *debate.Session) { x.Usage.Input, x.Inherited = 50_000, true }, false},
		"a chair": {func(_ *debate.Response, s *debate.Session) {
			s.AuxiliarySpending = []debate.Spending{{Purpose: debate.ForChair, Usage: agents.Usage{Input: 50_000}}}
		}, true},
	} {
		s := played
		s.History = slices.Clone(s.History)
		s.History[0].Responses = slices.Clone(s.History[0].Responses)
		c.spend(&s.History[0].Responses[0], &s)
		if err := h.engine.Affords(s); (err != nil) != c.poor {
			t.Errorf("%s: %v", name, err)
		}
	}
}
