package store_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestSettle_keepsAllAndListsTheLastOfThePresentVerdict(t *testing.T) {
	s, id := newDebate(t)
	playRound(t, s, id, 1)
	conclude := func() {
		t.Helper()
		must.Get(s.SaveVerdict(t.Context(), id, debate.Verdict{}))(t)
	}
	check := func(result debate.Result) {
		t.Helper()
		all := must.Get(s.Sessions(t.Context(), store.Query{ID: id}))(t)
		if all[0].Settled != result {
			t.Errorf("listed %q, want %q", all[0].Settled, result)
		}
	}
	conclude()
	check(debate.ResultNone)
	must.Do(t, s.Settle(t.Context(), id, debate.Settlement{Result: debate.ResultOpen, Rounds: 1}))
	check(debate.ResultOpen)
	must.Do(t, s.Settle(t.Context(), id, debate.Settlement{Result: debate.ResultWrong, Side: "no", Note: "two writers", Rounds: 1}))
	check(debate.ResultWrong)
	conclude()
	check(debate.ResultWrong)

	read := get(t, s, id)
	if last, ok := read.Settled(); !ok || last.Note != "two writers" || last.At.IsZero() || len(read.Settlements) != 2 {
		t.Errorf("read back %+v", read.Settlements)
	}
	if _, err := s.AddRounds(t.Context(), id, 1); err != nil {
		t.Fatal(err)
	}
	check(debate.ResultNone)
	if _, ok := get(t, s, id).Settled(); ok {
		t.Error("settled without a verdict")
	}
	if err := s.Settle(t.Context(), "0000000000", debate.Settlement{Result: debate.ResultOpen}); err == nil {
		t.Error("settled a debate that is not there")
	}
}
