package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

func TestExportToFolder_takesANameThatIsFree(t *testing.T) {
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	t.Chdir(dir)
	last := concludedSession()
	var got []string
	for _, f := range []report.Format{report.HTML, report.Markdown, report.HTML, report.HTML, report.JSON} {
		path := must.Get(app.ExportToFolder(last, false, f))(t)
		if filepath.Dir(path) != dir {
			t.Errorf("%s is not in %s", path, dir)
		}
		got = append(got, filepath.Base(path))
		if raw, err := os.ReadFile(path); err != nil || len(raw) == 0 {
			t.Errorf("%s: %v, %d bytes", path, err, len(raw))
		}
	}
	want := []string{
		"roundtable-k7m2x9qd4t.html", "roundtable-k7m2x9qd4t.md", "roundtable-k7m2x9qd4t-2.html",
		"roundtable-k7m2x9qd4t-3.html", "roundtable-k7m2x9qd4t.json",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if names := namesIn(t, dir); len(names) != len(want) {
		t.Errorf("%q are in the folder", names)
	}
}

func TestExportToFolder_saysThatARoundRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	last := concludedSession()
	last.Verdict = nil
	path := must.Get(app.ExportToFolder(last, true, report.Markdown))(t)
	raw, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(raw), "It was still open when this was written") {
		t.Errorf("%v: %.300s", err, raw)
	}
}

// concludedSession returns a short debate with its verdict.
func concludedSession() debate.Session {
	return debate.Session{
		ID: "k7m2x9qd4t", Topic: "Should billing move to SQLite?",
		Mode: debate.Mode{Name: "expert-panel", Order: debate.Parallel}, Rounds: 1,
		Seats:   []agents.Profile{{ID: "ada", Name: "Ada", Model: "m", Provider: "p"}},
		History: []debate.Round{{Number: 1}},
		Verdict: &debate.Verdict{Text: "Move."},
	}
}

func TestCopyToFolder_numbersCopies(t *testing.T) {
	t.Parallel()
	st := openStore(t, filepath.Join(t.TempDir(), "roundtable.db"))
	dir := t.TempDir()
	var want []string
	for _, name := range []string{"roundtable-copy.db", "roundtable-copy-2.db"} {
		path, err := app.CopyToFolder(t.Context(), st, dir)
		if want = append(want, name); err != nil || path != filepath.Join(dir, name) {
			t.Errorf("%s, %v", path, err)
		}
		must.Do(t, must.Get(store.Open(t.Context(), path, store.Options{}))(t).Close())
	}
	want = append(want, "locks")
	slices.Sort(want)
	if got := namesIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q", got)
	}
	if _, err := app.CopyToFolder(t.Context(), st, filepath.Join(dir, "missing")); err == nil {
		t.Error("a folder that is missing takes a copy")
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, e := range must.Get(os.ReadDir(dir))(t) {
		names = append(names, e.Name())
	}
	return names
}
