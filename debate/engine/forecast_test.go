package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/testing/debatetest"
)

func TestForecast_holdsWhatADebateTakes(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"collaborative", "adversarial"} {
		for _, rounds := range sampled([]int{1, 2, 4}, 2) {
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, nil)
				b := &meteredProvider{answer: func(agents.Request) int { return 500 }, speak: func(n int,
					req agents.Request,
				) ([]agents.Chunk, error) {
					if strings.Contains(req.Messages[0].Text, "You are the chair") {
						return replyText("## Conclusion\nSo.")(n, req)
					}
					return replyText(debatetest.Prose("it", 2000))(n, req)
				}}
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
						t.Errorf(
							"%s, %d rounds: %s came to %.4g, foreseen were %.4g to %.4g",
							mode,
							rounds,
							what,
							v.got,
							v.span.Low,
							v.span.High,
						)
					}
				}
				if left := budget.Estimate(s); left.Calls.High != 0 || left.Tokens.High != 0 {
					t.Errorf("after the verdict %+v is left", left)
				}
			})
		}
	}
}

func TestForecast_foreseesNoAnalysisByTheLightModel(t *testing.T) {
	t.Parallel()
	for mode, members := range map[string]int{"expert-panel": 2 * 3, "council": 2 * 3 * 2, "collaborative": 2 * 3} {
		synctest.Test(t, func(t *testing.T) {
			h := newHarness(t, nil)
			b := &meteredProvider{
				answer: func(agents.Request) int { return 500 },
				speak: func(n int, req agents.Request) ([]agents.Chunk, error) {
					if req.Model == "light" {
						return replyText("So.")(n, req)
					}
					return replyText(debatetest.Prose("it", 2000))(n, req)
				},
			}
			h.useProvider(b)
			s := h.smallSession(mode, 2, func(s *debate.Session) {
				withPrices(debate.Budget{})(s)
				in, out := readPrice, writePrice
				s.Light = &agents.Profile{ID: "light", Name: "Light", Provider: "test", Model: "light", PriceIn: &in, PriceOut: &out}
				for i := range s.Seats {
					s.Seats[i].ID, s.Seats[i].Name = agents.ID(fmt.Sprint("seat-", i)), fmt.Sprint("Seat ", i)
				}
			}, "a", "b", "c")
			f := budget.Estimate(s)
			if want := float64(members + 1); f.Calls.Low != want {
				t.Errorf("%s: %v calls are foreseen, want %v at least", mode, f.Calls, want)
			}
			if r, want := budget.EstimateRound(s, 1), float64(members/2); r.Calls.Low != want {
				t.Errorf("%s: %v calls of round 1, want %v", mode, r.Calls, want)
			}
			_, s = h.run(s)
			if r, want := budget.Estimate(s), float64(members/2+1); r.Calls.Low != want {
				t.Errorf("%s: %v calls are left after round 1, want %v", mode, r.Calls, want)
			}
			_, s = h.runToVerdict(s)
			if float64(b.calls) != f.Calls.Low || float64(b.tokens) < f.Tokens.Low || float64(b.tokens) > f.Tokens.High {
				t.Errorf("%s: it took %d calls and %d tokens, foreseen were %v and %v", mode, b.calls, b.tokens, f.Calls, f.Tokens)
			}
			for _, a := range s.AuxiliarySpending {
				if a.Purpose == debate.ForLight {
					t.Errorf("%s: the light model was asked %d times", mode, a.Calls)
				}
			}
		})
	}
}

func TestForecast_isHonestAboutPrices(t *testing.T) {
	t.Parallel()
	h := newHarness(t, nil)
	s := h.smallSession("collaborative", 2, withPrices(debate.Budget{}), "a", "b")
	s.Seats[1].PriceOut = nil
	f := budget.Estimate(s)
	if f.USD != nil || len(f.Unpriced) != 1 || f.Unpriced[0].ID != "b" || !strings.HasSuffix(f.String(), ", price unknown") {
		t.Errorf("forecast = %+v: %s", f, f)
	}
	free := 0.0
	for i := range s.Seats {
		s.Seats[i].PriceIn, s.Seats[i].PriceOut = &free, &free
	}
	if text := budget.Estimate(s).String(); !strings.HasSuffix(text, "free") || math.IsNaN(budget.Estimate(s).Tokens.Low) {
		t.Errorf("forecast = %s", text)
	}
}
