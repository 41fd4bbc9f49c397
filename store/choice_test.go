package store_test

import (
	"path/filepath"
	"testing"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// What comes back is of the last debate that a person started and that has a verdict.
func TestLastChoice_isOfWhatAPersonStarted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	now := clock()
	made := func(door string, verdict bool, change func(*debate.Session)) {
		t.Helper()
		s := must.Get(store.Open(t.Context(), path, store.Options{Door: door, Now: now}))(t)
		defer s.Close()
		d := panel()
		d.ID = ""
		if change != nil {
			change(&d)
		}
		d = must.Get(s.Create(t.Context(), d))(t)
		if verdict {
			must.Get(s.SaveVerdict(t.Context(), d.ID, debate.Verdict{Text: "So be it."}))(t)
		}
	}
	requireUSD := func(want float64) {
		t.Helper()
		s := must.Get(store.Open(t.Context(), path, store.Options{Door: "interface", Now: now}))(t)
		defer s.Close()
		c := must.Get(s.LastChoice(t.Context(), "interface", "run"))(t)
		got := 0.0
		if c != nil {
			got = c.Budget.USD
		}
		if got != want || c != nil && (len(c.Seats) != len(panel().Seats) || c.Mode != panel().Mode.Name || c.Rounds != panel().Rounds) {
			t.Errorf("the last choice is %+v, not that of $%v", c, want)
		}
	}
	dollars := func(n float64) func(*debate.Session) { return func(d *debate.Session) { d.Budget.USD = n } }
	requireUSD(0)
	made("interface", false, dollars(1))
	requireUSD(0)
	made("interface", true, dollars(2))
	requireUSD(2)
	for _, door := range []string{"review", "eval", "mcp", "fork", ""} {
		made(door, true, dollars(3))
	}
	made("run", false, dollars(4))
	made("interface", true, func(d *debate.Session) { d.ForkedFrom, d.Budget.USD = "other", 5 })
	made("interface", true, func(d *debate.Session) { d.Seats[0].Provider, d.Budget.USD = debate.DemoProvider, 6 })
	requireUSD(2)
	made("run", true, dollars(7))
	requireUSD(7)
}
