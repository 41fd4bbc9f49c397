package tui_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

func TestVerdict_goesToWhatEachRoundCameTo(t *testing.T) {
	bubble(t, func() debate.Session {
		s := patchy()
		s.History[2].Consensus.Model, s.History[2].Consensus.CommonGround = "phi-4", []string{"What held in round 3."}
		s.History[2].Consensus.Results = &debate.Results{Ranking: &debate.Ranking{
			Round: 3, Ballots: []debate.Ballot{{Agent: "ada", Order: []agents.ID{"brook"}}, {Agent: "brook", Order: []agents.ID{"ada"}}},
			Places: []debate.Place{{Agent: "ada", Place: 1, Points: 2, Firsts: 2}, {Agent: "brook", Place: 2}},
		}}
		return s
	}, func(r *harness, _ *scripted) {
		r.sees("In round 4, as phi-4 reads it", "Ranking, round 4", "[ ] round")
		r.press("[")
		r.sees("In round 3, as phi-4 reads it", "What held in round 3.", "Ranking, round 3", "R3▸", "Round 3 of 4. Agreement 0.95 among 2 of 3 seats, by the light model; that is no consensus.")
		r.misses("Ranking, round 4", "Scores, round 4")
		r.press("left")
		r.sees("R2▸", "Round 2 of 4. Consensus is unavailable: Lum failed: test is busy (429).")
		r.misses("Ranking, round", "as phi-4 reads it")
		r.press("[", "[", "[")
		r.sees("R1▸", "Round 1 of 4. ")
		r.press("right", "]", "]")
		r.sees("In round 4, as phi-4 reads it", "Ranking, round 4", "Round 4 of 4. ")
		r.misses("R3▸", "R4▸")
	})
}

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
