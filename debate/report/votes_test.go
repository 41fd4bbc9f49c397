package report_test

import (
	"slices"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
)

func TestVotes_tellWhatTheFirstOnesCameToAlsoWhereNothingIsCompared(t *testing.T) {
	yes := func(s *debate.Session) {
		for i, x := range s.History[0].Responses {
			s.History[0].Responses[i] = said(x.Turn.Agent, 1, "yes", 0.6, "Move.", "It is enough.")
		}
	}
	for _, c := range []struct {
		name   string
		from   string
		change func(*debate.Session)
		want   []string
	}{
		{"compared", "whole", nil, []string{"First votes: No, 2 of 3; yes 1", "Now: Yes, 2 of 3; no 1"}},
		{"the same side by more", "whole", yes, []string{"First votes: Yes, 3 of 3", "Now: Yes, 2 of 3; no 1"}},
		{"a first vote is missing", "ended", nil, []string{"First votes: Split of 3: yes 1, no 1", "Now: Yes, 2 of 3; no 1"}},
		{"an open question", "whole", func(s *debate.Session) { s.Question = debate.QuestionOpen }, []string{
			"First votes: “no”, 2 of 3; “yes” 1", "Now: “yes”, 2 of 3; “no” 1",
		}},
		{"another model", "whole", func(s *debate.Session) {
			was := s.Seats[0]
			s.Seats[0].Model = "gpt-6"
			s.SeatChanges = []debate.SeatChange{{Agent: "ada", Round: 2, Was: was, Now: s.Seats[0]}}
		}, []string{"First votes: No, 2 of 3; yes 1", "Now: Yes, 2 of 3; no 1"}},
		{"one round", "blocked", nil, []string{"Now: Split of 3: yes 1, no 1"}},
	} {
		s := sessions()[c.from]
		if c.change != nil {
			c.change(&s)
		}
		got := report.VotesOf(s, verdict.Count(s)).Results()
		if got = got[:len(got)-1]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	s := sessions()["ended"]
	s.AuxiliarySpending = []debate.Spending{{Purpose: debate.ForChair, Calls: 2}, {Purpose: debate.ForFollowUp, Calls: 4}}
	if got := report.VotesOf(s, verdict.Count(s)).Spent; !strings.Contains(got, "15 calls") || !strings.Contains(got, "after the first votes 9 calls") {
		t.Errorf("spent: %q", got)
	}
}
