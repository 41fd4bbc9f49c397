package store_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/store"
)

// crashed returns a database whose process was killed, so that its log is still there, and
// a copy of it from before.
func crashed(t *testing.T) (path, earlier, session string) {
	t.Helper()
	path, session = closedDatabase(t)
	raw, err := os.ReadFile(path)
	must(t, err)
	earlier = filepath.Join(filepath.Dir(path), "backup.db")
	must(t, os.WriteFile(earlier, raw, 0o600))
	c := child(t, "record", path, session)
	lines, _ := starting(t, c)
	for lines.Scan() && lines.Text() != "ended 1" {
		continue
	}
	killed(t, c)
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("there is no log: %v", err)
	}
	return path, earlier, session
}

// bigger returns another database, which shares nothing with the first.
func bigger(t *testing.T) (path, session string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "other.db")
	s, err := store.Open(t.Context(), path, store.Options{Now: clock()})
	must(t, err)
	for range 3 {
		session = create(t, s).ID
		playRound(t, s, session, 1)
	}
	must(t, s.Close())
	return path, session
}

// without returns files without those that only coordinate processes.
func without(files map[string]string) map[string]string {
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.Contains(name, "locks") || strings.HasSuffix(name, "-shm") })
	return files
}

func TestOpen_refusesALogThatBelongsToAnotherFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		put     func(t *testing.T, path, earlier string) (session string) // "": that of the first database
		windows bool
	}{
		"another database by rename": {func(t *testing.T, path, _ string) string {
			other, id := bigger(t)
			must(t, os.Rename(other, path))
			return id
		}, false},
		"an earlier state by rename": {func(t *testing.T, path, earlier string) string {
			must(t, os.Rename(earlier, path))
			return ""
		}, false},
		"another database, written over it": {func(t *testing.T, path, _ string) string {
			other, id := bigger(t)
			raw, err := os.ReadFile(other)
			must(t, err)
			must(t, os.WriteFile(path, raw, 0o600))
			return id
		}, true},
		"of a version that kept no marker": {func(t *testing.T, path, _ string) string {
			other, id := bigger(t)
			must(t, os.Rename(other, path))
			must(t, os.RemoveAll(filepath.Join(filepath.Dir(path), "locks")))
			return id
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && !c.windows {
				t.Skip("files have no number there")
			}
			path, earlier, first := crashed(t)
			id := c.put(t, path, earlier)
			if id == "" {
				id = first
			}
			before := without(readAll(t, filepath.Dir(path)))
			for range 2 { // it stays refused
				s, err := store.Open(t.Context(), path, store.Options{})
				if err == nil {
					t.Fatalf("it opened: %q, %v", s.Notices(), s.Close())
				}
				var refused *store.OpenError
				if !errors.As(err, &refused) || !strings.Contains(err.Error(), "Nothing was changed.") ||
					!strings.Contains(err.Error(), "remove "+path+"-wal and "+path+"-shm") {
					t.Errorf("err = %v", err)
				}
				if diff := cmp.Diff(before, without(readAll(t, filepath.Dir(path)))); diff != "" {
					t.Errorf("it changed: %s", slices.Collect(maps.Keys(before)))
				}
			}
			for _, suffix := range []string{"-wal", "-shm"} {
				if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
			s := openAt(t, path)
			if s.ReadOnly() != "" || get(t, s, id).ID != id {
				t.Errorf("afterwards: %q", s.ReadOnly())
			}
			must(t, store.Check(t.Context(), s))
		})
	}
}

// A folder that is copied or renamed as a whole keeps what its log has.
func TestOpen_takesALogThatMovedWithItsFile(t *testing.T) {
	t.Parallel()
	path, _, id := crashed(t)
	copied := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(copied, os.DirFS(filepath.Dir(path))))
	moved := filepath.Dir(path) + "-moved"
	must(t, os.Rename(filepath.Dir(path), moved))
	for _, dir := range []string{copied, moved} {
		s := openAt(t, filepath.Join(dir, "roundtable.db"))
		if d, err := s.Session(t.Context(), id); err != nil || len(d.History) == 0 || d.History[0].Ended.IsZero() {
			t.Errorf("%s: %v, %d rounds", dir, err, len(d.History))
		} else if s.ReadOnly() != "" {
			t.Errorf("%s: %s", dir, s.ReadOnly())
		}
	}
}
