package engine_test

import (
	"math"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/debate/engine"
)

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
