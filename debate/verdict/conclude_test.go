package verdict_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

func TestReportOf_takesTheReportApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		reply   agents.Reply
		text    string
		warning string
	}{
		{
			"prose and a block",
			agents.Reply{Text: "## Conclusion\nSo.\n```json\n{\"position\": \"So.\", \"confidence\": 0.7}\n```"},
			"## Conclusion\nSo.", "",
		},
		{"prose alone", agents.Reply{Text: "So."}, "So.", ""},
		{"a block alone", agents.Reply{Text: "```json\n{\"position\": \"Just so.\", \"confidence\": 0}\n```"}, "Just so.", ""},
		{
			"cut at the limit",
			agents.Reply{Text: "So and", Finish: agents.FinishLength},
			"So and",
			"The report was cut at the chair's length limit.",
		},
	} {
		s := scriptedSession(t, "yes 1|no 1")
		v, _ := verdict.ReportOf(s, agents.Profile{ID: "zed", Name: "Zed", Model: "z"}, c.reply)
		if v.Text != c.text || strings.Join(v.Notes, " ") != c.warning {
			t.Errorf("%s: text %q, notes %q", c.name, v.Text, v.Notes)
		}
	}
}

func TestWithoutReport_saysWhy(t *testing.T) {
	said := debate.Response{State: debate.TurnDone, Statement: debate.Statement{Body: "So."}}
	for want, responses := range map[string][]debate.Response{
		"no seat answered": {{State: debate.TurnFailed}}, "no seat can be the chair": {said},
	} {
		s := debate.Session{History: []debate.Round{{Number: 1, Responses: responses}}}
		if got := verdict.WithoutReport(s, nil).Cause; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A seat that spoke from a script makes a demo of the debate, whatever model it has now.
func TestCount_saysDemoOfWhoSpoke(t *testing.T) {
	s := scriptedSession(t, "yes 1|no 1")
	was := s.Seats[0]
	was.Provider = debate.DemoProvider
	s.SeatChanges = []debate.SeatChange{{Round: 2, Agent: was.ID, Was: was, Now: s.Seats[0]}}
	if !verdict.Count(s).Demo {
		t.Error("it is not said to be a demo")
	}
}
