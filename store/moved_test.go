package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// loseFile makes the file of an open database another one or none.
var loseFile = map[string]struct {
	do   func(t *testing.T, path string)
	says string
}{
	"removed": {func(t *testing.T, path string) { must.Do(t, os.Remove(path)) }, "the database was removed or moved"},
	"its folder removed": {
		func(t *testing.T, path string) { must.Do(t, os.RemoveAll(filepath.Dir(path))) },
		"the database was removed or moved",
	},
	"replaced by a copy": {
		func(t *testing.T, path string) {
			raw := must.Get(os.ReadFile(path))(t)
			must.Do(t, os.WriteFile(path+".copy", raw, 0o600))
			must.Do(t, os.Rename(path+".copy", path))
		}, "another file is in the place of the database",
	},
	"replaced by a link to itself": {
		func(t *testing.T, path string) {
			must.Do(t, os.Rename(path, path+".old"))
			must.Do(t, os.Symlink(path+".old", path))
		}, "another file is in the place of the database",
	},
}

func TestSave_stopsOnceTheFileIsNotTheOneThatWasOpened(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	for name, lose := range loseFile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "data", "roundtable.db")
			s := openAt(t, path)
			id := create(t, s).ID
			beginRound(t, s, id, 1)
			must.Do(t, s.Check())
			lose.do(t, path)

			turn := seat(id, 1, "ada")
			_, answered := s.Answer(t.Context(), id, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "x"})
			for what, err := range map[string]error{
				"begin a turn": s.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{Turn: turn}}),
				"note":         s.Note(t.Context(), id, debate.Notice{Code: "c"}),
				"rename":       s.Rename(t.Context(), id, "New"),
				"check":        s.Check(),
			} {
				var save *store.SaveError
				if !errors.Is(err, debate.ErrMoved) || !errors.As(err, &save) || !strings.Contains(err.Error(), "Cannot save: "+lose.says) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if answered == nil {
				t.Error("an answer was accepted")
			}

			copied := filepath.Join(t.TempDir(), "copy.db")
			must.Do(t, s.SaveCopy(t.Context(), copied))
			d := get(t, openAt(t, copied), id)
			if d.Title != "" || len(d.History) != 1 || len(d.History[0].Responses) != 0 {
				t.Errorf("the copy has %+v", d)
			}
			short := filepath.Join(t.TempDir(), "short.db")
			must.Do(t, os.WriteFile(short, []byte("x"), 0o600))
			for _, path := range []string{copied, short} {
				if err := s.SaveCopy(t.Context(), path); err == nil || !strings.Contains(err.Error(), "there is a file already: "+path) {
					t.Errorf("over a file: %v", err)
				}
			}
		})
	}
}

func TestSave_goesOnOnceTheFileIsBack(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	id := create(t, s).ID
	must.Do(t, os.Rename(path, path+".old"))
	if err := s.Rename(t.Context(), id, "Lost"); !errors.Is(err, debate.ErrMoved) {
		t.Errorf("err = %v", err)
	}
	must.Do(t, os.Rename(path+".old", path))
	must.Do(t, s.Check())
	must.Do(t, s.Rename(t.Context(), id, "Found"))
	if got := get(t, s, id).Title; got != "Found" {
		t.Errorf("title %q", got)
	}
}

// A connection that is made later must not read from another database.
func TestRead_neverFromAnotherFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	dir := t.TempDir()
	other := openAt(t, filepath.Join(dir, "other.db"))
	theirs := create(t, other).ID
	path := filepath.Join(dir, "roundtable.db")
	s := openAt(t, path)
	id := create(t, s).ID
	must.Do(t, os.Rename(filepath.Join(dir, "other.db"), path))
	if _, err := s.Session(t.Context(), theirs); err == nil {
		t.Error("a session of another database was read")
	}
	if _, err := s.Session(t.Context(), id); errors.Is(err, debate.ErrNoSession) {
		t.Error("its own session was looked for in another database")
	}
}

func TestSave_aFullDiskIsSaidAndTryingAgainWorks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	id := create(t, s).ID
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	before := get(t, s, id)
	long := ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: strings.Repeat("x", 60000)}

	must.Do(t, store.LimitPages(t.Context(), s, 1))
	_, err := s.Answer(t.Context(), id, long)
	var save *store.SaveError
	if !errors.As(err, &save) || save.Folder != filepath.Dir(path) {
		t.Fatalf("err = %v", err)
	}
	if want := "Cannot save: the disk is full (" + filepath.Dir(path) + ")."; err.Error() != want {
		t.Errorf("err = %v", err)
	}
	if diff := cmp.Diff(before, get(t, s, id)); diff != "" {
		t.Error(diff)
	}
	must.Do(t, store.LimitPages(t.Context(), s, 1<<30))
	must.Get(s.Answer(t.Context(), id, long))(t)
	must.Do(t, store.Check(t.Context(), s))
	if a, ok := get(t, s, id).Requests[0].Answer(); !ok || a.Content != long.Content {
		t.Error("the answer is not there")
	}
}
