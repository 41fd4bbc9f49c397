package linear_test

import (
	"strings"
	"testing"

	"roundtable/debate/engine"
	"roundtable/internal/linear"
	"roundtable/internal/testing/debatetest"
	"roundtable/store"
)

// The verdict of a review is printed as a list, with those that were refuted in a line each.
func TestReview_isPrintedAsAList(t *testing.T) {
	s := debatetest.Reviewed()
	u := start(t, linear.Start{Session: s.ID}, func(o *engine.Options) { debatetest.Record(t, o.Recorder.(*store.Store), s) })
	u.hear(
		"2 confirmed findings, 1 high; 1 disputed; 2 seen by one seat only.",
		"Findings:", "Incomplete list: the findings of Cy were cut off.",
		"H1 - high - confirmed - tui/form.go:41-42 - The loop reads one row too many", "Cy: true, worth fixing.", "41|", "Fix:",
		"H2 - medium - disputed - old:tui/form.go:41-42", "Cy: not true.", "removed",
		"H3 - medium - confirmed by one model", "H4 - low - seen by one seat only - F1:900 (absent)", "H6 - low - seen by one seat only",
		"1 refuted finding:", "H5 - low - refuted", "The best single seat, Ada, found 1 of 2 confirmed findings.", "Verdict ready", "> ",
	)
	if out := u.out.text(); strings.Contains(out, "No sides to follow") || strings.Contains(out, "What changed") {
		t.Errorf("a review has no sides:\n%s", out)
	}
	if err := u.end(); err != nil {
		t.Error(err)
	}
}
