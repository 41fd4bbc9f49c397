package engine_test

import (
	"database/sql"
	"encoding/json"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

// decoded returns the messages and tools of a request on the wire as a receipt has them, as JSON.
func decoded(t *testing.T, raw string) (messages, tools string) {
	t.Helper()
	var body struct {
		Messages []struct {
			agents.Message
			Calls []struct {
				ID       string
				Function agents.ToolCall
			} `json:"tool_calls"`
		}
		Tools []struct{ Function agents.ToolSpec }
	}
	must.Do(t, json.Unmarshal([]byte(raw), &body))
	var req agents.Request
	for _, m := range body.Messages {
		for _, c := range m.Calls {
			c.Function.ID = c.ID
			m.Message.Calls = append(m.Message.Calls, c.Function)
		}
		req.Messages = append(req.Messages, m.Message)
	}
	for _, tool := range body.Tools {
		req.Tools = append(req.Tools, tool.Function)
	}
	return mustJSON(t, req.Messages), mustJSON(t, req.Tools)
}

func TestI10_theReceiptIsWhatWasSent(t *testing.T) {
	t.Parallel()
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "a" && strings.Contains(r.Messages[1].Content, "request_context") && r.Last().Role != "tool" {
			return endpoint.Reply{Call: `{"query":"How many?","reason":"it decides <&> \u2028","priority":"required"}`}
		}
		if strings.HasPrefix(r.Messages[0].Content, "You shorten one statement") {
			return endpoint.Reply{Text: debatetest.Prose("it", 1200)}
		}
		return endpoint.Reply{Text: debatetest.Prose(r.Model, 5000) + " “quoted” <b>&amp;</b> 請求"}
	})
	h := newHarness(t, nil)
	h.useServer(srv)
	_, s := h.run(h.smallSession("adversarial", 4, nil, "a", "b"))
	_, s = h.runToVerdict(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	all := must.Get(h.store.Receipts(t.Context(), s.ID))(t)
	sent := srv.Requests("")
	if len(all) != len(sent) {
		t.Fatalf("%d receipts of %d requests", len(all), len(sent))
	}
	purposes, fitted := map[debate.Purpose]int{}, 0
	for i, r := range all {
		req, full, err := h.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
		must.Do(t, err)
		messages, tools := mustJSON(t, req.Messages), mustJSON(t, req.Tools)
		i = match(t, sent, messages, i)
		if wantMessages, wantTools := decoded(t, sent[i].Raw); messages != wantMessages || tools != wantTools {
			t.Errorf("%s, request %d: the receipt is\n%s\n%s\nsent was\n%s", debate.TurnID(r.Turn), r.N, messages, tools, sent[i].Raw)
		}
		if !full.Intact || full.State != "done" || full.Estimate != req.Tokens() || strings.Join(full.Patched,
			"") != "stream and stream_options added" {
			t.Errorf("receipt = %+v", full)
		}
		purposes[r.Purpose]++
		if r.Purpose == debate.ForLight {
			continue
		}
		parts := prompt.Parts(req)
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
	if purposes[debate.ForMember] != 15 || purposes[debate.ForChair] != 1 || purposes[debate.ForLight] == 0 || fitted == 0 {
		t.Errorf("requests = %v, %d parts with summaries", purposes, fitted)
	}
}

// match finds the request that has these messages, since some are sent at once.
func match(t *testing.T, sent []endpoint.Request, messages string, otherwise int) int {
	t.Helper()
	for i, r := range sent {
		if got, _ := decoded(t, r.Raw); got == messages {
			return i
		}
	}
	return otherwise
}

// What prompts have in common is stored once: the calls of a long debate take a few times the
// words that are spoken.
func TestReceipts_takeAFewTimesTheWordsSpoken(t *testing.T) {
	t.Parallel()
	statement := func(who string) replyFunc {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			return replyText(longStatement(who, n, 400))(n, req)
		}
	}
	h := newHarness(t, map[string]replyFunc{"a": statement("a"), "b": statement("b"), "c": statement("c")})
	_, s := h.runToVerdict(h.session("collaborative", 10, "a", "b", "c"))
	db := must.Get(sql.Open("sqlite3", "file:"+h.path))(t)
	defer db.Close()
	var words, took int
	const sizes = "SELECT (SELECT sum(length(CAST(said AS BLOB))) FROM turns), (SELECT sum(length(request)) FROM calls)"
	if err := db.QueryRowContext(t.Context(), sizes).Scan(&words, &took); err != nil || len(s.History) != 10 || took > 2*words {
		t.Errorf("%d rounds of %d bytes take %d: %v", len(s.History), words, took, err)
	}
}
