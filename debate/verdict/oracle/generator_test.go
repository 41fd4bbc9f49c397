package oracle_test

import "testing"

// TestGenerate_panelsAreComplete checks that everybody who has a turn takes it.
func TestGenerate_panelsAreComplete(t *testing.T) {
	for seed := range uint64(500) {
		if p := generate(seed); !complete(p) {
			t.Fatalf("a turn is missing or too many in\n%s", p)
		}
	}
}

// complete reports whether everybody who has a turn takes it, and nobody else.
func complete(p panel) bool {
	for i, r := range p.rounds {
		turns := 0
		for _, s := range plannedSteps(p.mode, len(p.names), i+1, p.planned, p.old()) {
			for _, seat := range s.seats {
				if _, ok := p.turnOf(i+1, s.phase, seat); !ok && p.cut && i == len(p.rounds)-1 {
					continue
				} else if !ok {
					return false
				}
				turns++
			}
		}
		if turns != len(r.turns) {
			return false
		}
	}
	return true
}
