package engine_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/e2e/endpoint"
)

// decoded returns two fields of a request's JSON.
func decoded(t *testing.T, raw string) (messages, tools any) {
	t.Helper()
	var body struct{ Messages, Tools any }
	if err := json.Unmarshal([]byte(raw), &body); err != nil {
		t.Fatal(err)
	}
	return body.Messages, body.Tools
}

func TestI10_theReceiptIsWhatWasSent(t *testing.T) {
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "a" && len(r.Tools) > 0 && r.Last().Role != "tool" {
			return endpoint.Reply{Call: `{"query":"How many?","reason":"it decides <&> \u2028"}`}
		}
		if strings.HasPrefix(r.Messages[0].Content, "You shorten one statement") {
			return endpoint.Reply{Text: prose("it", 1200)}
		}
		return endpoint.Reply{Text: prose(r.Model, 5000) + " “quoted” <b>&amp;</b> 請求"}
	})
	tb := newTable(t, nil)
	tb.against(srv)
	_, s := tb.start(tb.shared("adversarial", 4, nil, "a", "b"))
	_, s = tb.toTheEnd(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	read, err := tb.store.Session(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	all, err := tb.store.Receipts(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	sent := srv.Requests("")
	if len(all) != len(sent) {
		t.Fatalf("%d receipts of %d requests", len(all), len(sent))
	}
	purposes, fitted := map[debate.Purpose]int{}, 0
	for i, r := range all {
		req, full, err := tb.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := req.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		i = match(t, sent, string(raw), i)
		messages, tools := decoded(t, string(raw))
		wantMessages, wantTools := decoded(t, sent[i].Raw)
		if !reflect.DeepEqual(messages, wantMessages) || !reflect.DeepEqual(tools, wantTools) {
			t.Errorf("%s, request %d: the receipt is\n%s\nsent was\n%s", debate.TurnID(r.Turn), r.N, raw, sent[i].Raw)
		}
		if !full.Intact || full.State != "done" || full.Estimate != req.Tokens() || strings.Join(full.Patched, "") != "stream and stream_options added" {
			t.Errorf("receipt = %+v", full)
		}
		purposes[r.Purpose]++
		if r.Purpose == debate.ForLight {
			continue
		}
		parts := prompt.PartsOf(read, r.Turn, req)
		text := ""
		for _, p := range parts[min(1, len(parts)):] {
			text += "\n\n" + p.Text
			if strings.Contains(p.Text, "[summary of ") {
				fitted++
			}
		}
		if len(parts) < 2 || parts[0].Text != req.Messages[0].Text || strings.TrimPrefix(text, "\n\n") != req.Messages[1].Text {
			t.Errorf("%s, request %d has the parts %+v", debate.TurnID(r.Turn), r.N, parts)
		}
	}
	if purposes[debate.ForMember] != 11 || purposes[debate.ForChair] != 1 || purposes[debate.ForLight] == 0 || fitted == 0 {
		t.Errorf("requests = %v, %d parts with summaries", purposes, fitted)
	}
}

// match finds the request that has these messages, since some are sent at once.
func match(t *testing.T, sent []endpoint.Request, raw string, otherwise int) int {
	t.Helper()
	messages, _ := decoded(t, raw)
	for i, r := range sent {
		if got, _ := decoded(t, r.Raw); reflect.DeepEqual(got, messages) {
			return i
		}
	}
	return otherwise
}

func TestPartsOf_isSilentWhereItCannotTell(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says("x"), "b": says("y")})
	_, s := tb.toTheEnd(tb.session("collaborative", 1, "a", "b"))
	all, err := tb.store.Receipts(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		req, _, err := tb.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
		if err != nil {
			t.Fatal(err)
		}
		if prompt.PartsOf(s, r.Turn, req) == nil {
			t.Errorf("%s has no parts", debate.TurnID(r.Turn))
		}
		req.Messages[1].Text += "?"
		if parts := prompt.PartsOf(s, r.Turn, req); parts != nil {
			t.Errorf("another request has the parts %+v", parts)
		}
		r.Turn.Round = 9
		if parts := prompt.PartsOf(s, r.Turn, req); parts != nil {
			t.Errorf("a round that has not begun has the parts %+v", parts)
		}
	}
}
