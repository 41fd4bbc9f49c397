package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

const privateKey = "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n"

// withSecrets makes a folder without rules that has files of keys or passwords.
func withSecrets(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"main.go": "package main // password\n", ".env": "password=hunter22\n", ".env.example": "password=\n",
		"deploy/id_rsa": "password\n", ".aws/config": "password\n", "notes.txt": "password\n" + privateKey,
	})
	return dir
}

var secretFiles = []string{".env", "deploy/id_rsa", ".aws/config", "notes.txt"}

func TestTools_showNoFilesOfKeysWithoutIgnoreRules(t *testing.T) {
	ws := local(t, withSecrets(t))
	for _, name := range secretFiles {
		for _, tool := range []string{"read_file", "search"} {
			out, err := call(t, ws, tool, map[string]any{"path": name, "pattern": "password"})
			var refused *workspace.RefusedError
			if (!errors.As(err, &refused) || !strings.Contains(err.Error(), "keys or passwords")) && !strings.Contains(out.Text, "keys or passwords") ||
				strings.Contains(out.Text, ": password") {
				t.Errorf("%s of %s: %q, %v", tool, name, out.Text, err)
			}
		}
	}
	if out, err := call(t, ws, "search", map[string]any{"pattern": "password"}); err != nil ||
		!strings.Contains(out.Text, "main.go:1:") || !strings.Contains(out.Text, ".env.example:1:") || strings.Contains(out.Text, "hunter22") ||
		!strings.Contains(out.Text, "2 lines match in 2 files") {
		t.Errorf("searched: %q, %v", out.Text, err)
	}
	if out, err := call(t, ws, "find_files", map[string]any{"pattern": "**"}); err != nil || strings.Contains(out.Text, "id_rsa") ||
		strings.Contains(out.Text, ".env\n") || !strings.Contains(out.Text, "main.go") {
		t.Errorf("found: %q, %v", out.Text, err)
	}
	if out, err := call(t, ws, "list_dir", map[string]any{}); err != nil || strings.Contains(out.Text, ".env  ") ||
		!strings.Contains(out.Text, "1 more that are not shown") {
		t.Errorf("listed: %q, %v", out.Text, err)
	}
}

func TestClone_hasNoFilesOfKeys(t *testing.T) {
	dir := withSecrets(t)
	git(t, dir, "init", "--quiet")
	git(t, dir, "add", "main.go", "notes.txt")
	ws := cloned(t, dir)
	for _, name := range secretFiles {
		if _, err := os.Stat(filepath.Join(ws.Info().Dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if note := ws.Info().Note; !strings.Contains(note, "lacks 4 files of keys or passwords") {
		t.Error(note)
	}
}

// The lines of a file of the folder are counted, and none of one that no seat may read.
func TestLines(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"two.go": "a\nb\n", "open.go": "a\nb", "empty": "", "long.go": strings.Repeat("x", 100_000) + "\n\n", ".netrc": "machine x\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	m := manager(t, workspace.Options{Dir: dir, Mode: workspace.Local})
	for name, want := range map[string]int{"two.go": 2, "open.go": 2, "empty": 0, "long.go": 2, ".netrc": -1, "none.go": -1, "../two.go": -1} {
		got, hash, err := m.Lines(t.Context(), name)
		if err != nil {
			got = -1
		}
		if got != want || (hash == "") != (want < 0) {
			t.Errorf("%s: %d lines, %q, %v", name, got, hash, err)
		}
	}
}
