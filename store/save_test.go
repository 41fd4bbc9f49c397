package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
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
