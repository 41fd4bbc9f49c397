package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// What was typed for a new debate outlives the process until it is removed.
func TestNewDebate_isKeptUntilItIsForgotten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	kept := func(want string) {
		t.Helper()
		d, err := s.KeptNew(t.Context())
		if err != nil || d.Text != want || want != "" && !d.At.Equal(noon.Add(time.Second)) {
			t.Fatalf("kept %+v, %v; want %q", d, err, want)
		}
	}
	keep := func(text string, at time.Time) {
		t.Helper()
		must.Do(t, s.KeepNew(t.Context(), debate.Draft{Text: text, At: at}))
	}
	kept("")
	keep("Rust or Go?", noon.Add(time.Second))
	must.Do(t, s.Close())
	s = must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	t.Cleanup(func() { s.Close() })
	kept("Rust or Go?")
	keep("", noon.Add(2*time.Second))
	kept("")
}
