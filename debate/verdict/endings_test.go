package verdict_test

import (
	"testing"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// Panels of all sizes and sides, each of them as sure as can be, never come to a
// consensus while they are opposed, whatever the light model says.
func TestEndings_sureAndOpposedPanelsNeverEndAsConsensus(t *testing.T) {
	s := debate.Session{Rounds: 9, EndConditions: debate.EndConditions{OnConsensus: true, Threshold: 0.5}}
	one := 1.0
	s.History = []debate.Round{{Number: 1, Ended: debatetest.Began}}
	for seats := 2; seats <= debate.MaxSeats; seats++ {
		for answered := 0; answered <= seats; answered++ {
			for _, opposed := range []bool{true, false} {
				c := debate.Consensus{Level: &one, Side: debate.SideYes, Answered: answered, Seats: seats, Opposed: opposed}
				want := debate.NotStopped
				if answered == seats && !opposed {
					want = debate.EndedByConsensus
				}
				if got := verdict.Ending(s, c); got != want {
					t.Errorf("%d of %d answered, opposed %v: %q, want %q", answered, seats, opposed, got, want)
				}
			}
		}
	}
}
