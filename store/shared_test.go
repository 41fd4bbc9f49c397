package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func light(session string, round, attempt int) agents.Turn {
	return agents.Turn{Session: session, Round: round, Step: debate.SummaryStep, Attempt: attempt, Agent: "ada"}
}

// digest plays a turn of the light model that makes a summary.
func digest(t *testing.T, s *store.Store, turn agents.Turn, d debate.StatementSummary) error {
	t.Helper()
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForLight}))
	must.Do(t, s.BeginCall(t.Context(), turn, debate.ForLight, 1, agents.Request{Model: "small"}))
	cost := 0.01
	final := agents.Completion{Text: d.Text, Finish: agents.FinishStop, Usage: agents.Usage{Input: 40, Output: 10}}
	_, err := s.EndTurn(t.Context(), debate.TurnEnd{
		Purpose: debate.ForLight, Final: &final, FinalCost: &cost, Summary: &d,
		Response: debate.Response{
			Turn: turn, State: debate.TurnDone, Usage: final.Usage, Cost: &cost, Calls: 1, Ended: noon,
		},
	})
	return err
}

func TestFitting_isReadBackWithItsTurn(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := panel()
	in.Fit = debate.FitOptions{Share: 0.8, EvidenceTokens: 2000}
	d := must.Get(s.Create(t.Context(), in))(t)
	if !cmp.Equal(d.Fit, in.Fit) {
		t.Errorf("fit = %+v", d.Fit)
	}
	beginRound(t, s, d.ID, 1)
	want := &debate.ContextFit{
		Limit:  4000,
		Tokens: 3900,
		Excerpts: []debate.Excerpt{
			{Response: "r1.s0.ada.a1", Form: debate.FormSummary, SummaryKey: "ab", OriginalLength: 900, Length: 200},
		},
	}
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: seat(d.ID, 1, "ada"), ContextFit: want}}))
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: seat(d.ID, 1, "brook")}}))
	got := get(t, s, d.ID).History[0].Responses
	if diff := cmp.Diff(want, got[0].ContextFit); diff != "" || got[1].ContextFit != nil {
		t.Errorf("fittings: %s, %+v", diff, got[1].ContextFit)
	}
}

func TestDigest_standsWithTheEndOfItsTurnOnceAndGoesAlongWithForks(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	beginRound(t, s, id, 1)
	speak(t, s, seat(id, 1, "ada"), "Yes.")
	want := debate.StatementSummary{
		Response: "r1.s0.ada.a1", Hash: "h", Model: "small", Version: 1, Text: "Short.", OriginalLength: 900, Length: 6,
		At: time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC),
	}
	must.Do(t, digest(t, s, light(id, 1, 1), want))
	again := want
	again.Text = "Another."
	must.Do(t, digest(t, s, light(id, 1, 2), again))
	d := get(t, s, id)
	if diff := cmp.Diff([]debate.StatementSummary{want}, d.Summaries); diff != "" {
		t.Errorf("summaries:\n%s", diff)
	}
	spent := 0.02
	auxiliary := []debate.Spending{{Purpose: debate.ForLight, Calls: 2, Usage: agents.Usage{Input: 80, Output: 20}, Cost: &spent}}
	if diff := cmp.Diff(auxiliary, d.AuxiliarySpending); diff != "" || d.LightAttempt != 2 || d.ChairTurns != 0 ||
		len(d.History[0].Responses) != 1 {
		t.Errorf("attempt %d of the light model, auxiliary:\n%s", d.LightAttempt, diff)
	}
	must.Get(s.EndRound(t.Context(), id, 1, nil, debate.NotStopped))(t)
	for round, n := range []int{0, 1} {
		fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: round}))(t)
		if len(fork.Summaries) != n || len(fork.AuxiliarySpending) != 0 {
			t.Errorf("a fork at %d has the summaries %+v and auxiliary %+v", round, fork.Summaries, fork.AuxiliarySpending)
		}
	}
}

func TestNote_keepsSeveralTogetherInTheirOrderOrNone(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	must.Do(t, s.Note(t.Context(), id, debate.Notice{Code: "cut", Text: "One."}, debate.Notice{Code: "cut", Text: "Two.", At: noon}))
	must.Do(t, s.Note(t.Context(), id, debate.Notice{Code: "c", Text: "Three.", Agent: "ada", Round: 2}))
	got := get(t, s, id).Notices
	if len(got) != 3 || got[0].Text != "One." || got[0].At.IsZero() || !got[1].At.Equal(noon) || got[2].Agent != "ada" || got[2].Round != 2 {
		t.Errorf("notices = %+v", got)
	}
	if err := s.Note(t.Context(), "zzzzzzzzzz", debate.Notice{Code: "a"}, debate.Notice{Code: "b"}); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("err = %v", err)
	}
}
