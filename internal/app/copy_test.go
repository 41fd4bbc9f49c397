package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"roundtable/internal/app"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestCopyToFolder_numbersCopies(t *testing.T) {
	t.Parallel()
	st := must.Get(store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{}))(t)
	defer st.Close()
	dir := t.TempDir()
	var want []string
	for _, name := range []string{"roundtable-copy.db", "roundtable-copy-2.db"} {
		path, err := app.CopyToFolder(t.Context(), st, dir)
		if want = append(want, name); err != nil || path != filepath.Join(dir, name) {
			t.Errorf("%s, %v", path, err)
		}
		copied := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
	}
	want = append(want, "locks")
	slices.Sort(want)
	if got := namesIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q", got)
	}
	if _, err := app.CopyToFolder(t.Context(), st, filepath.Join(dir, "missing")); err == nil {
		t.Error("a folder that is missing takes a copy")
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
