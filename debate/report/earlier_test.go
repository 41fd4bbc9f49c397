package report_test

import (
	"strings"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/debate/report"
)

// What is attached says first which debate it is, what it decided, and how that turned out.
func TestEarlier_saysTheOutcomeFirst(t *testing.T) {
	now := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	s := completed()
	for _, c := range []struct {
		settled []debate.Settlement
		line    string
		result  string
	}{
		{nil, "Outcome: nobody has said how it turned out.", "; outcome unknown"},
		{
			[]debate.Settlement{{Result: debate.ResultWrong, Side: "no", Note: "two writers", Rounds: len(s.History)}},
			"Outcome: wrong; right was no (two writers).", "; outcome wrong",
		},
		{[]debate.Settlement{{Result: debate.ResultRight, Rounds: len(s.History) - 1}}, "Outcome: nobody has said how it turned out.", "; outcome unknown"},
	} {
		s.Settlements = c.settled
		content, err := report.Earlier(s, now)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(content, "\n")
		if !strings.HasPrefix(first, "Earlier debate k7m2x9qd4t of 2026-03-01: ") || !strings.HasSuffix(first, c.line) ||
			first != report.EarlierLine(s) {
			t.Errorf("%s\nwant the end %s", first, c.line)
		}
		if !strings.Contains(content, "no proof. The outcome is what was known of it on 2026-10-01.\n\n# ") {
			t.Error(content)
		}
		if got := report.EarlierResult(s); !strings.HasSuffix(got, c.result) {
			t.Errorf("%s, want the end %s", got, c.result)
		}
	}
	s.Verdict = nil
	if _, err := report.Earlier(s, now); err == nil || report.EarlierLine(s) != "" || report.EarlierResult(s) != "" {
		t.Errorf("a debate without a verdict, %v", err)
	}
}
