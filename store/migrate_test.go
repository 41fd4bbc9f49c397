package store_test

import (
	"path/filepath"
	"testing"

	"roundtable/store"
)

func TestBuiltin_schemaHashFollowsTheMigrations(t *testing.T) {
	got, want, err := store.Builtin(t.Context(), filepath.Join(t.TempDir(), "schema.db"))
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("the migrations come to %s; builtinHashes ends with %q", got, want)
	}
}
