package app_test

import (
	"path/filepath"
	"testing"

	"roundtable/internal/app"
	"roundtable/store"
)

func TestCopyToFolder_replacesNothing(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	dir := t.TempDir()
	var want []string
	for _, name := range []string{"roundtable-copy.db", "roundtable-copy-2.db"} {
		path, err := app.CopyToFolder(t.Context(), st, dir)
		if want = append(want, name); err != nil || path != filepath.Join(dir, name) {
			t.Errorf("%s, %v", path, err)
		}
		copied, err := store.Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*roundtable*"))
	if err != nil || len(left) != len(want) {
		t.Errorf("there are %q, %v", left, err)
	}
	if _, err := app.CopyToFolder(t.Context(), st, filepath.Join(dir, "missing")); err == nil {
		t.Error("a folder that is missing takes a copy")
	}
}
