package tui_test

import (
	"testing"

	"roundtable/debate"
)

func TestVerdict_ofOneRoundHasNoOther(t *testing.T) {
	bubble(t, func() debate.Session {
		s := concluded()
		s.History, s.Rounds = s.History[:1], 1
		return s
	}, func(r *harness, _ *scripted) {
		r.misses("[ ] round")
		r.press("[")
		r.sees("There is only one round.")
	})
}

func TestVerdict_showsWhatIsHeldAfterTheLastStatements(t *testing.T) {
	bubble(t, func() debate.Session {
		s := concluded()
		s.Verdict.PhasePositions = []debate.PhasePosition{
			{Agent: "ada", Name: "Ada", Role: "red team", Phase: "cross-evaluation", Side: debate.SideNo, Stance: debate.No, Confidence: num(0.6), Position: "Two attacks\x1b[2J stand."},
			{Agent: "brook", Name: "Brook", Role: "blue team", Phase: "cross-evaluation"},
		}
		return s
	}, func(r *harness, _ *scripted) {
		r.sees("Cross-evaluation", "after the last statements", "• Ada, red team, votes no · 60%: Two attacks stand.", "• Brook, blue team, no side · confidence not stated: no position stated")
	})
}
