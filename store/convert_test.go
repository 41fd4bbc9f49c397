package store_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestConvert_keepsACopyUntilTheNextStart(t *testing.T) {
	t.Parallel()
	path := before(t)
	s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	copied := fmt.Sprintf("%s.before-%d", path, store.Latest)
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], copied) {
		t.Errorf("notices %q", n)
	}
	info := must.Get(os.Lstat(copied))(t)
	if v, err := store.SchemaOf(t.Context(), copied); v != 25 || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has schema %d, mode %s, %v", v, info.Mode(), err)
	}
	must.Do(t, s.Close())
	if n := openAt(t, path).Notices(); len(n) != 0 {
		t.Errorf("notices %q", n)
	}
	if _, err := os.Lstat(copied); err == nil {
		t.Error("the copy is still there")
	}
}

func TestConvert_refusesOtherVersionsAndWhatIsBroken(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"PRAGMA user_version = 24": "(schema 24). Nothing was changed. The Roundtable of commit 91a050bb brings an older one to schema 25",
		"PRAGMA user_version = 26": "this Roundtable cannot read its version (schema 26)",
		"PRAGMA user_version = 27": "this Roundtable cannot read its version (schema 27)",
		"DROP TABLE notices":       "it could not be converted",
	} {
		path := before(t)
		execute(t, path, statement)
		_, err := store.Open(t.Context(), path, store.Options{})
		if !refused(err, path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", statement, err)
		}
		if v, err := store.SchemaOf(t.Context(), path); err == nil && v != 25 {
			t.Errorf("%s: it has schema %d now", statement, v)
		}
	}
}

// What is gone since is still there to read: statements, questions and the chair's text. Nothing
// is added to it.
func TestConvert_keepsDebatesOfGoneModesToRead(t *testing.T) {
	t.Parallel()
	path := databaseOf(t, "gone.db.gz")
	const deleted = "s97bm0j1pa" // of the mode tradeoff, with a verdict
	execute(t, path, "UPDATE sessions SET deleted = updated WHERE id = '"+deleted+"'")
	var sides, votes int // of statements, before and after
	must.Do(t, openRaw(t, path).QueryRow(`SELECT count(*) FROM turns WHERE side != ''`).Scan(&sides))
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock(), Line: func(d debate.Session) (string, debate.Side, []string) {
		return verdict.WordsOf(d, debate.Counted{}).Line().String(), "", nil
	}}))(t)
	defer s.Close()
	must.Do(t, s.Undelete(t.Context(), deleted))
	byTopic := map[string]debate.Session{}
	all := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
	for _, v := range all {
		d := get(t, s, v.ID)
		byTopic[d.Topic+d.ForkedFrom] = d
		if gone := debate.Gone("mode " + v.Mode); v.Mode == "oxford" || v.Mode == "tradeoff" {
			_, adds := s.AddRounds(t.Context(), d.ID, 1)
			_, forks := s.Fork(t.Context(), d.ID, debate.ForkPlan{Round: 1})
			_, begins := s.BeginRound(t.Context(), d.ID, d.Next())
			for _, err := range []error{adds, forks, begins} {
				if !errors.Is(err, gone) || err.Error() != "Not counted: mode "+v.Mode+" is gone" {
					t.Errorf("%s: %v", d.Topic, err)
				}
			}
			if v.Verdict && v.Line.String() != gone.Error() {
				t.Errorf("%s: its line is %q", d.Topic, v.Line)
			}
			if readOnly := v.State() == debate.StateGone; readOnly == v.Verdict || d.State(false) != v.State() {
				t.Errorf("%s is %q in the list and %q by itself", d.Topic, v.State(), d.State(false))
			}
		}
		receipts := must.Get(s.Receipts(t.Context(), d.ID))(t)
		for _, r := range receipts {
			req, r, err := s.Prompt(t.Context(), d.ID, r.Turn, r.N)
			if err != nil || !r.Intact || r.Turn.Step >= 0 && req.Messages[1].Parts == nil {
				t.Errorf("%s: request %d of %s: intact %v, %v", d.Topic, r.N, debate.TurnID(r.Turn), r.Intact, err)
			}
		}
	}
	for _, d := range byTopic {
		for _, r := range d.History {
			for _, x := range r.Responses {
				if x.Statement.Vote != "" {
					votes++
				}
			}
		}
	}
	if sides == 0 || votes < sides {
		t.Errorf("%d votes are left of %d sides", votes, sides)
	}
	if d := byTopic["Oxford done"]; len(d.History) != 3 || len(d.History[2].Statements()) == 0 || d.Verdict == nil || d.Verdict.Text == "" {
		t.Errorf("a done one has %d rounds, verdict %v", len(d.History), d.Verdict)
	}
	if d := byTopic["Tradeoff waits"]; len(d.Requests) != 2 || d.Requests[1].JoinedTo == "" {
		t.Errorf("a joined question is %+v", d.Requests)
	}
	if d := byTopic["Imported"]; len(d.History) != 2 || len(d.FollowUps) != 1 || d.FollowUps[0].Question != "What if it fails?" {
		t.Errorf("an imported one has %d rounds, %+v", len(d.History), d.FollowUps)
	} else if q := d.Requests[0]; len(q.Asks) != 1 || q.Reason() == "" || len(q.Delivered) != 1 || q.Delivered[0].Round != 2 ||
		len(q.Answers) != 1 || q.Answers[0].Author.Kind != ledger.Person {
		t.Errorf("an imported question is %+v", q)
	}
	if d := byTopic["Kind unset"]; d.Question != debate.QuestionYesNo || d.Drafts["C1"].Text != "About a w" || len(d.Interjections) != 1 ||
		len(d.SeatChanges) != 1 || d.Interjections[0].Text != "Mind the cost." {
		t.Errorf("without a kind: %q, %+v, %+v, %+v", d.Question, d.Drafts, d.Interjections, d.SeatChanges)
	}
	if d := byTopic["Killed"]; d.Current().Responses[len(d.Current().Responses)-1].Text() != "I was about to say" {
		t.Errorf("the text of a turn that ran is gone")
	}
	d := byTopic["Gone step cut off"]
	if rows := store.Rows(t.Context(), s); rows["verdict"] == 0 || rows["superseded"] != 1 || d.Verdict != nil || d.LightAttempt != 1 {
		t.Errorf("%v, %v", rows, d.Verdict)
	}
	if repaired, err := s.Repair(t.Context(), d.ID); err != nil || len(repaired.AuxiliarySpending) != len(d.AuxiliarySpending) {
		t.Errorf("a step that is gone was not cancelled: %v", err)
	}
}
