package store_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"roundtable/store"
)

func TestConvert_keepsACopyUntilTheNextStart(t *testing.T) {
	t.Parallel()
	path := before(t)
	s, err := store.Open(t.Context(), path, store.Options{})
	must(t, err)
	copied := fmt.Sprintf("%s.before-%d", path, store.Latest)
	if n := s.Notices(); len(n) != 1 || !strings.Contains(n[0], copied) {
		t.Errorf("notices %q", n)
	}
	info, err := os.Lstat(copied)
	must(t, err)
	if v, err := store.SchemaOf(t.Context(), copied); v != 25 || err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has schema %d, mode %s, %v", v, info.Mode(), err)
	}
	must(t, s.Close())
	if n := openAt(t, path).Notices(); len(n) != 0 {
		t.Errorf("notices %q", n)
	}
	if _, err := os.Lstat(copied); err == nil {
		t.Error("the copy is still there")
	}
}

func TestConvert_refusesWhatIsTooOldOrInUse(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"PRAGMA user_version = 24": "commit 91a050bb",
		"DROP TABLE notices":       "it could not be converted",
	} {
		path := before(t)
		execute(t, path, statement)
		_, err := store.Open(t.Context(), path, store.Options{})
		var refused *store.OpenError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", statement, err)
		}
		if v, err := store.SchemaOf(t.Context(), path); err == nil && v != 25 {
			t.Errorf("%s: it has schema %d now", statement, v)
		}
	}
}
