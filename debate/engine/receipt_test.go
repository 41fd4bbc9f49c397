package engine_test

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/debatetest"
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
	all, err := h.store.Receipts(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	sent := srv.Requests("")
	if len(all) != len(sent) {
		t.Fatalf("%d receipts of %d requests", len(all), len(sent))
	}
	purposes, fitted := map[debate.Purpose]int{}, 0
	for i, r := range all {
		req, full, err := h.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
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
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{"a": replyText("x"), "b": replyText("y")})
	_, s := h.runToVerdict(h.session("collaborative", 1, "a", "b"))
	all, err := h.store.Receipts(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		req, _, err := h.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
		if err != nil {
			t.Fatal(err)
		}
		if prompt.Parts(req) == nil {
			t.Errorf("%s has no parts", debate.TurnID(r.Turn))
		}
		req.Messages[1].Text += "?"
		if parts := prompt.Parts(req); parts != nil {
			t.Errorf("another request has the parts %+v", parts)
		}
	}
}

// Each part of a prompt is stored once: the calls of a long debate take a few times
// the words that are spoken, and their receipts are what was sent all the same.
func TestReceipts_takeAFewTimesTheWordsSpoken(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays 80 rounds")
	}
	statement := func(who string) replyFunc {
		return func(n int, req agents.Request) ([]agents.Chunk, error) {
			return replyText(longStatement(who, n, 400))(n, req)
		}
	}
	collaborative := debatetest.Mode(t, "collaborative")
	for _, c := range []struct {
		name   string
		factor int
		play   func(h *harness) debate.Session
	}{
		{"the demo", 3, func(h *harness) debate.Session { return h.runDemo(collaborative, 3, 40) }},
		{"short statements that all differ", 4, func(h *harness) debate.Session {
			_, s := h.runToVerdict(h.session("collaborative", 40, "a", "b", "c"))
			return s
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, map[string]replyFunc{"a": statement("a"), "b": statement("b"), "c": statement("c")})
			s := c.play(h)
			words, took := sizes(t, h.path)
			t.Logf("%d bytes of words, %d bytes of calls and parts: %.2f times as many", words, took, float64(took)/float64(words))
			if len(s.History) != 40 || took > c.factor*words {
				t.Errorf("%d rounds of %d bytes take %d", len(s.History), words, took)
			}
			receipts, err := h.store.Receipts(t.Context(), s.ID)
			if err != nil || len(receipts) < 121 {
				t.Fatalf("%d receipts, %v", len(receipts), err)
			}
			fork, err := h.store.Fork(t.Context(), s.ID, debate.ForkPlan{Round: 30})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range receipts {
				req, read, err := h.store.Prompt(t.Context(), s.ID, r.Turn, r.N)
				if err != nil || !read.Intact || req.Hash() != r.Hash || prompt.Parts(req) == nil {
					t.Errorf("%s, request %d: intact %v, %v", debate.TurnID(r.Turn), r.N, read.Intact, err)
				}
				if r.Turn.Round > 30 {
					continue
				}
				copied, read, err := h.store.Prompt(t.Context(), fork.ID, r.Turn, r.N)
				if err != nil || !read.Intact || copied.Hash() != r.Hash {
					t.Errorf("%s, request %d in a fork: intact %v, %v", debate.TurnID(r.Turn), r.N, read.Intact, err)
				}
			}
		})
	}
}

// sizes returns how many bytes of a database are words that were spoken, and how
// many pages of it, in bytes, are calls and their parts.
func sizes(t *testing.T, path string) (words, took int) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy.db")
	do := func(path string, statements ...string) (pages int) {
		db, err := sql.Open("sqlite3", "file:"+path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		for _, st := range statements {
			if _, err := db.ExecContext(t.Context(), st); err != nil {
				t.Fatalf("%s: %v", st, err)
			}
		}
		query := "SELECT coalesce(sum(length(CAST(said AS BLOB))), 0), (SELECT page_count FROM pragma_page_count) FROM turns"
		if err := db.QueryRowContext(t.Context(), query).Scan(&words, &pages); err != nil {
			t.Fatal(err)
		}
		return pages
	}
	do(path, "VACUUM INTO '"+copied+"'")
	with := do(copied)
	without := do(copied, "PRAGMA foreign_keys = OFF", "DROP TABLE calls", "VACUUM")
	const pageSize = 8192
	return words, (with - without) * pageSize
}
