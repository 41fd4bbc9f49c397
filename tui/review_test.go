package tui_test

import (
	"testing"

	"roundtable/internal/testing/debatetest"
)

// A finding is opened, then its place; esc goes back step by step.
func TestReview_keys(t *testing.T) {
	bubble(t, debatetest.Reviewed, func(r *harness, _ *scripted) {
		r.press("enter")
		r.sees("▸H1: agreed", "enter evidence", "esc list", "Cy: true, worth fixing. The index equals the length.", "for _, row := range rows {")
		r.press("enter")
		r.sees("[F1]", "pr.diff", "i <= len(rows)")
		r.press("esc")
		r.sees("▸H1: agreed")
		r.press("esc", "G", "k", "enter")
		r.sees("▸H5: by one seat", "F1:900 (absent)", "F1:900, where there are no lines.")
		r.press("enter")
		r.sees("The lines of this finding are not in the evidence.")
		r.press("esc", "/")
		r.typeText("OPEN.GO")
		r.press("enter")
		r.sees("An error is dropped", "1 refuted finding", "part 2 of 2", "esc end search")
		r.misses("The check of the cursor is gone")
		r.press("/")
		r.typeText("xxx")
		r.press("enter")
		r.sees(`No match for "xxx" here.`, "The check of the cursor is gone", "esc debate")
		r.press("G", "enter")
		r.sees("The path is not escaped", "▸1 refuted finding")
		r.press("y")
		r.sees("the refuted findings")
		r.press("e")
		r.asks("h HTML · s SARIF · p comment on a pull request")
	})
}
