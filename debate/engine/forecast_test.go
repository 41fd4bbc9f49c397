package engine_test

import (
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
		for _, rounds := range []int{1, 3} {
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
