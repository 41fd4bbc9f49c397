package store_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// followUp begins the turn of a follow-up question, and journals the beginning of its answer.
func followUp(t *testing.T, s *store.Store, id string, number int, question string) agents.Turn {
	t.Helper()
	turn := agents.Turn{Session: id, Round: 1, Step: debate.FollowUpStep, Attempt: number, Agent: "brook"}
	must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{
		Response: debate.Response{Turn: turn, PromptVersion: 2}, Purpose: debate.ForFollowUp, Question: question,
	}))
	must.Do(t, s.BeginCall(t.Context(), turn, debate.ForFollowUp, 1, agents.Request{Model: "m", Messages: []agents.Message{{
		Role: agents.User, Text: question,
	}}}))
	must.Do(t, s.Journal(t.Context(), []debate.Text{{Turn: turn, Text: "Half an ans"}}))
	return turn
}

func TestFollowUps_areReadBackWithTheSession(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	playRound(t, s, id, 1)
	must.Get(s.SaveVerdict(ctx, id, debate.Verdict{Text: "Split it."}))(t)
	turn := followUp(t, s, id, 1, "Why?")
	cost := 0.5
	must.Get(s.EndTurn(ctx, debate.TurnEnd{
		Purpose: debate.ForFollowUp, Final: &agents.Completion{Text: "Because.", Usage: agents.Usage{Input: 7, Output: 3}}, FinalCost: &cost,
		Response: debate.Response{
			Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: "Because."}, Usage: agents.Usage{Input: 7, Output: 3},
			Cost: &cost, Calls: 1,
		},
	}))(t)
	d := get(t, s, id)
	if len(d.FollowUps) != 1 {
		t.Fatalf("%+v", d.FollowUps)
	}
	f := d.FollowUps[0]
	if f.Question != "Why?" || !f.Answered() || f.Text() != "Because." || *f.Response.Cost != cost || f.Response.PromptVersion != 2 ||
		len(d.PromptCounts) != 3 || d.Status() != debate.Complete || *budget.TotalSpending(d).Cost != cost+0.75 {
		t.Errorf("%+v, %v, %v", f, d.PromptCounts, *budget.TotalSpending(d).Cost)
	}
	for _, words := range []string{"why?", "because."} {
		found := must.Get(s.Matches(ctx, store.Query{Text: words}))(t)
		if len(found) != 1 || found[0].Total != 1 || found[0].Matches[0].Place != debate.InFollowUp {
			t.Errorf("%q: found %+v", words, found)
		}
	}
	if fork := must.Get(s.Fork(ctx, id, debate.ForkPlan{Round: 1}))(t); len(fork.FollowUps) != 0 {
		t.Errorf("a fork has %+v", fork.FollowUps)
	}
	if found, err := s.Matches(ctx, store.Query{Text: "because."}); err != nil || len(found) != 1 {
		t.Errorf("with a fork: found %+v, %v", found, err)
	}
}

// A process that is killed leaves the question, and as much of the answer as was journaled.
func TestFollowUps_thatWereCutOffAreShownAsSuch(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	playRound(t, s, id, 1)
	must.Get(s.SaveVerdict(t.Context(), id, debate.Verdict{Text: "Split it."}))(t)
	followUp(t, s, id, 1, "Why?")
	shown := get(t, s, id)
	repaired := must.Get(s.Repair(t.Context(), id))(t)
	for name, d := range map[string]debate.Session{"shown": shown, "repaired": repaired, "read": get(t, s, id)} {
		if len(d.FollowUps) != 1 {
			t.Fatalf("%s: %+v", name, d.FollowUps)
		}
		f := d.FollowUps[0]
		if f.Response.State != debate.TurnInterrupted || f.Answered() || f.Text() != "Half an ans" || f.Problem() == "" ||
			d.Status() != debate.Complete || d.Verdict == nil {
			t.Errorf("%s: %+v, %s", name, f, d.Status())
		}
	}
	followUp(t, s, id, 2, "Why?")
}
