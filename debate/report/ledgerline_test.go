package report_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
)

func TestLedgerLine_countsThoseWhoCanBeCompared(t *testing.T) {
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
			"Nobody states a side in two rounds: there is nothing to compare.",
		},
		{"a opening, b opening, c opening", "Nobody states a side in two rounds: there is nothing to compare."},
		{"a opening, a held, b opening, b conformed, c opening, c revised", "1 of 3 revised without evidence."},
		{
			"a opening, a conformed, b missing, b opening, c not_stated, c not_stated",
			"1 of the 1 who state a side in two rounds revised without evidence.",
		},
	} {
		var v debate.Verdict
		for _, m := range strings.Split(c.moves, ", ") {
			id, change, _ := strings.Cut(m, " ")
			v.Moves = append(v.Moves, debate.Move{Agent: agents.ID(id), Change: debate.Change(change)})
		}
		if got := report.LedgerLine(v, s); got != c.want {
			t.Errorf("%s: %q, want %q", c.moves, got, c.want)
		}
	}
}

func TestLedgerLine_leavesOutWhoseSideIsPrescribed(t *testing.T) {
	v := debate.Verdict{Moves: []debate.Move{
		{Agent: "a", Change: debate.Opening},
		{Agent: "a", Change: debate.Held},
		{Agent: "b", Change: debate.Opening},
		{Agent: "b", Change: debate.Held},
		{Agent: "c", Change: debate.Opening},
		{Agent: "c", Change: debate.Conformed},
	}}
	for want, roles := range map[string][]debate.Role{
		"1 of the 1 with a vote revised without evidence.": {
			{Name: "for", Stance: debate.Yes, Fixed: true},
			{Name: "against", Stance: debate.No, Fixed: true},
			{Name: "judge"},
		},
		"The roles prescribe every side: there is nothing to compare.": {{Name: "for", Stance: debate.Yes, Fixed: true}},
	} {
		s := debate.Session{Mode: debate.Mode{Roles: roles}, Seats: []agents.Profile{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
		if got := report.LedgerLine(v, s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
