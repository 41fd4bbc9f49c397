package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// createNamed creates sessions with the given ids.
func createNamed(t *testing.T, s *store.Store, ids ...string) {
	t.Helper()
	for _, id := range ids {
		d := panel()
		d.ID, d.Topic = id, "Topic of "+id
		must.Get(s.Create(t.Context(), d))(t)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	createNamed(t, s, "k7m2x9qd4t", "k7m2a00000", "q10b0aaaaa", "zzzz000001")
	must.Do(t, s.Delete(t.Context(), "zzzz000001"))
	for _, c := range []struct {
		name, typed, want string
		err               error
		says              []string
	}{
		{"whole", "k7m2x9qd4t", "k7m2x9qd4t", nil, nil},
		{"prefix", "k7m2x", "k7m2x9qd4t", nil, nil},
		{"capitals and spaces", " K7M2A ", "k7m2a00000", nil, nil},
		{"look-alikes", "qlObO", "q10b0aaaaa", nil, nil},
		{"ambiguous", "k7m2", "", debate.ErrAmbiguous, []string{"k7m2x9qd4t", "k7m2a00000", "Topic of k7m2a00000"}},
		{"unknown", "xxxx", "", debate.ErrNoSession, []string{`No debate "xxxx"`, "roundtable sessions"}},
		{"deleted", "zzzz", "", debate.ErrNoSession, nil},
		{"too short", "k7m", "", debate.ErrNoSession, []string{"at least 4"}},
		{"empty", "", "", debate.ErrNoSession, nil},
		{"too long", "k7m2x9qd4tt", "", debate.ErrNoSession, []string{"10 letters and digits"}},
		{"path", "../x", "", debate.ErrNoSession, []string{`"../x" is not a debate id`}},
		{"pattern", "k7m%", "", debate.ErrNoSession, []string{"is not a debate id"}},
		{"SQL", "' OR 1=1 --", "", debate.ErrNoSession, []string{"is not a debate id"}},
		{"escape codes", "\x1b[2Jx\x00", "", debate.ErrNoSession, []string{`"\x1b[2Jx\x00" is not`}},
		{"1 MB", strings.Repeat("k", 1<<20), "", debate.ErrNoSession, []string{"is not a debate id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := s.Resolve(t.Context(), c.typed)
			if got != c.want || !errors.Is(err, c.err) || c.err == nil && err != nil {
				t.Fatalf("%q, %v", got, err)
			}
			for _, want := range c.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is missing in %q", want, err)
				}
			}
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("the error has %d characters", len(err.Error()))
			}
			if _, err2 := s.Session(t.Context(), c.typed); (err == nil) != (err2 == nil) {
				t.Errorf("Session says %v", err2)
			}
		})
	}
}

func TestResolve_listsNoMoreThanTen(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for i := range 15 {
		createNamed(t, s, fmt.Sprintf("aaaa0000%02d", i))
	}
	_, err := s.Resolve(t.Context(), "aaaa")
	if !errors.Is(err, debate.ErrAmbiguous) || strings.Count(err.Error(), "\n") != 11 || !strings.Contains(err.Error(), "\n  aaaa000014") ||
		!strings.HasSuffix(err.Error(), "\n  and 5 more") {
		t.Errorf("%v", err)
	}
}

func TestLast_isTheOneChangedLast(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	if _, err := s.Last(t.Context()); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("of none: %v", err)
	}
	first, second := create(t, s).ID, create(t, s).ID
	if last := must.Get(s.Last(t.Context()))(t); last != second {
		t.Errorf("last is %s", last)
	}
	must.Do(t, s.Rename(t.Context(), first, "  Renamed  "))
	if last := must.Get(s.Last(t.Context()))(t); last != first || get(t, s, first).Title != "Renamed" {
		t.Errorf("last is %s, %q", last, get(t, s, first).Title)
	}
	if err := s.Rename(t.Context(), "zzzzzzzzzz", "x"); !errors.Is(err, debate.ErrNoSession) {
		t.Error(err)
	}
}

func TestDelete_hidesUntilUndoneOrPurged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
	kept, gone := create(t, s).ID, create(t, s).ID
	playRound(t, s, gone, 1)
	ctx := t.Context()
	must.Do(t, s.Delete(ctx, gone))
	must.Do(t, s.Delete(ctx, kept))
	must.Do(t, s.Undelete(ctx, kept))
	if err := s.Undelete(ctx, kept); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("undeleting twice: %v", err)
	}
	if err := s.Delete(ctx, gone); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("deleting twice: %v", err)
	}
	if _, err := s.BeginRound(ctx, gone, 2); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("playing on: %v", err)
	}
	must.Do(t, s.Purge(ctx))
	must.Do(t, s.Undelete(ctx, gone)) // it was deleted under this program
	must.Do(t, s.Delete(ctx, gone))
	if id, err := s.ResolveDeleted(ctx, gone[:4]); err != nil || id != gone {
		t.Errorf("among the deleted ones: %q, %v", id, err)
	}
	if _, err := s.Resolve(ctx, gone[:5]); !errors.Is(err, debate.ErrNoSession) ||
		err.Error() != "Debate "+gone+" is deleted. `roundtable undelete "+gone+"` brings it back." {
		t.Errorf("among all others: %v", err)
	}
	if _, err := s.ResolveDeleted(ctx, kept); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("one that is not deleted: %v", err)
	}
	if all, err := s.Sessions(ctx, store.Query{Deleted: true}); err != nil || len(all) != 1 || all[0].ID != gone {
		t.Errorf("deleted: %v, %v", all, err)
	}
	if all, err := s.Sessions(ctx, store.Query{}); err != nil || len(all) != 1 || all[0].ID != kept {
		t.Errorf("%v, %v", all, err)
	}
	must.Do(t, s.Close())

	s = must.Get(store.Open(ctx, path, store.Options{Now: func() time.Time { return clock()().Add(store.KeptDeleted - time.Hour) }}))(t)
	must.Do(t, s.Purge(ctx))
	must.Do(t, s.Undelete(ctx, gone)) // within a day
	must.Do(t, s.Delete(ctx, gone))
	must.Do(t, s.Lock(ctx, gone))
	must.Do(t, s.Unlock(gone))
	must.Do(t, s.Close())

	s = openWith(t, path, store.Options{Now: panelLater})
	must.Do(t, s.Purge(ctx))
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), "locks", gone)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its lock is left: %v", err)
	}
	if err := s.Undelete(ctx, gone); !errors.Is(err, debate.ErrNoSession) {
		t.Errorf("after the purge: %v", err)
	}
	get(t, s, kept)
	if n := store.Rows(ctx, s); n["turns"] != 0 || n["rounds"] != 0 || n["texts"] != 1 {
		t.Errorf("left: %v", n)
	}
}

func TestPurge_leavesWhatAnotherProcessMayBringBack(t *testing.T) {
	t.Parallel()
	path, id := closedDatabase(t)
	first := openAt(t, path)
	must.Do(t, first.Delete(t.Context(), id))
	must.Do(t, openWith(t, path, store.Options{Now: panelLater}).Purge(t.Context()))
	must.Do(t, first.Undelete(t.Context(), id))
}

func TestPurge_leavesWhatIsLocked(t *testing.T) {
	t.Parallel()
	path, id := closedDatabase(t)
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
	must.Do(t, s.Lock(t.Context(), id)) // which makes its file
	must.Do(t, s.Delete(t.Context(), id))
	must.Do(t, s.Close())
	lock := flock.New(filepath.Join(filepath.Dir(path), "locks", id))
	if ok, err := lock.TryLock(); !ok {
		t.Fatal("not locked", err)
	}
	purged := func() bool {
		s := must.Get(store.Open(t.Context(), path, store.Options{Now: panelLater}))(t)
		must.Do(t, s.Purge(t.Context()))
		left := store.Rows(t.Context(), s)["sessions"]
		must.Do(t, s.Close())
		return left == 0
	}
	if purged() {
		t.Error("a locked session was purged")
	}
	must.Do(t, lock.Unlock())
	if !purged() {
		t.Error("it is still there")
	}
}

// A run whose session is gone is told so by whatever it stores next.
func TestDelete_underARunIsSaid(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	turn := seat(id, 1, "ada")
	beginCall(t, s, turn)
	must.Do(t, s.Journal(ctx, []debate.Text{{Turn: turn, Text: "I hold"}}))
	must.Do(t, s.Delete(ctx, id))
	_, ended := s.EndTurn(ctx, debate.TurnEnd{Final: &agents.Completion{Text: "I hold it."}, Response: debate.Response{
		Turn: turn, State: debate.TurnDone,
	}})
	for what, err := range map[string]error{"begin": s.BeginTurn(ctx, debate.TurnStart{
		Response: debate.Response{Turn: seat(id, 1, "brook")},
	}), "end": ended} {
		if !errors.Is(err, debate.ErrNoSession) {
			t.Errorf("%s a turn: %v", what, err)
		}
	}
	must.Do(t, s.Undelete(ctx, id))
	d := must.Get(s.Repair(ctx, id))(t)
	if got := d.History[0].Responses[0]; got.State != debate.TurnInterrupted || got.Passages[0].Text != "I hold" {
		t.Errorf("what was under way is %+v", got)
	}
}

func TestSessions_showsWhereEachStands(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx := t.Context()
	draft, ready, blocked, broken, done, stopped := create(t, s).ID, create(t, s).ID, create(t, s).ID, create(t, s).ID, create(t, s).ID,
		create(t, s).ID
	playRound(t, s, ready, 1)
	ask(t, s, seat(blocked, 1, "ada"), "1", "What is\nthe rate?", ledger.Required)
	ask(t, s, seat(blocked, 1, "ada"), "2", "Who reads?", ledger.Optional)
	answer(t, s, blocked, "C1", "x")
	playRound(t, s, blocked, 1)
	ask(t, s, seat(blocked, 1, "cy"), "3", "And the\npeak?", ledger.Required)
	beginRound(t, s, broken, 1)
	for n := range 2 {
		playRound(t, s, done, n+1)
	}
	must.Get(s.SaveVerdict(ctx, done, debate.Verdict{Chair: "ada", Text: "One queue."}))(t)
	playRound(t, s, stopped, 1)
	must.Get(s.Stop(ctx, stopped, debate.StoppedByUser))(t)
	must.Get(s.SaveVerdict(ctx, stopped, debate.Verdict{}))(t)

	all := must.Get(s.Sessions(ctx, store.Query{}))(t)
	got := map[string]debate.SessionSummary{}
	for i, v := range all {
		got[v.ID] = v
		if d := get(t, s, v.ID); d.Status() != v.Status || !d.Updated.Equal(v.Updated) {
			t.Errorf("%s: %s and %s, %v and %v", v.ID, d.Status(), v.Status, d.Updated, v.Updated)
		}
		if i > 0 && v.Updated.After(all[i-1].Updated) {
			t.Error("not the newest first")
		}
	}
	for id, want := range map[string]debate.Status{
		draft: debate.Drafted, ready: debate.Ready, blocked: debate.NeedsContext,
		broken: debate.Interrupted, done: debate.Complete, stopped: debate.Stopped,
	} {
		if got[id].Status != want {
			t.Errorf("%s is %s, not %s", id, got[id].Status, want)
		}
		if one, err := s.Sessions(ctx, store.Query{State: string(want)}); err != nil || len(one) != 1 || one[0].ID != id {
			t.Errorf("%s lists %v, %v", want, one, err)
		}
	}
	if v := got[blocked]; v.Required != 1 || v.Optional != 1 || v.Asking != "And the peak?" || v.Round != 1 || v.Rounds != 2 {
		t.Errorf("%+v", v)
	}
	if v := got[ready]; v.Tokens != 45 || v.Cost == nil || *v.Cost != 0.75 || len(v.Seats) != 3 ||
		v.Seats[0].Persona != "" || v.Seats[1].Name != "Brook" {
		t.Errorf("%+v", v)
	}
	if v := got[done]; !v.Verdict || v.NoReport || v.Line != "No, 3 of 3 · 0 answers" || v.Side != "no" {
		t.Errorf("%+v", v)
	}
	if v, err := s.Sessions(ctx, store.Query{Limit: 2, Agent: "BROOK", Mode: "expert-panel", Since: got[broken].Updated}); err != nil ||
		len(v) != 2 {
		t.Errorf("%v, %v", v, err)
	}
	if v, err := s.Sessions(ctx, store.Query{Mode: "delphi"}); err != nil || len(v) != 0 {
		t.Errorf("%v, %v", v, err)
	}
}

// What a list shows of a verdict follows an answer that is corrected after it, and goes with it.
func TestAnswer_changesTheLineOfAVerdict(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ask(t, s, seat(id, 1, "ada"), "1", "What is the rate?", ledger.Required)
	answer(t, s, id, "C1", "40 a second")
	playRound(t, s, id, 1)
	line := func() string {
		all := must.Get(s.Sessions(t.Context(), store.Query{ID: id}))(t)
		return string(all[0].Line) + string(all[0].Side)
	}
	if got := line(); got != "" {
		t.Errorf("without a verdict: %q", got)
	}
	playRound(t, s, id, 2)
	must.Get(s.SaveVerdict(t.Context(), id, debate.Verdict{}))(t)
	if got := line(); got != "No, 3 of 3 · 1 answersno" {
		t.Errorf("of the verdict: %q", got)
	}
	correct(t, s, id, "C1", "48 a second")
	if got := line(); got != "No, 3 of 3 · 2 answersno" {
		t.Errorf("after a correction: %q", got)
	}
	for words, want := range map[string]int{"1 replies": 0, "2 replies": 1} { // of the cautions
		if found, err := s.Matches(t.Context(), store.Query{Text: words}); err != nil || len(found) != want {
			t.Errorf("%q is found in %d debates: %v", words, len(found), err)
		}
	}
	must.Get(s.AddRounds(t.Context(), id, 1))(t)
	if got := line(); got != "" {
		t.Errorf("with rounds to come: %q", got)
	}
}

// A page of the list takes about the same work whether there are a hundred sessions or a
// thousand; the newest of them are in all states.
func TestSessions_aPageOfManyTakesNoMoreWork(t *testing.T) {
	long := func() time.Time { return time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC) }
	s := openWith(t, before(t), store.Options{Now: long})
	page := func() {
		if found := must.Get(s.Sessions(t.Context(), store.Query{Limit: 20}))(t); len(found) != 20 || found[0].Status == debate.Drafted {
			t.Fatalf("%d sessions, the newest is %s", len(found), found[0].Status)
		}
	}
	work := map[int]float64{}
	for _, n := range []int{100, 1000} {
		for store.Rows(t.Context(), s)["sessions"] < n {
			create(t, s)
		}
		work[n] = testing.AllocsPerRun(3, page)
	}
	if work[1000] > 4*work[100] {
		t.Errorf("allocations: %v", work)
	}
}

func TestSettle_keepsAllAndListsTheLastOfThePresentVerdict(t *testing.T) {
	s, id := newDebate(t)
	playRound(t, s, id, 1)
	conclude := func() {
		t.Helper()
		must.Get(s.SaveVerdict(t.Context(), id, debate.Verdict{}))(t)
	}
	check := func(result debate.Result) {
		t.Helper()
		if got := must.Get(s.Sessions(t.Context(), store.Query{ID: id}))(t)[0].Settled; got != result {
			t.Errorf("listed %q, want %q", got, result)
		}
	}
	conclude()
	check(debate.ResultNone)
	must.Do(t, s.Settle(t.Context(), id, debate.Settlement{Result: debate.ResultOpen, Rounds: 1}))
	check(debate.ResultOpen)
	must.Do(t, s.Settle(t.Context(), id, debate.Settlement{Result: debate.ResultWrong, Side: "no", Note: "two writers", Rounds: 1}))
	check(debate.ResultWrong)
	conclude()
	check(debate.ResultWrong)

	read := get(t, s, id)
	if last, ok := read.Settled(); !ok || last.Note != "two writers" || last.At.IsZero() || len(read.Settlements) != 2 {
		t.Errorf("read back %+v", read.Settlements)
	}
	must.Get(s.AddRounds(t.Context(), id, 1))(t)
	check(debate.ResultNone)
	if _, ok := get(t, s, id).Settled(); ok {
		t.Error("settled without a verdict")
	}
	if err := s.Settle(t.Context(), "0000000000", debate.Settlement{Result: debate.ResultOpen}); err == nil {
		t.Error("settled a debate that is not there")
	}
}

// Two processes that create the debate of an item at once get the same one, and a deleted one
// does not count.
func TestCreate_storesAnItemOfAnEvaluationOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roundtable.db")
	stores := []*store.Store{openAt(t, path), openAt(t, path)}
	item := panel()
	item.Eval = &debate.EvalItem{Name: "set", Key: "k"}
	ids := make([]string, 8)
	var wait sync.WaitGroup
	for i := range ids {
		wait.Go(func() {
			d, err := stores[i%2].Create(t.Context(), item)
			if err != nil {
				t.Error(err)
			}
			ids[i] = d.ID
		})
	}
	wait.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Fatalf("%q", ids)
		}
	}
	known := must.Get(stores[0].EvalItems(t.Context(), "set"))(t)
	if known["k"] != ids[0] {
		t.Errorf("%v, want %s", known, ids[0])
	}
	create(t, stores[0])
	for name, want := range map[string]int{"": 1, "set": 1, "other": 0} { // a list leaves out the debates of evaluations
		list, err := stores[0].Sessions(t.Context(), store.Query{Eval: name})
		if err != nil || len(list) != want || want == 1 && (list[0].ID == ids[0]) != (name == "set") {
			t.Errorf("of %q: %d debates, %v", name, len(list), err)
		}
	}
	must.Do(t, stores[0].Delete(t.Context(), ids[0]))
	if again, err := stores[1].Create(t.Context(), item); err != nil || again.ID == ids[0] {
		t.Errorf("the deleted %s, %v", again.ID, err)
	}
}

// What comes back is of the last debate that a person started and that has a verdict.
func TestLastChoice_isOfWhatAPersonStarted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	now := clock()
	made := func(door string, verdict bool, change func(*debate.Session)) {
		t.Helper()
		s := openWith(t, path, store.Options{Door: door, Now: now})
		d := panel()
		if change != nil {
			change(&d)
		}
		d = must.Get(s.Create(t.Context(), d))(t)
		if verdict {
			must.Get(s.SaveVerdict(t.Context(), d.ID, debate.Verdict{Text: "So be it."}))(t)
		}
	}
	requireUSD := func(want float64) {
		t.Helper()
		c := must.Get(openAt(t, path).LastChoice(t.Context(), "interface", "run"))(t)
		got := 0.0
		if c != nil {
			got = c.Budget.USD
		}
		if got != want || c != nil && (len(c.Seats) != len(panel().Seats) || c.Mode != panel().Mode.Name || c.Rounds != panel().Rounds) {
			t.Errorf("the last choice is %+v, not that of $%v", c, want)
		}
	}
	dollars := func(n float64) func(*debate.Session) { return func(d *debate.Session) { d.Budget.USD = n } }
	requireUSD(0)
	made("interface", false, dollars(1))
	requireUSD(0)
	made("interface", true, dollars(2))
	requireUSD(2)
	for _, door := range []string{"review", "eval", "mcp", "fork", ""} {
		made(door, true, dollars(3))
	}
	made("run", false, dollars(4))
	made("interface", true, func(d *debate.Session) { d.ForkedFrom, d.Budget.USD = "other", 5 })
	made("interface", true, func(d *debate.Session) { d.Seats[0].Provider, d.Budget.USD = debate.DemoProvider, 6 })
	requireUSD(2)
	made("run", true, dollars(7))
	requireUSD(7)
}
