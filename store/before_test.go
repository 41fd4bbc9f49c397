package store_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// before returns a copy of the database in testdata/before, which commit 9ff01fb
// wrote (schema 4) and commit 91a050bb brought to schema 25. It holds one debate in each state, most of them of the demo
// panel, found by its title:
//
//	blocked       run, which stops at the required C1
//	drafts        blocked, with drafts of C1 and C2, two interjections, a focus, and a new debate being typed
//	paused        C1 answered with `answer`, not continued
//	reopened      C1 answered and reopened
//	killed        round 2 killed at its second turn-end, one turn with journaled text
//	killed-first  round 1 killed while a tool ran (it has no title)
//	ended         all rounds played, killed before the verdict was saved
//	verdict       played to its verdict, begun with --focus
//	fork          a fork of it at round 1 with C1
//	adversarial   played to its verdict in another mode
//	budget        stopped by its budget after round 1
//	failed        round 1 of two seats whose server refuses connections
//	deleted       deleted and not purged
//
// The commands are those of the program; kills are those of the build tag
// crashpoints; what no command writes was written by a program that called the
// store of that commit. 91a050bb.receipts lists all requests of the database by
// session, turn and number, with the SHA-256 that that commit stored of them.
func before(t testing.TB) (path string) { return databaseOf(t, "91a050bb.db.gz") }

// databaseOf returns a copy of a database in testdata/before.
func databaseOf(t testing.TB, name string) (path string) {
	t.Helper()
	f := must.Get(os.Open(filepath.Join("testdata", "before", name)))(t)
	defer f.Close()
	r := must.Get(gzip.NewReader(f))(t)
	raw := must.Get(io.ReadAll(r))(t)
	path = filepath.Join(t.TempDir(), "roundtable.db")
	must.Do(t, os.WriteFile(path, raw, 0o600))
	return path
}

// titled returns all sessions of a store by their titles.
func titled(t *testing.T, s *store.Store) map[string]debate.SessionSummary {
	t.Helper()
	all := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
	out := map[string]debate.SessionSummary{}
	for _, v := range all {
		if v.Title == "" {
			v.Title = "killed-first"
		}
		out[v.Title] = v
	}
	return out
}

func TestBefore_everySessionIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	s := openAt(t, before(t))
	all := titled(t, s)
	if len(all) != 12 {
		t.Errorf("%d sessions; the deleted one is listed, or one is gone", len(all))
	}
	for title, want := range map[string]struct {
		status             debate.Status
		rounds, open, done int // done counts the turns of members
	}{
		"blocked": {debate.NeedsContext, 1, 2, 3}, "drafts": {debate.NeedsContext, 1, 2, 3}, "reopened": {debate.NeedsContext, 1, 2, 3},
		"paused": {debate.Ready, 1, 1, 3}, "budget": {debate.Ready, 1, 1, 3}, "fork": {debate.Ready, 1, 1, 3},
		"killed": {debate.Interrupted, 2, 1, 4}, "killed-first": {debate.Interrupted, 1, 0, 1}, "failed": {debate.Interrupted, 1, 0, 0},
		"ended": {debate.Ready, 2, 1, 6}, "verdict": {debate.Complete, 2, 1, 6}, "adversarial": {debate.Complete, 2, 1, 6},
	} {
		v, ok := all[title]
		if !ok {
			t.Errorf("%s is gone", title)
			continue
		}
		d := get(t, s, v.ID)
		open, done := 0, 0
		for _, r := range d.Requests {
			if r.Open() {
				open++
			}
		}
		for _, round := range d.History {
			for _, r := range round.Responses {
				if r.State == debate.TurnDone {
					done++
				}
			}
		}
		if v.Status != want.status || len(d.History) != want.rounds || open != want.open || done != want.done {
			t.Errorf("%s is %s with %d rounds, %d open requests and %d turns done", title, v.Status, len(d.History), open, done)
		}
		if (d.Verdict != nil) != (want.status == debate.Complete) {
			t.Errorf("%s has the verdict %+v", title, d.Verdict)
		}
	}
	d := get(t, s, all["drafts"].ID)
	if c1, c2 := d.Drafts["C1"], d.Drafts["C2"]; c1.Text != "About a w" || c1.Source != "the tea" || c2.Text != "no date" || !c2.Unavailable {
		t.Errorf("drafts = %+v", d.Drafts)
	}
	if i := d.Interjections; len(i) != 2 || i[0].Text != "Mind the cost." || i[1].Agent != "ada" {
		t.Errorf("interjections = %+v", i)
	}
	focus, err := s.Focus(t.Context(), d.ID)
	typed, err2 := s.KeptNew(t.Context())
	if err != nil || err2 != nil || focus != (debate.Focus{Text: "What of operations?"}) || typed.Text != `{"topic":"Rust or Go?"}` {
		t.Errorf("focus %v, new debate %q, %v, %v", focus, typed.Text, err, err2)
	}
	if d := get(t, s, all["budget"].ID); d.Stopped != debate.StoppedByBudget || d.Budget.Tokens != 20000 {
		t.Errorf("stopped %q, budget %+v", d.Stopped, d.Budget)
	}
	if d := get(t, s, all["fork"].ID); d.ForkedFrom != all["verdict"].ID || d.ForkRound != 1 {
		t.Errorf("forked from %q at %d", d.ForkedFrom, d.ForkRound)
	}
	if d := get(t, s, all["failed"].ID); d.History[0].Responses[0].Failure == nil {
		t.Error("the failure of the round is gone")
	}
}

// Receipts of before are the same bytes, also where the session is continued or forked.
func TestBefore_receiptsAreTheBytesThatWereSent(t *testing.T) {
	t.Parallel()
	s := openAt(t, before(t))
	raw := must.Get(os.ReadFile(filepath.Join("testdata", "before", "91a050bb.receipts")))(t)
	want := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		i := strings.LastIndexByte(line, ' ')
		want[line[:i]] = strings.TrimSpace(line[i:])
	}
	lines := 0
	for title, v := range titled(t, s) {
		all := must.Get(s.Receipts(t.Context(), v.ID))(t)
		for _, r := range all {
			req, r, err := s.Prompt(t.Context(), v.ID, r.Turn, r.N)
			must.Do(t, err)
			key := fmt.Sprintf("%s %s %d", v.ID, debate.TurnID(r.Turn), r.N)
			if sum := req.Hash(); sum != want[key] || !r.Intact {
				t.Errorf("%s, request %d of %s: %s, intact: %v", title, r.N, debate.TurnID(r.Turn), sum, r.Intact)
			}
			lines++
		}
	}
	if lines == 0 || lines > len(want) {
		t.Errorf("%d receipts of %d", lines, len(want))
	}
}

// play lets all seats of a session speak in a round that begins now, or goes on.
func play(t *testing.T, s *store.Store, d debate.Session) debate.Session {
	t.Helper()
	must.Do(t, s.Lock(t.Context(), d.ID))
	defer func() { must.Do(t, s.Unlock(d.ID)) }()
	d = must.Get(s.Repair(t.Context(), d.ID))(t)
	if c := d.Current(); c == nil || !c.Ended.IsZero() {
		d = must.Get(s.BeginRound(t.Context(), d.ID, len(d.History)+1))(t)
	}
	round := d.Current()
	for _, p := range d.Seats {
		turn := agents.Turn{Session: d.ID, Round: round.Number, Attempt: len(round.AttemptsOf(p.ID)) + 1, Agent: p.ID}
		if x := round.AttemptsOf(p.ID); len(x) == 0 || x[len(x)-1].State != debate.TurnDone {
			speak(t, s, turn, "I still hold that "+p.Name+" is right.")
		}
	}
	d = must.Get(s.EndRound(t.Context(), d.ID, round.Number, nil, debate.NotStopped))(t)
	return d
}

func TestBefore_everySessionGoesOn(t *testing.T) {
	t.Parallel()
	path := before(t)
	s := openAt(t, path)
	all := titled(t, s)
	for _, title := range []string{"blocked", "drafts", "reopened"} {
		answer(t, s, all[title].ID, "C1", "A day.")
		if d := get(t, s, all[title].ID); d.Drafts["C1"].Text != "" {
			t.Errorf("%s keeps the draft of what is answered", title)
		}
	}
	for _, title := range []string{"verdict", "adversarial", "ended", "budget"} {
		must.Get(s.AddRounds(t.Context(), all[title].ID, 1))(t)
	}
	must.Get(s.Fork(t.Context(), all["killed"].ID, debate.ForkPlan{Round: 1}))(t)
	for title, v := range all {
		d := play(t, s, get(t, s, v.ID))
		if c := d.Current(); c.Ended.IsZero() {
			t.Errorf("%s did not end round %d", title, c.Number)
		}
		d = must.Get(s.SaveVerdict(t.Context(), v.ID, debate.Verdict{Text: "So be it."}))(t)
		if d.Verdict == nil || d.Verdict.Text != "So be it." {
			t.Errorf("%s has no verdict", title)
		}
	}
	must.Do(t, s.Purge(t.Context()))
	must.Do(t, store.Check(t.Context(), s))
	must.Do(t, s.Close())
	if s = openAt(t, path); len(titled(t, s)) != 12 {
		t.Errorf("%d sessions after opening it again", len(titled(t, s)))
	}
}

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
