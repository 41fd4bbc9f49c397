package store_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// texts are what messages say: plain, with fences, and with what could be taken
// for the store's own divisions.
var texts = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{
		"", "\n", "\n\n", "plain", "a \x1a substitute", "\xff\xfe no UTF-8 \xff", `"content":"x"`, "<b>&amp;</b> \u2028", "請求 système",
		"0123456789ab statement: seat 1\nYes.\n0123456789ab end\n\n0123456789ab statement: seat 2\nNo.\n0123456789ab end",
		strings.Repeat("A paragraph of some length.\n\n", 60), strings.Repeat("one long line ", 200),
	}),
)

func drawMessage(rt *rapid.T) agents.Message {
	m := agents.Message{
		Role: rapid.SampledFrom([]agents.Role{agents.System, agents.User, agents.Assistant, agents.ToolRole}).Draw(rt, "role"),
	}
	if rapid.Bool().Draw(rt, "in parts") {
		for i, text := range rapid.SliceOfN(texts, 1, 4).Draw(rt, "parts") {
			m.Parts = append(m.Parts, agents.Part{Title: fmt.Sprint("part ", i), Text: text})
		}
		m.Text = agents.JoinParts(m.Parts)
	} else {
		m.Text = texts.Draw(rt, "text")
	}
	if rapid.Bool().Draw(rt, "calls") {
		m.Calls = []agents.ToolCall{{ID: "c", Name: "n", Args: texts.Draw(rt, "args")}}
		m.Extra = json.RawMessage(`{"content":"plain"}`)
	}
	return m
}

// Whatever a request says, and whatever it has in common with those before it, it
// is read back as the bytes that were sent, also from a fork.
func TestPrompt_isReadBackAsItWasSent(t *testing.T) {
	must.Do(t, flag.Set("rapid.checks", "20"))
	s := openNew(t)
	rapid.Check(t, func(rt *rapid.T) {
		id := create(t, s).ID
		beginRound(t, s, id, 1)
		turn := seat(id, 1, "ada")
		must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}}))
		var sent []agents.Request
		req := agents.Request{Model: "m", Tools: []agents.ToolSpec{{Name: "t", Schema: json.RawMessage(`{"content":"plain"}`)}}}
		for n := range rapid.SampledFrom([]int{1, 2, 4, 20}).Draw(rt, "requests") { // 20 are more than one chain
			if rapid.Bool().Draw(rt, "begin anew") {
				req.Messages = nil
			}
			for range rapid.IntRange(0, 3).Draw(rt, "messages") {
				req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)], drawMessage(rt))
			}
			must.Do(t, s.BeginCall(t.Context(), turn, debate.ForMember, n+1, req))
			sent = append(sent, req)
		}
		done := debate.Response{Turn: turn, State: debate.TurnDone}
		must.Get(s.EndTurn(t.Context(), debate.TurnEnd{Final: &agents.Completion{Text: "x"}, Response: done}))(t)
		must.Get(s.EndRound(t.Context(), id, 1, nil, debate.NotStopped))(t)
		fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: 1}))(t)
		for _, from := range []string{id, fork.ID} {
			for i, want := range sent {
				got, r, err := s.Prompt(t.Context(), from, turn, i+1)
				must.Do(t, err)
				if diff := requestDiff(t, want, got); diff != "" || !r.Intact || r.Hash != want.Hash() {
					rt.Fatalf("request %d, intact %v, is not what was sent:\n%s", i+1, r.Intact, diff)
				}
			}
		}
	})
}

// requestDiff compares a request that was read back with what was sent. Bytes that
// are no UTF-8 are replaced in it, and texts may have lost their titles.
func requestDiff(t *testing.T, sent, got agents.Request) string {
	t.Helper()
	raw := must.Get(json.Marshal(sent))(t)
	var want agents.Request
	must.Do(t, json.Unmarshal(raw, &want))
	for i, m := range got.Messages {
		if m.Parts != nil {
			want.Messages[i].Parts = sent.Messages[i].Parts
		}
	}
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(agents.Request{}))
}

// A request that another program changed is shown with that said, or refused.
func TestPrompt_noticesWhatWasChanged(t *testing.T) {
	path, id := closedDatabase(t)
	s := openAt(t, path)
	playRound(t, s, id, 1)
	must.Do(t, s.Close())
	turn := seat(id, 1, "ada")
	execute(t, path, `UPDATE calls SET hash = 'other'`)
	s = openAt(t, path)
	if req, r, err := s.Prompt(t.Context(), id, turn, 1); err != nil || r.Intact || req.Messages[0].Text != "go" {
		t.Errorf("%+v, intact %v, %v", req, r.Intact, err)
	}
	must.Do(t, s.Close())
	execute(t, path, `UPDATE calls SET request = x'00'`)
	s = openAt(t, path)
	var damaged *store.DamagedError
	if _, _, err := s.Prompt(t.Context(), id, turn, 1); !errors.As(err, &damaged) {
		t.Errorf("err = %v", err)
	}
}

// A list with a session that cannot be read is no list.
func TestSessions_failOnARowThatCannotBeRead(t *testing.T) {
	path, _ := closedDatabase(t)
	execute(t, path, `UPDATE sessions SET outline = 'x'`)
	if all, err := openAt(t, path).Sessions(t.Context(), store.Query{}); err == nil {
		t.Errorf("%d sessions", len(all))
	}
}

func TestPurge_leavesTheRequestsOfAFork(t *testing.T) {
	path, id := closedDatabase(t)
	s := openAt(t, path)
	playRound(t, s, id, 1)
	fork := must.Get(s.Fork(t.Context(), id, debate.ForkPlan{Round: 1}))(t)
	now := time.Now()
	reopened := func(deleted string) map[string]int {
		t.Helper()
		must.Do(t, s.Delete(t.Context(), deleted))
		must.Do(t, s.Close())
		now = now.Add(2 * store.KeptDeleted)
		s = openWith(t, path, store.Options{Now: func() time.Time { return now }})
		must.Do(t, s.Purge(t.Context()))
		return store.Rows(t.Context(), s)
	}
	if rows := reopened(id); rows["sessions"] != 1 || rows["calls"] == 0 {
		t.Errorf("with a fork there are %v", rows)
	}
	if _, r, err := s.Prompt(t.Context(), fork.ID, seat(fork.ID, 1, "ada"), 1); err != nil || !r.Intact {
		t.Errorf("the request of the fork: intact %v, %v", r.Intact, err)
	}
	if rows := reopened(fork.ID); rows["sessions"] != 0 || rows["calls"] != 0 {
		t.Errorf("without any session there are %v", rows)
	}
}

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
		Messages: []agents.Message{
			{Role: agents.System, Text: "<rules> & \"more\" \x00 請求"},
			{Role: agents.Assistant, Calls: []agents.ToolCall{{ID: "x", Name: "n", Args: "{", Extra: []byte(`"sig"`)}}},
		},
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
	listed := func() debate.SessionSummary { return must.Get(s.Sessions(ctx, store.Query{}))(t)[0] }
	known, turn := 0.5, seat(id, 1, "ada")
	beginCall(t, s, turn)
	must.Do(t, s.BreakCall(ctx, turn, 1, nil, agents.Usage{Input: 30, Output: 4}, &known))
	if got := listed(); got.Cost == nil || *got.Cost != known || got.Tokens != 34 {
		t.Errorf("the list says %v and %d tokens", got.Cost, got.Tokens)
	}
	must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 2, agents.Request{}))
	repaired := must.Get(s.Repair(ctx, id))(t) // as after a crash during the second
	more := agents.Request{}.Tokens()          // the prompt of the second, which the server may have read
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
