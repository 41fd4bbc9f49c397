package cli_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/cli"
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
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"adversarial", "collaborative"} {
		mode, err := modes.Find(all, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.Create(t.Context(), debate.Session{
			Topic: "Why " + name + "?", Mode: mode, Rounds: 2,
			Seats: demo.Panel(3),
		}); err != nil {
			t.Fatal(err)
		}
	}
	lib := cli.NewSessionService(st, time.Now)
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
