package store_test

import (
	"errors"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestPrompt_isWhatWasSent(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	turn := seat(id, 1, "ada")
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn}}))
	warm := 0.0
	req := agents.Request{
		Model: "m1", Temperature: &warm, MaxTokens: 9, Schema: []byte(`{"type":"object"}`),
		Messages: []agents.Message{{Role: agents.System, Text: "<rules> & \"more\" \x00 請求"}, {
			Role:  agents.Assistant,
			Calls: []agents.ToolCall{{ID: "x", Name: "n", Args: "{", Extra: []byte(`"sig"`)}},
		}},
		Tools: []agents.ToolSpec{{Name: "search", Schema: []byte(`{"a":1}`)}},
	}
	must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 1, req))
	took, cost := agents.Usage{Input: 7, Output: 2, Cached: 3, Estimated: true}, 0.25
	must.Do(t, s.BreakCall(ctx, turn, 1, &agents.Failure{Kind: agents.KindBusy, Cause: "Busy."}, took, &cost))
	must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 2, agents.Request{Model: "m1"}))

	got, receipt, err := s.Prompt(ctx, id[:6], turn, 1)
	must.Do(t, err)
	if diff := requestDiff(t, req, got); diff != "" {
		t.Error(diff)
	}
	if !receipt.Intact || len(receipt.Hash) != 64 || receipt.State != "broken" || receipt.Of != 2 || receipt.Failure.Cause != "Busy." ||
		receipt.Ended.IsZero() {
		t.Errorf("%+v", receipt)
	}
	if receipt.Usage != took || receipt.Cost == nil || *receipt.Cost != cost {
		t.Errorf("it took %+v and cost %v", receipt.Usage, receipt.Cost)
	}
	must.Do(t, s.BreakCall(ctx, turn, 2, &agents.Failure{Kind: agents.KindInterrupted, Cause: "Stopped."}, agents.Usage{}, nil))
	if _, receipt, err := s.Prompt(ctx, id, turn, 2); err != nil || receipt.State != "interrupted" {
		t.Errorf("%+v, %v", receipt, err)
	}
	if _, _, err := s.Prompt(ctx, id, turn, 3); err == nil {
		t.Error("a third request was sent")
	}
	if _, _, err := s.Prompt(ctx, "zzzzzzzzzz", turn, 1); !errors.Is(err, debate.ErrNoSession) {
		t.Error(err)
	}
}

func TestBreakCall_countsWhatCameToNothing(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	listed := func() debate.SessionSummary {
		t.Helper()
		all := must.Get(s.Sessions(ctx, store.Query{}))(t)
		return all[0]
	}
	known, turn := 0.5, seat(id, 1, "ada")
	beginCall(t, s, turn)
	must.Do(t, s.BreakCall(ctx, turn, 1, nil, agents.Usage{Input: 30, Output: 4}, &known))
	if got := listed(); got.Cost == nil || *got.Cost != known || got.Tokens != 34 {
		t.Errorf("the list says %v and %d tokens", got.Cost, got.Tokens)
	}
	must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 2, agents.Request{}))
	repaired, err := s.Repair(ctx, id) // as after a crash amid the second
	must.Do(t, err)
	more := agents.Request{}.Tokens() // the prompt of the second, which the server may have read
	if got := repaired.History[0].Responses[0]; got.Cost == nil || *got.Cost != known+float64(more)*1.5/1e6 ||
		got.Usage.Input != 30+more || got.Calls != 2 {
		t.Errorf("repaired: %+v", got)
	}
	turn = seat(id, 1, "brook")
	beginCall(t, s, turn)
	must.Do(t, s.BreakCall(ctx, turn, 1, nil, agents.Usage{}, nil))
	if got := listed(); got.Cost != nil || got.Tokens != 34+more {
		t.Errorf("with an unknown price the list says %v and %d tokens", *got.Cost, got.Tokens)
	}
}
