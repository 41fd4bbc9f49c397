package report_test

import (
	"fmt"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
)

// What a round came to is counted without what was said after it.
func TestCountRound_countsUntilTheEndOfTheRound(t *testing.T) {
	s := choosing([]string{"yes", "no", "no"}, []string{"yes", "yes", "It\x1b[2Jaly"})
	for round, want := range map[int]string{
		1: "“no”, 2 of 3; “yes” 1; no: yes read, no read, no read",
		2: "“yes”, 2 of 3; Italy 1; yes: yes read, yes read, Italy read",
	} {
		r := report.CountRound(s, round)
		got := fmt.Sprintf("%s; %s:", r.Line, r.Result.Side)
		for i, v := range r.Votes {
			if i > 0 {
				got += ","
			}
			got += fmt.Sprintf(" %s %s", v.Label, v.State)
		}
		if got != want || r.Result.Kind != debate.KindSide || r.Round != round {
			t.Errorf("round %d: %s\nwant %s", round, got, want)
		}
	}
}
