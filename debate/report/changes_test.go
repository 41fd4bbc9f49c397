package report_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

func TestChanges_countsThoseWhoCanBeCompared(t *testing.T) {
	s := debate.Session{}
	for _, id := range []agents.ID{"a", "b", "c"} {
		s.Seats = append(s.Seats, agents.Profile{ID: id})
	}
	for _, c := range []struct {
		moves string // seat and change, by round
		want  string
	}{
		{
			"a missing, a missing, b missing, b missing, c missing, c missing",
			"",
		},
		{"a opening, b opening, c opening", ""},
		{"a opening, a held, b opening, b conformed, c opening, c revised", "1 of 3 changed sides after the statements of others, citing no fact."},
		{
			"a opening, a conformed, b missing, b opening, c not_stated, c not_stated",
			"1 of 1 changed sides after the statements of others, citing no fact.",
		},
	} {
		v := debate.Verdict{Final: debate.Tally{Voters: 3}}
		for _, m := range strings.Split(c.moves, ", ") {
			id, change, _ := strings.Cut(m, " ")
			v.Moves = append(v.Moves, debate.Move{Agent: agents.ID(id), Change: debate.Change(change)})
		}
		if got := report.Conclude(v, s).Changes.Line; got != c.want {
			t.Errorf("%s: %q, want %q", c.moves, got, c.want)
		}
	}
}

func TestChanges_leavesOutWhoseSideIsPrescribed(t *testing.T) {
	s := debate.Session{
		Seats: []agents.Profile{{ID: "a"}, {ID: "b"}, {ID: "c"}},
		History: []debate.Round{
			{Number: 1, Responses: []debate.Response{
				said("a", 1, debate.Yes, 0.5, "For.", ""), said("b", 1, debate.No, 0.5, "Against.", ""),
				said("c", 1, debate.Yes, 0.5, "For.", ""),
			}},
			{Number: 2, Responses: []debate.Response{
				said("a", 2, debate.No, 0.5, "Against.", ""), said("b", 2, debate.No, 0.5, "Against.", ""),
				said("c", 2, debate.No, 0.5, "Against.", ""),
			}},
		},
	}
	for want, roles := range map[string][]debate.Role{
		"1 of 1 changed sides after the statements of others, citing no fact.": {
			{Name: "for", Stance: debate.Yes, Fixed: true},
			{Name: "against", Stance: debate.No, Fixed: true},
			{Name: "judge"},
		},
		"No sides to follow: the roles prescribe them.": {{Name: "for", Stance: debate.Yes, Fixed: true}},
	} {
		s.Mode.Roles = roles
		if got := report.Conclude(verdict.Compute(s), s).Changes.Line; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
