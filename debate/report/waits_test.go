package report_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
)

// A required question holds the next round back, and nothing where none is left.
func TestWaits_forTheNextRound(t *testing.T) {
	s := debate.Session{
		Rounds: 2, History: []debate.Round{{Number: 1}},
		Requests: []ledger.Request{{ID: "C1", Priority: ledger.Required, State: ledger.Pending}},
	}
	if got := report.Waits(s); got != "Round 2 waits for C1 ()" {
		t.Errorf("%q", got)
	}
	s.Rounds = 1
	if got := report.Waits(s); got != "" {
		t.Errorf("after the last round: %q", got)
	}
}
