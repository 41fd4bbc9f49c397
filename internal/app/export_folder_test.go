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
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(want) {
		t.Errorf("%v; %v is in the folder", err, entries)
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
