package verdict_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

// withOtherModel gives Ada another model from a round on.
func withOtherModel(t *testing.T, round int, rounds ...string) debate.Session {
	t.Helper()
	s := scriptedSession(t, rounds...)
	ada := s.Seats[0]
	ada.Model = "gpt-x"
	c := debate.SeatChange{Round: round, Agent: "ada", Was: s.Seats[0], Now: ada}
	return s.WithSeatChange(c)
}

func TestOtherModel_isNoChange(t *testing.T) {
	for _, c := range []struct {
		name     string
		round    int
		rounds   []string
		changes  string // of Ada
		result   debate.ComparisonResult
		headline string
		ledger   string
	}{
		{
			"another side", 2,
			[]string{"yes|yes|yes", "no|yes|yes"},
			"opening other_model", debate.AnswerSame,
			"the 2 who voted both times with the same model did not move (yes 2)", "In 1 seat another model took another side",
		},
		{
			"the same side", 2,
			[]string{"yes|yes|yes", "yes|yes|yes"},
			"opening held", debate.AnswerSame,
			"the 2 who voted both times with the same model did not move (yes 2)", "Nobody changed sides.",
		},
		{
			"undecided before", 2, []string{"neutral|yes|yes", "no|yes|yes"}, "not_stated other_model", debate.AnswerSame, "did not move (yes 2)", "In 1 seat",
		},
		{
			"a change of its own later", 2,
			[]string{"yes|yes|yes", "no|yes|yes", "yes 0.9 because [C9]|yes|yes"},
			"opening other_model conformed", debate.AnswerSame, "did not move (yes 2)", "1 of 3 changed sides",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := withOtherModel(t, c.round, c.rounds...)
			v := verdict.Compute(s)
			var changes []string
			for _, m := range v.Moves {
				if m.Agent == "ada" {
					changes = append(changes, string(m.Change))
				}
			}
			if got := strings.Join(changes, " "); got != c.changes {
				t.Errorf("Ada: %s, want %s", got, c.changes)
			}
			if len(v.Comparison.OtherModel) != 1 || v.Comparison.Result != c.result {
				t.Errorf("comparison = %+v", v.Comparison)
			}
			if moved := verdict.Changed(v, s); len(moved) != 0 {
				t.Errorf("movers = %+v", moved)
			}
			if !strings.Contains(v.Headline, c.headline) {
				t.Errorf("headline = %s", v.Headline)
			}
			said := report.Conclude(v, s)
			if !strings.Contains(said.Changes.Line, c.ledger) {
				t.Errorf("ledger = %s", said.Changes.Line)
			}
			if !strings.Contains(said.Baseline.Line, "Ada is not compared: p / a-1 voted first, p / gpt-x last.") {
				t.Errorf("baseline = %s", said.Baseline.Line)
			}
		})
	}
}
