package engine_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
)

func TestI10_theReceiptIsWhatWasSent(t *testing.T) {
	t.Parallel()
	left := []string{"temperature omitted"}
	patched := func(says replyFunc) replyFunc {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			chunks, err := says(n, req)
			chunks[len(chunks)-1].Patched = left
			return chunks, err
		}
	}
	long := func(who string) replyFunc {
		return patched(replyAlsoSummaries(replySummary(25), replyText(debatetest.Prose(who, 5000)+" “quoted” <b>&amp;</b> 請求")))
	}
	h := newHarness(t, map[string]replyFunc{"a": patched(replyAsking("How <&> \u2028?", long("a"))), "b": long("b")})
	_, s := h.run(h.smallSession("adversarial", 4, nil, "a", "b"))
	_, s = h.runToVerdict(h.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	all := must.Get(h.store.Receipts(t.Context(), s.ID))(t)
	sent := map[string]int{}
	for _, r := range slices.Concat(h.provider.requests("a"), h.provider.requests("b")) {
		sent[r.Hash()]++
	}
	if len(all) != h.provider.count() {
		t.Fatalf("%d receipts of %d requests", len(all), h.provider.count())
	}
	purposes, fitted := map[debate.Purpose]int{}, 0
	for _, r := range all {
		req, full, err := h.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
		must.Do(t, err)
		if sent[req.Hash()]--; sent[req.Hash()] < 0 {
			t.Errorf("%s, request %d was not sent: %s", debate.TurnID(r.Turn), r.N, mustJSON(t, req))
		}
		patched := slices.Equal(full.Patched, left)
		if !full.Intact || full.State != "done" || full.Estimate != req.Tokens() || patched == (r.Purpose == debate.ForChair) {
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
	if purposes[debate.ForMember] != 13 || purposes[debate.ForChair] != 1 || purposes[debate.ForLight] == 0 || fitted == 0 {
		t.Errorf("requests = %v, %d parts with summaries", purposes, fitted)
	}
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
