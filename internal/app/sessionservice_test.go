package app_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/internal/app"
	"roundtable/store"
	"roundtable/tui/home"
)

// A search passes the same filters as the list: the beginning of a word is enough.
func TestSessionService_searchFiltersAsTheListDoes(t *testing.T) {
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, name := range []string{"adversarial", "collaborative"} {
		if _, err := st.Create(t.Context(), debate.Session{
			Topic: "Why " + name + "?", Mode: debatetest.Mode(t, name), Rounds: 2,
			Seats: demo.Panel(3),
		}); err != nil {
			t.Fatal(err)
		}
	}
	lib := app.NewSessionService(st, time.Now)
	sessions, err := lib.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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
		hits, err := lib.Search(t.Context(), home.ParseQuery(query))
		if err != nil {
			t.Fatal(err)
		}
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
	st, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	made, err := st.Create(t.Context(), debate.Session{Topic: "Is it so?", Rounds: 2, Seats: demo.Panel(3)})
	if err != nil {
		t.Fatal(err)
	}
	lib := app.NewSessionService(st, time.Now)
	change := func() map[string]error {
		return map[string]error{"rename": lib.Rename(t.Context(), made.ID, "New"), "delete": lib.Delete(t.Context(), made.ID)}
	}
	lock, err := st.Lock(t.Context(), made.ID)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range change() {
		if !errors.Is(err, debate.ErrLocked) {
			t.Errorf("%s of a locked session: %v", what, err)
		}
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Open(t.Context(), made.ID); err != nil {
		t.Fatal(err)
	}
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
	if err := lib.Close(made.ID); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"rename": lib.Rename(t.Context(), made.ID, "New"), "delete": lib.Delete(t.Context(), made.ID)} {
		if err != nil {
			t.Errorf("%s afterwards: %v", what, err)
		}
	}
}
