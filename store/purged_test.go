package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// marked returns a text of some length of which every sixteen bytes name the debate.
func marked(n, length int) string {
	return strings.Repeat(fmt.Sprintf("<debate %07d>", n), length/16+1)
}

// TestPurge_leavesNoByteOfADebate writes debates of many sizes beside one another, purges
// some of them, and looks for their words in all files of the folder, while the database is
// open and after it was closed. A text that others have too stays.
func TestPurge_leavesNoByteOfADebate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
	const debates = 12
	var ids []string
	for n := range debates {
		d := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
		d.ID, d.Topic, d.Title = "", marked(n, 30+700*n), marked(n, 20)
		d.Evidence = []debate.Evidence{file("notes.txt", marked(n, 10000*n)), file("shared.txt", "what all of them have\n")}
		made := must.Get(s.Create(t.Context(), d.Session))(t)
		ids = append(ids, made.ID)
	}
	for round := 1; round <= 2; round++ {
		for n, id := range ids { // in turns, so that their rows share pages
			beginRound(t, s, id, round)
			for _, who := range []agents.ID{"ada", "brook"} {
				turn := seat(id, round, who)
				must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForMember}))
				must.Do(t, s.BeginCall(t.Context(), turn, debate.ForMember, 1, agents.Request{
					Model: "m", Messages: []agents.Message{{Role: agents.User, Text: marked(n, 3000)}},
				}))
				must.Do(t, s.Journal(t.Context(), []debate.Text{{Turn: turn, Text: marked(n, 500*n)}}))
				if who == "ada" && round == 1 {
					asked := ledger.Question{Query: marked(n, 100), Reason: marked(n, 50)}
					must.Get(s.Ask(t.Context(), turn, "call", asked, ledger.DefaultCaps))(t)
				}
				text := marked(n, 300+1500*n*round)
				must.Get(s.EndTurn(t.Context(), debate.TurnEnd{
					Response: debate.Response{Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: text}},
					Final:    &agents.Completion{Text: text, Finish: agents.FinishStop},
				}))(t)
			}
			must.Get(s.EndRound(t.Context(), id, round, nil, debate.NotStopped))(t)
			if round == 1 {
				must.Do(t, s.SaveDraft(t.Context(), id, "C1", debate.Draft{Text: marked(n, 400)}))
				_, err := s.Answer(t.Context(), id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: marked(n, 200*n)})
				must.Do(t, err)
			}
		}
	}
	for n, id := range ids {
		if n%3 == 1 {
			must.Do(t, s.Delete(t.Context(), id))
		}
	}
	must.Do(t, s.Close())
	backup := filepath.Join(dir, fmt.Sprintf("roundtable.db.before-%d", store.Latest))
	must.Do(t, os.WriteFile(backup, []byte(marked(1, 100)), 0o600))

	s = must.Get(store.Open(t.Context(), path, store.Options{Now: func() time.Time { return panelLater().Add(store.KeptDeleted) }}))(t)
	must.Do(t, s.Purge(t.Context()))
	look := func(when string) {
		files := must.Get(filepath.Glob(filepath.Join(dir, "*db*")))(t)
		for n := range debates {
			found := 0
			for _, file := range files {
				raw := must.Get(os.ReadFile(file))(t)
				found += bytes.Count(raw, []byte(fmt.Sprintf("debate %07d", n)))
			}
			if gone := n%3 == 1; gone && found > 0 || !gone && found == 0 {
				t.Errorf("%s: %d places of debate %d, which is purged: %t", when, found, n, gone)
			}
		}
	}
	look("open")
	if rows, kept := store.Rows(t.Context(), s), get(t, s, ids[0]); rows["evidence_texts"] != debates-debates/3+1 ||
		kept.Evidence[1].Text != "what all of them have\n" {
		t.Errorf("%d texts of evidence are left: %+v", rows["evidence_texts"], kept.Evidence)
	}
	must.Do(t, s.Close())
	look("closed")
}
