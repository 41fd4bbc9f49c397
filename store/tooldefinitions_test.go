package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestToolDefinitions_areKeptAsTheyWereApprovedLast(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	write, changed := `{"name":"write"}`, `{"name":"read","description":"and write"}`
	must.Do(t, s.ApproveTools(t.Context(), "files", map[string]string{"write\x1b": write, "read": `{"name":"read"}`}))
	must.Do(t, s.ApproveTools(t.Context(), "other", map[string]string{"read": `{}`}))
	must.Do(t, s.ApproveTools(t.Context(), "files", map[string]string{"read": changed}))
	must.Do(t, s.Close())

	s = must.Get(store.Open(t.Context(), path, store.Options{}))(t)
	t.Cleanup(func() { s.Close() })
	got := must.Get(s.ApprovedTools(t.Context(), "files"))(t)
	if diff := cmp.Diff(map[string]string{"write\x1b": write, "read": changed}, got); diff != "" {
		t.Errorf("definitions (-want +got):\n%s", diff)
	}
	if none, err := s.ApprovedTools(t.Context(), "unknown"); err != nil || len(none) != 0 {
		t.Errorf("of an unknown server: %v, %v", none, err)
	}
}
