package linear_test

import (
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
		"5 findings: 2 agreed, 1 disputed, 2 by one seat; 1 high.", "Findings:",
		"H1 - high - agreed - tui/form.go:41-42 - The loop reads one row too many", "Cy: true, worth fixing.", "41|", "Fix:",
		"H2 - medium - agreed, by one model", "H3 - medium - disputed - old:tui/form.go:41-42", "Cy: not true.",
		"H4 - low - by one seat - no place stated", "H5 - low - by one seat - F1:900 (absent)",
		"1 refuted finding:", "H7 - low - refuted", "Verdict ready", "> ",
	)
	if err := u.end(); err != nil {
		t.Error(err)
	}
}
