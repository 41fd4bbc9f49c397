package app_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/must"
	"roundtable/store"
	"roundtable/tui/home"
)

// openStore opens a database, which closes with the test.
func openStore(t *testing.T, path string) *store.Store {
	t.Helper()
	st := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	t.Cleanup(func() { must.Do(t, st.Close()) })
	return st
}

// A search passes the same filters as the list: the beginning of a word is enough.
func TestSessionService_searchFiltersAsTheListDoes(t *testing.T) {
	st := openStore(t, filepath.Join(t.TempDir(), "r.db"))
	for _, name := range []string{"adversarial", "collaborative"} {
		must.Get(st.Create(t.Context(), debate.Session{
			Topic: "Why " + name + "?", Mode: debatetest.Mode(t, name), Rounds: 2, Seats: demo.Panel(3),
		}))(t)
	}
	lib := app.NewSessionService(st, time.Now)
	sessions := must.Get(lib.Sessions(t.Context()))(t)
	for query, want := range map[string][]string{
		"why":                            {"Why adversarial?", "Why collaborative?"},
		"why mode:adv":                   {"Why adversarial?"},
		"why status:dr":                  {"Why adversarial?", "Why collaborative?"},
		"why status:draft mode:c":        {"Why collaborative?"},
		"why status:needs":               nil,
		"why status:full":                nil,
		"why agent:br since:1d":          {"Why adversarial?", "Why collaborative?"},
		"why agent:nobody":               nil,
		"collaborative agent:ADA mode:c": {"Why collaborative?"},
	} {
		hits := must.Get(lib.Search(t.Context(), home.ParseQuery(query)))(t)
		var got []string
		for _, h := range hits {
			i := slices.IndexFunc(sessions, func(s debate.SessionSummary) bool { return s.ID == h.Session })
			got = append(got, sessions[i].Topic)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
}

// Nobody can delete or rename a debate that is under way, here or elsewhere.
func TestSessionService_changesNoSessionThatIsOpenElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.db")
	st, elsewhere := openStore(t, path), openStore(t, path)
	made := must.Get(st.Create(t.Context(), debate.Session{Topic: "Is it so?", Rounds: 2, Seats: demo.Panel(3)}))(t)
	lib := app.NewSessionService(st, time.Now)
	change := func() map[string]error {
		return map[string]error{"rename": lib.Rename(t.Context(), made.ID, "New"), "delete": lib.Delete(t.Context(), made.ID)}
	}
	must.Do(t, elsewhere.Lock(t.Context(), made.ID))
	for what, err := range change() {
		if !errors.Is(err, debate.ErrLocked) {
			t.Errorf("%s of a locked session: %v", what, err)
		}
	}
	must.Do(t, elsewhere.Unlock(made.ID))
	must.Get(lib.Open(t.Context(), made.ID))(t)
	if s, err := st.Session(t.Context(), made.ID); err != nil || s.Title != "" {
		t.Errorf("title %q, %v", s.Title, err)
	}
	open := change() // here
	if err := open["delete"]; !errors.Is(err, debate.ErrLocked) || !strings.Contains(err.Error(), "still being saved here") {
		t.Errorf("deletion of an open session: %v", err)
	}
	if s, err := st.Session(t.Context(), made.ID); err != nil || open["rename"] != nil || s.Title != "New" {
		t.Errorf("title %q, %v, %v", s.Title, err, open["rename"])
	}
	must.Do(t, lib.Close(made.ID))
	must.Do(t, lib.Rename(t.Context(), made.ID, "New"))
	must.Do(t, lib.Delete(t.Context(), made.ID))
}

// An outcome is stored with who said it and when; what is refused changes nothing.
func TestSessionService_savesHowAVerdictTurnedOut(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "r.db")
	st, elsewhere := openStore(t, path), openStore(t, path)
	f := debatetest.New(t, "collaborative", 1, "Ada", "Brook")
	f.ID, f.Question = "k7m2x9qd4t", debate.QuestionYesNo
	f.BeginRound("")
	for _, seat := range f.SeatIDs() {
		f.Say(seat, debatetest.Statement("Yes.", "Yes.", "yes", 0.8))
	}
	f.EndRound()
	f.Verdict = &debate.Verdict{}
	debatetest.Record(t, st, f.Session)
	lib := app.NewSessionService(st, func() time.Time { return now })
	settled := func() []debate.Settlement {
		t.Helper()
		return must.Get(st.Session(t.Context(), f.ID))(t).Settlements
	}
	must.Do(t, elsewhere.Lock(t.Context(), f.ID))
	if _, err := lib.SaveOutcome(t.Context(), f.ID, "right"); !errors.Is(err, debate.ErrLocked) || len(settled()) > 0 {
		t.Errorf("while it is open elsewhere: %v, %+v", err, settled())
	}
	must.Do(t, elsewhere.Unlock(f.ID))
	want := debate.Settlement{
		Result: debate.ResultWrong, Side: debate.SideNo, Note: "two writers", Rounds: 1, Author: ledger.ByPerson("interface"), At: now,
	}
	saved, err := lib.SaveOutcome(t.Context(), f.ID, "wrong no: two writers")
	if all := settled(); err != nil || !reflect.DeepEqual(saved, want) || len(all) != 1 || !reflect.DeepEqual(all[0], want) {
		t.Errorf("saved %+v, %v; stored %+v", saved, err, all)
	}
	must.Get(lib.Open(t.Context(), f.ID))(t)
	if saved, err := lib.SaveOutcome(t.Context(), f.ID, "open"); err != nil || saved.Result != debate.ResultOpen {
		t.Errorf("of a session that is open here: %+v, %v", saved, err)
	}
	must.Do(t, lib.Close(f.ID))
}

// While a session waits for its lock, which another process has, others are opened and closed.
func TestSessionService_waitsForOneLockAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.db")
	synctest.Test(t, func(t *testing.T) {
		st, elsewhere := openStore(t, path), openStore(t, path)
		var ids []string
		for _, topic := range []string{"Held?", "Free?"} {
			s := must.Get(st.Create(t.Context(), debate.Session{
				Topic: topic, Mode: debatetest.Mode(t, "collaborative"), Rounds: 1, Seats: demo.Panel(2),
			}))(t)
			ids = append(ids, s.ID)
		}
		must.Do(t, elsewhere.Lock(t.Context(), ids[0]))
		lib := app.NewSessionService(st, time.Now)
		refused := make(chan error, 1)
		go func() {
			_, err := lib.Open(t.Context(), ids[0])
			refused <- err
		}()
		time.Sleep(time.Millisecond) // it waits now
		must.Get(lib.Open(t.Context(), ids[1]))(t)
		must.Do(t, lib.Close(ids[1]))
		select {
		case err := <-refused:
			t.Errorf("the other one did not wait: %v", err)
		default:
		}
		if err := <-refused; !errors.Is(err, debate.ErrLocked) {
			t.Errorf("the session that is held elsewhere: %v", err)
		}
	})
}
