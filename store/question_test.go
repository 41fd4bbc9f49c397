package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// A new session always has a kind of question: its own, its mode's, or open.
func TestCreate_setsTheKindOfTheQuestion(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, c := range []struct{ own, mode, want debate.QuestionKind }{
		{"", "", debate.QuestionOpen},
		{"", debate.QuestionEstimate, debate.QuestionEstimate},
		{debate.QuestionChoice, "", debate.QuestionChoice},
		{debate.QuestionYesNo, debate.QuestionYesNo, debate.QuestionYesNo},
	} {
		d := panel()
		d.Question, d.Mode.Question = c.own, c.mode
		d = must.Get(s.Create(t.Context(), d))(t)
		if got := get(t, s, d.ID).Question; d.Question != c.want || got != c.want {
			t.Errorf("own %q, mode %q: created with %q, read back %q; want %q", c.own, c.mode, d.Question, got, c.want)
		}
	}
	all := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
	count := map[debate.QuestionKind]int{}
	for _, v := range all {
		count[v.Question]++
	}
	for _, kind := range debate.QuestionKinds() {
		if count[kind] != 1 {
			t.Errorf("%d sessions are listed as %s", count[kind], kind)
		}
	}
}

// A turn's vote is stored when it ends, and a fork takes it along.
func TestEndTurn_storesTheVote(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	beginRound(t, s, id, 1)
	low := 8.0
	statements := map[agents.ID]debate.Response{
		"ada":   {Statement: debate.Statement{Vote: "PostgreSQL 17"}},
		"brook": {Statement: debate.Statement{Vote: "12", Low: &low}},
		"cy":    {Statement: debate.Statement{Vote: "undecided"}},
	}
	for who, r := range statements {
		r.Turn, r.State = seat(id, 1, who), debate.TurnDone
		beginCall(t, s, r.Turn)
		must.Get(s.EndTurn(t.Context(), debate.TurnEnd{Purpose: debate.ForMember, Final: &agents.Completion{}, Response: r}))(t)
	}
	must.Get(s.EndRound(t.Context(), id, 1, nil, debate.NotStopped))(t)
	fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: 1}))(t)
	for _, d := range []debate.Session{get(t, s, id), fork} {
		if d.Question != debate.QuestionYesNo || len(d.History[0].Responses) != len(statements) {
			t.Errorf("question %q, %d responses", d.Question, len(d.History[0].Responses))
		}
		for _, r := range d.History[0].Responses {
			if !cmp.Equal(r.Statement, statements[r.Turn.Agent].Statement) {
				t.Errorf("%s said %+v", r.Turn.Agent, r.Statement)
			}
		}
	}
}

// A turn that failed has no vote, whatever it was given.
func TestEndTurn_failedTurnsHaveNoVote(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	beginRound(t, s, id, 1)
	turn := seat(id, 1, "ada")
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForMember}))
	must.Get(s.EndTurn(t.Context(), debate.TurnEnd{
		Purpose: debate.ForMember, Response: debate.Response{Turn: turn, State: debate.TurnFailed, Statement: debate.Statement{Vote: "yes"}},
	}))(t)
	if r := get(t, s, id).History[0].Responses[0]; r.State != debate.TurnFailed || r.Statement.Vote != "" {
		t.Errorf("state %q, vote %q", r.State, r.Statement.Vote)
	}
}
