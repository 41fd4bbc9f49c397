package store_test

import (
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/store"
)

func TestSettle_keepsAllAndListsTheLastOfThePresentVerdict(t *testing.T) {
	s := openNew(t)
	id := create(t, s).ID
	playRound(t, s, id, 1)
	due := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	conclude := func() {
		t.Helper()
		_, err := s.SaveVerdict(t.Context(), id, debate.Verdict{Outcome: debate.OutcomeFull, LookAgain: due})
		must(t, err)
	}
	check := func(result debate.Result, look time.Time) {
		t.Helper()
		all, err := s.Sessions(t.Context(), store.Query{ID: id})
		must(t, err)
		if all[0].Settled != result || !all[0].LookAgain.Equal(look) {
			t.Errorf("listed %q, due %s; want %q, %s", all[0].Settled, all[0].LookAgain, result, look)
		}
	}
	conclude()
	check(debate.ResultNone, due)
	later := due.AddDate(0, 1, 0)
	must(t, s.Settle(t.Context(), id, debate.Settlement{Result: debate.ResultOpen, LookAgain: later, Rounds: 1}))
	check(debate.ResultOpen, later)
	must(t, s.Settle(t.Context(), id, debate.Settlement{Result: debate.ResultWrong, Side: "no", Note: "two writers", Rounds: 1}))
	check(debate.ResultWrong, time.Time{})
	conclude()
	check(debate.ResultWrong, time.Time{})

	read := get(t, s, id)
	if last, ok := read.Settled(); !ok || last.Note != "two writers" || last.At.IsZero() || len(read.Settlements) != 2 {
		t.Errorf("read back %+v", read.Settlements)
	}
	if _, err := s.AddRounds(t.Context(), id, 1); err != nil {
		t.Fatal(err)
	}
	check(debate.ResultNone, time.Time{})
	if _, ok := get(t, s, id).Settled(); ok {
		t.Error("settled without a verdict")
	}
	if err := s.Settle(t.Context(), "0000000000", debate.Settlement{Result: debate.ResultOpen}); err == nil {
		t.Error("settled a debate that is not there")
	}
}
