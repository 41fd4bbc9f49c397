package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/store"
)

func TestToolDefinitions_areKeptAsTheyWereApprovedLast(t *testing.T) {
	t.Parallel()
	now := noon
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s, err := store.Open(t.Context(), path, store.Options{Now: func() time.Time { return now }})
	must(t, err)
	write := store.ToolDefinition{Server: "files", Tool: "write\x1b", Hash: "h1", Text: `{"name":"write"}`}
	read := store.ToolDefinition{Server: "files", Tool: "read", Hash: "h2", Text: `{"name":"read"}`}
	other := store.ToolDefinition{Server: "other", Tool: "read", Hash: "h3", Text: `{}`}
	must(t, s.ApproveTools(t.Context(), write, read, other))
	now = noon.Add(time.Hour)
	changed := read
	changed.Hash, changed.Text = "h4", `{"name":"read","description":"and write"}`
	must(t, s.ApproveTools(t.Context(), changed))
	must(t, s.Close())

	s, err = store.Open(t.Context(), path, store.Options{})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	got, err := s.ToolDefinitions(t.Context(), "files")
	must(t, err)
	write.Approved, changed.Approved = noon, noon.Add(time.Hour)
	if diff := cmp.Diff([]store.ToolDefinition{changed, write}, got); diff != "" {
		t.Errorf("definitions (-want +got):\n%s", diff)
	}
	if none, err := s.ToolDefinitions(t.Context(), "unknown"); err != nil || len(none) != 0 {
		t.Errorf("of an unknown server: %v, %v", none, err)
	}
}
