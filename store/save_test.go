package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/store"
)

func TestSave_aFullDiskIsSaidAndTryingAgainWorks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := openAt(t, path)
	id := create(t, s).ID
	ask(t, s, seat(id, 1, "ada"), "c", "One?", ledger.Required)
	before := get(t, s, id)
	long := ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: strings.Repeat("x", 60000)}

	must(t, store.LimitPages(t.Context(), s, 1))
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
	must(t, store.LimitPages(t.Context(), s, 1<<30))
	_, err = s.Answer(t.Context(), id, long)
	must(t, err)
	must(t, store.Check(t.Context(), s))
	if a, ok := get(t, s, id).Requests[0].Answer(); !ok || a.Content != long.Content {
		t.Error("the answer is not there")
	}
}

func TestUpgrade_copiesTheFileFirst(t *testing.T) {
	t.Parallel()
	path, id := closedDatabase(t)
	s, err := store.OpenLater(t.Context(), path, store.Options{Now: clock()}, "CREATE TABLE extra (a TEXT) STRICT")
	must(t, err)
	copies, err := filepath.Glob(fmt.Sprintf("%s.schema-%d.*.backup", path, store.Latest()))
	if err != nil || len(copies) != 1 || len(s.Notices()) != 1 || !strings.Contains(s.Notices()[0], copies[0]) {
		t.Fatalf("copies %v, notices %q", copies, s.Notices())
	}
	get(t, s, id)
	must(t, s.Close())
	if _, err := store.Open(t.Context(), path, store.Options{}); !errors.Is(err, debate.ErrNewer) {
		t.Errorf("this version says %v", err)
	}
	get(t, openAt(t, copies[0]), id)
}

func TestUpgrade_keepsTheTwoNewestBackups(t *testing.T) {
	t.Parallel()
	path := before(t)
	for _, old := range []string{".schema-9.20250101-000000.backup", ".schema-3.20260101-000000.backup", ".schema-3.mine"} {
		must(t, os.WriteFile(path+old, nil, 0o600))
	}
	s, err := store.Open(t.Context(), path, store.Options{Now: clock()})
	must(t, err)
	must(t, s.Close())
	left, err := filepath.Glob(path + ".schema-*")
	if err != nil || len(left) != 3 || slices.Contains(left, path+".schema-9.20250101-000000.backup") {
		t.Errorf("%v, %v", left, err)
	}
}

func TestUpgrade_thatFailsLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	path, id := closedDatabase(t)
	_, err := store.OpenLater(t.Context(), path, store.Options{}, "CREATE TABLE extra (a TEXT); INSERT INTO nowhere VALUES (1)")
	var refused *store.OpenError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "could not be upgraded") {
		t.Errorf("err = %v", err)
	}
	get(t, openAt(t, path), id)
}

func TestUpgrade_waitsUntilNobodyHasTheFileOpen(t *testing.T) {
	t.Parallel()
	path, id := closedDatabase(t)
	s := openAt(t, path)
	_, err := store.OpenLater(t.Context(), path, store.Options{}, "CREATE TABLE extra (a TEXT)")
	if err == nil || !strings.Contains(err.Error(), "an older Roundtable has it open") {
		t.Errorf("err = %v", err)
	}
	get(t, s, id)
}
