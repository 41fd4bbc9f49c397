package engine_test

import (
	"math"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/engine"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestSpent_countsEveryCallAndNeverTakesAnUnknownPriceForNothing(t *testing.T) {
	t.Parallel()
	streams := func(events ...string) endpoint.Reply {
		return endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) { endpoint.Stream(w, events...) }}
	}
	breaksOff := streams(`{"choices":[{"delta":{"content":"I would say"}}],"usage":{"prompt_tokens":50,"completion_tokens":3}}`)
	refuses := streams(`{"choices":[{"delta":{"refusal":"I will not."},"finish_reason":"stop"}],`+
		`"usage":{"prompt_tokens":1000,"completion_tokens":10}}`, "[DONE]")
	replies := map[string][]endpoint.Reply{"m1": {breaksOff, {Text: "So it is."}}, "m2": {refuses}, "m3": {{Status: 503}, {Text: "Yes."}}}
	srv := endpoint.New(t, scriptedReplies(replies))
	h := newHarness(t, nil)
	h.useServer(srv)
	in, out := 1000.0, 2000.0 // USD per million, so that sums are easily read
	s := h.changed(h.session("collaborative", 2, "m1", "m2", "m3"), func(s *debate.Session) {
		for i := range 2 {
			s.Seats[i].PriceIn, s.Seats[i].PriceOut = &in, &out
		}
	})
	_, s = h.run(s)
	type row struct {
		Usage agents.Usage
		USD   float64 // -1: unknown
		Sent  int
	}
	usd := func(cost *float64) float64 {
		if cost == nil {
			return -1
		}
		return *cost
	}
	got := map[string]row{}
	for _, x := range s.History[0].Responses {
		got[x.ID()] = row{x.Usage, usd(x.Cost), x.Calls}
		_, receipt, err := h.store.Prompt(t.Context(), s.ID, x.Turn, 1)
		if err != nil || receipt.Usage != x.Usage || usd(receipt.Cost) != usd(x.Cost) {
			t.Errorf("%s took %+v, its only call %+v (%v)", x.ID(), x.Usage, receipt.Usage, err)
		}
	}
	want := map[string]row{
		"r1.s0.m1.a1": {agents.Usage{Input: 50, Output: 3}, 0.056, 1},
		"r1.s0.m1.a2": {agents.Usage{Input: 10, Output: 5}, 0.02, 1},
		"r1.s0.m2.a1": {agents.Usage{Input: 1000, Output: 10}, 1.02, 1},
		"r1.s0.m3.a1": {agents.Usage{Input: 10, Output: 5}, -1, 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if sum := budget.MemberSpending(s); sum.Calls != 5 || sum.Cost != nil || sum.Usage.Input != 1070 {
		t.Errorf("the session took %+v", sum)
	}
	listed, err := h.store.Sessions(t.Context(), store.Query{})
	if err != nil || listed[0].Cost != nil || listed[0].Tokens != 1093 {
		t.Errorf("the list says %+v, %v", listed, err)
	}
	_, s = h.run(s)
	if total := budget.TotalSpending(s); total.Cost != nil || total.Calls != 5+3+1 {
		t.Errorf("in all it took %+v", total)
	}
}

// What the chair of a superseded verdict took stays spent: while more rounds are
// played, in the verdict that follows, and in lists.
func TestSpent_keepsWhatASupersededVerdictTook(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("Yes."), "b": replyText("No.")})
	_, s := h.run(h.session("collaborative", 2, "a", "b"))
	_, s = h.run(s)
	said := func(when string, s debate.Session) {
		t.Helper()
		if got, want := budget.TotalSpending(s).Calls, h.provider.count(); got != want {
			t.Errorf("%s: %d calls are spent, %d were made", when, got, want)
		}
		listed, err := h.store.Sessions(t.Context(), store.Query{})
		if u := budget.TotalSpending(s).Usage; err != nil || listed[0].Tokens != u.Input+u.Output {
			t.Errorf("%s: the list says %d tokens, the session %+v (%v)", when, listed[0].Tokens, u, err)
		}
	}
	said("with the verdict", s)
	s = must.Get(h.store.AddRounds(t.Context(), s.ID, 2))(t)
	said("with rounds added", s)
	_, s = h.run(s)
	said("with another round", s)
	_, s = h.run(s)
	said("with the next verdict", s)
	if s.Verdict == nil || s.ChairTurns != 2 {
		t.Fatalf("%d turns of chairs", s.ChairTurns)
	}
}

// listedAsShown holds that a session used the same in the list as by itself.
func (h *harness) listedAsShown(s debate.Session) {
	h.Helper()
	list := must.Get(h.store.Sessions(h.Context(), store.Query{ID: s.ID}))(h)
	spent := budget.TotalSpending(s)
	if list[0].Tokens != spent.Usage.Total() || list[0].Cost == nil || spent.Cost == nil || math.Abs(*list[0].Cost-*spent.Cost) > 1e-9 {
		h.Errorf("%d tokens for %v in the list, %d for %v itself", list[0].Tokens, list[0].Cost, spent.Usage.Total(), spent.Cost)
	}
}

// noticingProvider is a provider that tells something of itself.
type noticingProvider struct {
	agents.Provider
	notices []string
}

func (o noticingProvider) Notices() []string { return o.notices }

func TestNotices_ofAProviderAreKeptAndToldOnce(t *testing.T) {
	t.Parallel()
	told := []string{"providers.test.base_url: /v1 was added; used is http://localhost/v1."}
	h := newHarness(t, map[string]replyFunc{"a": replyText("Fine."), "b": replyText("Fine.")})
	h.useProvider(noticingProvider{h.provider, told})
	evs, s := h.run(h.session("collaborative", 3, "a", "b"))
	again, s := h.run(s)
	var heard []string
	for _, n := range eventsOf[debate.Noticed](slices.Concat(evs, again)) {
		heard = append(heard, n.Notice.Text)
	}
	if len(s.Notices) != 1 || s.Notices[0].Round != 1 || s.Notices[0].Code != "provider" || !slices.Equal(heard, told) {
		t.Errorf("heard %q, kept %+v", heard, s.Notices)
	}
}

// A debate that is continued on a day with another price pays that, and its estimate says so.
func TestStart_countsThePriceOfTheDay(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 1), "b": replyHolding("yes", 1)})
	day := time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC)
	now := func() time.Time { return day }
	h.use(engine.Options{Now: now})
	price, change := 1.0, day.Add(time.Minute)
	later := []agents.Prices{{From: change, In: 2, Out: 2}, {From: change.AddDate(0, 1, 0), In: 9, Out: 9}}
	s := h.changed(h.session("collaborative", 2, "a", "b"), func(s *debate.Session) {
		for i := range s.Seats {
			s.Seats[i].PriceIn, s.Seats[i].PriceOut = &price, &price
		}
		s.Seats[0].Later = later
	})
	_, s = h.run(s)
	open := control.New(s, control.Options{Now: now}) // and stays open
	estimate := func() float64 {
		open.SetSession(s)
		return budget.EstimateRound(open.Session(), 2).USD.High
	}
	before := estimate()
	day = change
	if ratio := estimate() / before; math.Abs(ratio-1.5) > 1e-9 {
		t.Errorf("one seat of two costs twice as much, and the estimate grew by %v", ratio)
	}
	_, s = h.run(s)
	for _, r := range s.History {
		for _, x := range r.Responses {
			want := float64(x.Usage.Input + x.Usage.Output)
			if x.Turn.Agent == "a" && r.Number == 2 {
				want *= 2
			}
			if got := *x.Cost * 1e6; want == 0 || math.Abs(got-want) > 1e-6 {
				t.Errorf("round %d: %s cost %v, want %v", r.Number, x.Turn.Agent, got, want)
			}
		}
	}
}

func TestForecast_holdsWhatADebateTakes(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"collaborative", "adversarial"} {
		for _, rounds := range []int{1, 3} {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, nil)
				speak := replyAsChair(replyText("## Conclusion\nSo."), replyText(debatetest.Prose("it", 2000)))
				b := &meteredProvider{answer: func(agents.Request) int { return 500 }, speak: speak}
				h.useProvider(b)
				s := h.smallSession(mode, rounds, withPrices(debate.Budget{}), "a", "b", "c")
				f := budget.Estimate(s)
				if f.USD == nil || len(f.Unpriced) != 0 || f.Calls.Low > f.Calls.High || f.Tokens.Low > f.Tokens.High ||
					f.USD.Low > f.USD.High {
					t.Fatalf("forecast = %+v", f)
				}
				for s.Verdict == nil {
					live := budget.Estimate(s)
					if live.Calls.High > f.Calls.High {
						t.Errorf("%s, %d rounds: after round %d more calls are left than before it", mode, rounds, len(s.History))
					}
					_, s = h.run(s)
				}
				for what, v := range map[string]struct {
					span budget.Range
					got  float64
				}{"calls": {f.Calls, float64(b.calls)}, "tokens": {f.Tokens, float64(b.tokens)}, "USD": {*f.USD, b.usd}} {
					if v.got < v.span.Low || v.got > v.span.High {
						t.Errorf("%s, %d rounds: %s came to %.4g, foreseen were %.4g to %.4g",
							mode, rounds, what, v.got, v.span.Low, v.span.High)
					}
				}
				if left := budget.Estimate(s); left.Calls.High != 0 || left.Tokens.High != 0 {
					t.Errorf("after the verdict %+v is left", left)
				}
			})
		}
	}
}

// useServer makes the engine speak to a server.
func (h *harness) useServer(srv *endpoint.Server) {
	h.Helper()
	client := must.Get(openai.New("test", openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{Rand: func() float64 { return 0 }}))(h)
	h.useProvider(client)
}

// scriptedReplies answers each model with its replies in turn, the last one for ever, and
// whom it does not know with a statement.
func scriptedReplies(replies map[string][]endpoint.Reply) func(endpoint.Request) endpoint.Reply {
	var mu sync.Mutex
	return func(r endpoint.Request) endpoint.Reply {
		mu.Lock()
		defer mu.Unlock()
		all := replies[r.Model]
		if len(all) == 0 {
			return endpoint.Reply{Text: "Fine, says " + r.Model + "."}
		}
		if len(all) > 1 {
			replies[r.Model] = all[1:]
		}
		return all[0]
	}
}

// A wait that a provider asks for ends when the user says so, that of the chair too.
func TestRetryNow_endsTheWaitForAProvider(t *testing.T) {
	t.Parallel()
	pauses := endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}}
	for _, model := range []string{"a", "chair"} {
		t.Run(model, func(t *testing.T) {
			srv := endpoint.New(t, scriptedReplies(map[string][]endpoint.Reply{model: {pauses, {Text: "## Conclusion\nSo it is."}}}))
			h := newHarness(t, nil)
			h.useServer(srv)
			s := h.changed(h.session("collaborative", 1, "a", "b"), func(s *debate.Session) {
				s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Provider: "test", Model: "chair"}
			})
			run := h.engine.Start(t.Context(), s)
			waits := 0
			_, s, err := each(run, func(ev debate.Event) {
				if ev, ok := ev.(debate.TurnRetrying); ok {
					waits++
					if ev.Retry.In < 59*time.Minute || time.Until(ev.Retry.Until) < 59*time.Minute {
						t.Errorf("paused for %s until %s", ev.Retry.In, ev.Retry.Until)
					}
					run.RetryNow("nobody")
					run.RetryNow(ev.Turn.Agent)
				}
			})
			if err != nil || waits != 1 || s.Verdict == nil || s.Verdict.Chair != "zed" || len(s.Current().Statements()) != 2 {
				t.Errorf("%v, %d waits, %s, %+v", err, waits, s.Status(), s.Verdict)
			}
		})
	}
}
