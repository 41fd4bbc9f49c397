//go:build !cgo

package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestOpen_withoutCgoSaysHowToMendTheBuild(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"new.db", "old.db"} {
		if name == "old.db" {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("something"), 0o600))
		}
		_, err := store.Open(t.Context(), filepath.Join(dir, name), store.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "this build") || !strings.Contains(err.Error(), "CGO_ENABLED=1 and a C compiler") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
