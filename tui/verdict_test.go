package tui_test

import (
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// patchy is a debate that did not go well: a round that could not be measured, one
// in which a member is missing, and an agreement that fell in the end.
func patchy() debate.Session {
	s := concluded()
	s.Ends = debate.EndsAgreed
	s.Light = &agents.Profile{ID: "lum", Name: "Lum", Model: "phi-4", Provider: "ollama"}
	v := s.Verdict
	v.Outcome = debate.OutcomeDegraded
	v.Missing = []debate.MissingResponse{{Agent: "cy", Name: "Cy", Round: 3, Cause: "connection refused"}}
	v.Warnings = []string{debate.WarningOneFamily}
	v.UnknownCitations = []string{"C9"}
	for i := range v.Moves {
		if m := &v.Moves[i]; m.Agent == "cy" {
			*m = []debate.Move{
				{Agent: "cy", Round: 1, Change: debate.Opening, Stance: debate.No, Confidence: num(0.5)},
				{Agent: "cy", Round: 2, Change: debate.Held, Stance: debate.No, Confidence: num(0.5)},
				{Agent: "cy", Round: 3, Change: debate.NoResponse},
				{Agent: "cy", Round: 4, Change: debate.Conformed, Stance: debate.No, Confidence: num(0.6)},
			}[m.Round-1]
		}
		if m := &v.Moves[i]; m.Agent == "ada" && m.Round == 4 {
			m.Change, m.Stance, m.Cites = debate.Revised, debate.No, []string{"C1"}
		}
	}
	v.Results = &debate.Results{
		Ranking: &debate.Ranking{
			Round: 4, Ballots: []debate.Ballot{{Agent: "ada", Order: []agents.ID{"brook"}}, {Agent: "brook", Order: []agents.ID{"ada"}}, {Agent: "cy"}},
			Places: []debate.Place{
				{Agent: "brook", Place: 1, Points: 2, Firsts: 2},
				{Agent: "ada", Place: 2, Points: 1, Firsts: 1},
				{Agent: "cy", Place: 3},
			},
		},
	}
	counted(v, "Ranked first by points: Brook, first on 2 of 3 ballots · incomplete: 1 of 3 seats missed a turn (Cy)")
	return s
}

// Each panel of the verdict can be read alone on a small screen.
func TestVerdict_hasAPanelForEverythingThatItRestsOn(t *testing.T) {
	bubble(t, patchy, func(r *harness, _ *scripted) {
		r.wait(time.Second)
		r.sees("! Ranked first by points: Brook, first on 2 of 3 ballots · incomplete: 1 of 3 seats missed a turn (Cy)")
		for _, want := range [][]string{
			{"▸Without and with the debate", "1 Ada     no  ▅50  ──→ yes ▅60  ──→ no  ▇80", "R4: answer C1", "R2: citing no evidence", "R1        no 2, yes 1", "Spent "},
			{"Missing and weak", "! 1 of 3 seats missed a turn: Cy in round 3", "(connection refused).", "! The majority is by", "! Wrong citation [C9]"},
			{"1. Brook", "Points of 2 of 3 ballots; nobody ranks itself."},
		} {
			r.press("tab")
			r.sees(want...)
		}
	})
}

// A small screen wraps the headline, and says in the report how the debate ended.
func TestVerdict_saysTheWholeOutcomeOnASmallScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps := storing(patchy()).deps()
		deps.Start.Session = billing
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.wait(2 * time.Second)
		r.sees("! Ranked first by points: Brook, first on 2 of 3 ballots · incomplete: 1 of 3", "missed a turn (Cy)", "Ended after the planned rounds · +: another round")
	})
}

// No figure is cut: neither the third side of a vote nor the last digit of full confidence.
func TestVerdict_cutsNoFigure(t *testing.T) {
	bubble(t, func() debate.Session {
		s := concluded()
		v := s.Verdict
		v.Baseline.Votes = map[debate.Side]int{debate.SideYes: 4, debate.SideNo: 3, "neutral": 1}
		v.Baseline.Majority = debate.SideYes
		v.Baseline.Sides, v.Baseline.Undecided = []debate.Side{debate.SideYes, debate.SideNo, "neutral"}, 2
		v.Moves[3].Confidence = num(1)
		v.Moves[7].Side, v.Moves[7].Confidence = "Postgres with replicas", num(0.55)
		v.Moves[11].Side, v.Moves[11].Confidence = "Postgres with replicas", num(1)
		return s
	}, func(r *harness, _ *scripted) {
		r.sees("Postgres wi… ▅55", "Postgres wi… █100", "yes          █100")
	})
}
