package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
)

// A verdict keeps the words it was given. One that is older than the rules is counted
// anew, and says so.
func TestConclude_countsAnOldVerdictAnew(t *testing.T) {
	s := scriptedSession(t, "yes 1|yes 1|no 1", "no 1|neutral 1|no 1")
	v := concludeByAda(t, s)
	now := report.Conclude(v, s)
	if slices.ContainsFunc(now.Warnings, func(w string) bool { return strings.Contains(w, "An earlier version") }) {
		t.Errorf("a new verdict is called old: %q", now.Warnings)
	}

	old := debate.Verdict{
		Outcome: debate.OutcomeFull, EndReason: v.EndReason, ChairName: v.ChairName, Text: v.Text,
		Baseline: debate.Tally{Votes: map[debate.Side]int{"yes": 2, "no": 1}},
		Final:    debate.Tally{Votes: map[debate.Side]int{"no": 2, "neutral": 1}},
		Dissent:  []debate.Dissent{{Agent: "brook", Name: "Brook", Stance: debate.Neutral}},
	}
	got := report.Conclude(old, s)
	if got.Headline != now.Headline || got.Headline != "No, 2 of 3 votes; 1 undecided · the narrowest majority · changed: yes → no; Ada changed, citing no evidence" {
		t.Errorf("an old verdict is headed %s\nand a new one %s", got.Headline, now.Headline)
	}
	if len(got.Dissent) > 0 || got.Baseline.Line != now.Baseline.Line || got.Changes.Line != now.Changes.Line {
		t.Errorf("dissent %+v, %q, %q", got.Dissent, got.Baseline.Line, got.Changes.Line)
	}
	if !slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.HasPrefix(w, "An earlier version wrote this verdict.") }) {
		t.Errorf("nothing says that it is counted anew: %q", got.Warnings)
	}

	old.Rules, old.Headline = debate.VerdictRules, "In the words of then."
	if got := report.Conclude(old, s); got.Headline != old.Headline || len(got.Dissent) != 1 {
		t.Errorf("a stored verdict is counted anew: %s, %+v", got.Headline, got.Dissent)
	}
}
