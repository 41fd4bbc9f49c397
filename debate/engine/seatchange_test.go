package engine_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

func TestChangeSeat_asksTheOtherModelFromTheNextRoundOn(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyHolding("yes", 1), "b": replyHolding("yes", 1), "x": replyHolding("no", 1)})
	_, s := h.run(h.smallSession("collaborative", 3, func(s *debate.Session) { s.Question = debate.QuestionYesNo }, "a", "b"))
	before := budget.EstimateRound(s, 2)
	price := 5.0
	other := agents.Profile{Provider: "test", Model: "x", PriceIn: &price, PriceOut: &price, ContextWindow: 9000}
	s, err := h.store.ChangeSeat(t.Context(), s.ID, "a", other)
	if err != nil {
		t.Fatal(err)
	}
	if f := budget.EstimateRound(s, 2); before.Tokens != f.Tokens || len(before.Unpriced) != 2 || len(f.Unpriced) != 1 {
		t.Errorf("the estimate has %d without a price, then %d", len(before.Unpriced), len(f.Unpriced))
	}
	h.open()
	s, err = h.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	_, s = h.runRounds(s, 2)
	if n := len(h.userTexts("a", "1")); n != 1 || len(h.userTexts("a", "2")) != 0 || len(h.userTexts("x", "2")) != 1 {
		t.Errorf("asked: a %d times in round 1, %d in round 2; x %d", n, len(h.userTexts("a", "2")), len(h.userTexts("x", "2")))
	}
	all, err := h.store.Receipts(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Purpose != debate.ForMember || r.Turn.Agent != "a" {
			continue
		}
		req, r, err := h.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
		if err != nil {
			t.Fatal(err)
		}
		got, err := report.ReceiptOf(s, req, r)
		want := map[int]string{1: "a", 2: "x"}[r.Turn.Round]
		if err != nil || got.Speaker.Model != want || len(got.Pieces) == 0 || req.Model != want {
			t.Errorf("round %d: sent to %s, shown as %s with %d parts, %v", r.Turn.Round, req.Model, got.Speaker.Model, len(got.Pieces), err)
		}
	}
	if cost := s.History[1].Responses[0].Cost; cost == nil || math.Abs(*cost) == 0 {
		t.Errorf("round 2 of a cost %v", cost)
	}
	s, _ = h.runToEnd(s)
	if c := verdict.Count(s); c.Was != nil || c.Same || c.Votes[1].Arrow != debate.ArrowModel {
		t.Errorf("compared with the votes of another model: %+v", c.Votes)
	}
}

// A seat that has said nothing in a round that has not ended can have another model for it.
func TestChangeSeat_asksTheOtherModelInTheRoundThatWaits(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyFailing("gone"), "b": replyHolding("yes", 1), "x": replyHolding("no", 1)})
	s := h.session("collaborative", 1, "a", "b")
	_, s, err := drain(h.engine.Start(t.Context(), s))
	var open *debate.RoundFailedError
	if !errors.As(err, &open) || !open.CanGoOn() {
		t.Fatalf("the round ended with %v", err)
	}
	other := agents.Profile{Provider: "test", Model: "x", ContextWindow: 9000}
	if _, err := h.store.ChangeSeat(t.Context(), s.ID, "b", other); err == nil || !strings.Contains(err.Error(), "has a statement in round 1") {
		t.Errorf("the model of a seat that has spoken: %v", err)
	}
	if s, err = h.store.ChangeSeat(t.Context(), s.ID, "a", other); err != nil {
		t.Fatal(err)
	}
	h.open()
	if s, err = h.store.Session(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	_, s = h.run(s)
	at := slices.IndexFunc(s.History[0].Latest(), func(x debate.Response) bool { return x.Turn.Agent == "a" })
	x := s.History[0].Latest()[at]
	if x.State != debate.TurnDone || len(h.userTexts("x", "1")) != 1 || len(h.userTexts("b", "1")) != 1 {
		t.Errorf("a is %s; x was asked %d times, b %d", x.State, len(h.userTexts("x", "1")), len(h.userTexts("b", "1")))
	}
	if got := fmt.Sprint(s.ModelChanges()); !strings.Contains(got, "x from round 1") {
		t.Errorf("changes: %s", got)
	}
}
