package verdict_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

func TestStanding_saysWhetherASideIsTheRoles(t *testing.T) {
	roles := []debate.Role{{Name: "for", Stance: debate.Yes, Fixed: true}, {Name: "judge"}}
	own := debate.Phase{Name: "own view", Asks: debate.AsksVote}
	panel := []agents.Profile{{ID: "a"}, {ID: "b"}}
	for _, c := range []struct {
		name  string
		mode  debate.Mode
		kind  debate.QuestionKind
		agent agents.ID
		phase string
		vote  string
		want  string
	}{
		{"no roles", debate.Mode{}, debate.QuestionOpen, "a", "", "Postgres", "votes Postgres"},
		{"a side that the role prescribes", debate.Mode{Roles: roles}, debate.QuestionYesNo, "a", "", "yes", "argues yes"},
		{"a role without a side", debate.Mode{Roles: roles}, debate.QuestionYesNo, "b", "", "no", "votes no"},
		{
			"the voting phase",
			debate.Mode{Roles: roles, Phases: []debate.Phase{own}, Votes: "own view"},
			debate.QuestionYesNo, "a", "own view", "no", "votes no",
		},
		{
			"a team outside the voting phase",
			debate.Mode{
				Roles: []debate.Role{{Name: "red"}, {Name: "blue"}}, Order: debate.ByTeams, Votes: "cross",
				Phases: []debate.Phase{{Name: "cross"}},
			},
			debate.QuestionYesNo, "a", "", "no", "argues no",
		},
		{"an estimate", debate.Mode{}, debate.QuestionEstimate, "a", "", "12 weeks", "estimates 12 weeks"},
		{"undecided", debate.Mode{}, debate.QuestionOpen, "a", "", "", "no side"},
		{"a ballot", debate.Mode{Asks: debate.AsksRanking}, debate.QuestionOpen, "a", "", "", ""},
		{"a mode without votes", debate.Mode{Votes: debate.VotesNone}, debate.QuestionOpen, "a", "", "", ""},
	} {
		s := debate.Session{Mode: c.mode, Question: c.kind, Unit: "weeks", Seats: panel}
		x := debate.Response{Turn: agents.Turn{Agent: c.agent}, Phase: c.phase, Statement: debate.Statement{Vote: c.vote}}
		if got := verdict.Standing(s, x); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
