package form_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/debate/ledger"
)

// Of a long source one row is visible: the part around the cursor while it is edited,
// else its beginning, with a mark for hidden text.
func TestSource_marksHiddenText(t *testing.T) {
	s := newHarness(t, 80, 21)
	s.asks("ada", "One?", "Because.", ledger.Required, time.Minute)
	s.open(options{})
	s.press("tab")
	s.types("docs/first.md " + strings.Repeat("and docs/more.md ", 8) + "and docs/last.md")
	s.has("source …", "docs/last.md█")
	s.hasNot("docs/first.md")
	s.press("home")
	s.has("source  █ocs/first.md", "…optional")
	s.press("shift+tab")
	s.has("source  docs/first.md", "… optional")
	s.hasNot("docs/last.md")
}

// A folded request shows its question only, and a mark says that there is more.
func TestView_marksFoldedRequests(t *testing.T) {
	s := newHarness(t, 80, 21)
	s.asks("ada", "One?", "Because.", ledger.Required, time.Minute)
	s.asks("brook", "Two?", "It decides everything.", ledger.Optional, time.Minute)
	s.asks("cy", strings.Repeat("Long and ", 12)+"three?", "Because.", ledger.Optional, time.Minute)
	s.open(options{})
	s.has("    Two? …", "Long and… │")
	s.hasNot("It decides everything.")
	s.hasNot("… …")
}

// An answered request that has the focus shows its answer, which enter edits; so do the
// rows of a small terminal, and a draft of it says that it is not sent.
func TestView_showsTheAnswerInASmallTerminal(t *testing.T) {
	s := newHarness(t, 80, 21)
	s.asks("ada", "One?", "Because.", ledger.Required, time.Minute)
	s.asks("brook", "Two?", "Because.", ledger.Required, time.Minute)
	s.open(options{})
	s.types("Eleven.")
	s.press("ctrl+s")
	s.record(answers("C1", "Eleven."))
	s.hasNot("Eleven.")
	s.press("alt+up")
	s.has("One? …", "answer  Eleven.")
	s.press("enter")
	s.types(" Or twelve.")
	s.now = s.now.Add(time.Second)
	for _, d := range s.Dirty(s.now) {
		s.Saved(d.Request)
	}
	s.has("draft saved, not sent yet ─╯")
}
