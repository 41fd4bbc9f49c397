package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

func TestReadAnalysis_readsTheGroupsOfLabels(t *testing.T) {
	two := &debate.Grouping{By: "Lum", Groups: []debate.LabelGroup{
		{Side: "Postgres", Labels: []string{"Postgres", "what Clara says"}}, {Side: "SQLite", Labels: []string{"SQLite"}},
	}}
	for _, c := range []struct {
		name, groups string
		kind         debate.QuestionKind
		want         *debate.Grouping
		cause        string
	}{
		{"all labels", `[["Postgres", "what Participant 3 says"], ["SQLite"]]`, debate.QuestionOpen, two, ""},
		{"a label by itself", `[["postgres", "what Participant 3 says"], "SQLite", 7]`, debate.QuestionOpen, two, ""},
		{
			"a label left out", `[["Postgres"], ["SQLite"]]`, debate.QuestionOpen, nil,
			`its grouping of the labels was ignored: "what Clara says" is in no group`,
		},
		{"no list", `"none"`, debate.QuestionOpen, nil, ""},
		{"no groups", `[]`, debate.QuestionOpen, nil, ""},
		{"another kind of question", `[["Postgres", "what Participant 3 says"], ["SQLite"]]`, debate.QuestionChoice, nil, ""},
	} {
		f := debatetest.New(t, "delphi", 1, "Adams", "Brook", "Clara")
		f.Question, f.Light = c.kind, &agents.Profile{ID: "lum", Name: "Lum"}
		f.BeginRound("")
		for seat, label := range map[agents.ID]string{"adams": "Postgres", "brook": "SQLite", "clara": "what Clara says"} {
			x := f.Response(seat)
			x.Statement.Choice = label
			f.Session = f.WithResponse(x)
		}
		f.EndRound()
		got, err := verdict.ReadAnalysis(f.Session, `{"level": 0.5, "groups": `+c.groups+`}`)
		if err != nil || got.Cause != c.cause {
			t.Errorf("%s: cause %q, %v", c.name, got.Cause, err)
		}
		if diff := cmp.Diff(c.want, got.Labels); diff != "" {
			t.Errorf("%s: labels (-want +got):\n%s", c.name, diff)
		}
	}
}
