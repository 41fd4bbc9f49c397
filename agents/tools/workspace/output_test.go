//go:build unix

package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
)

// All output of a command is in a file of its clone, which its seat can read and cite.
func TestRun_keepsAllOutput(t *testing.T) {
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone})
	ws := of(t, m, "ada")
	env := []string{"PATH=" + os.Getenv("PATH")}
	r, err := ws.Run(t.Context(), tools.Command{Argv: []string{"seq", "100000"}, Env: env})
	if err != nil || r.Cut == 0 || r.File != ".roundtable/output-1.txt" || r.Kept != 0 {
		t.Fatalf("%.100q %d %q %d, %v", r.Output, r.Cut, r.File, r.Kept, err)
	}
	read := must(t, ws, "read_file", map[string]any{"path": r.File, "offset": 50_000, "limit": 2})
	if !strings.Contains(read, "lines 50000-50001 of 100000.") || !strings.Contains(read, " 50001\t50001\n") {
		t.Error(read)
	}
	r, err = ws.Run(t.Context(), tools.Command{Argv: []string{"sh", "-c", "yes 0123456789abcde | head -c 17000000"}, Env: env})
	if err != nil || r.File != ".roundtable/output-2.txt" || r.Kept != 16<<20 {
		t.Fatalf("%d %q %d, %v", r.Cut, r.File, r.Kept, err)
	}
}

// A command cannot have its output written outside of its clone.
func TestRun_keepsNoOutputBehindALink(t *testing.T) {
	m, outside := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone}), t.TempDir()
	ws := of(t, m, "ada")
	env := []string{"PATH=" + os.Getenv("PATH")}
	script := fmt.Sprintf("rm -rf .roundtable; ln -s '%s' .roundtable", outside)
	for _, argv := range [][]string{{"sh", "-c", script}, {"echo", "hello"}} {
		r, err := ws.Run(t.Context(), tools.Command{Argv: argv, Env: env})
		if err != nil || r.Exit != 0 || r.File != "" {
			t.Errorf("%v: %+v, %v", argv, r, err)
		}
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside: %v, %v", entries, err)
	}
}

// A command says which files that its seat had read it changed, once.
func TestRun_namesWhatItChanged(t *testing.T) {
	dir := repository(t)
	write(t, dir, map[string]string{"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
	ws := of(t, manager(t, workspace.Options{Dir: dir, Mode: workspace.Clone}), "ada")
	for _, name := range []string{"a.txt", "b.txt"} {
		must(t, ws, "read_file", map[string]any{"path": name})
	}
	for _, want := range []string{
		`["a.txt" was read before and is now SHA-256 7e4fa2eb8c7ac089739d5defc4489fad. "b.txt" was read before and is now gone.]`, "[]",
	} {
		r, err := ws.Run(t.Context(), tools.Command{
			Argv: []string{"sh", "-c", "echo other > a.txt; echo other > c.txt; rm -f b.txt"}, Env: []string{"PATH=" + os.Getenv("PATH")},
		})
		if got := fmt.Sprint(r.Changed); err != nil || got != want {
			t.Errorf("changed %s, want %s, %v", got, want, err)
		}
	}
}

func TestHome_lastsAsLongAsTheSession(t *testing.T) {
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone})
	homes := map[string]bool{}
	for range 2 {
		home, err := m.Home("ada")
		if err != nil {
			t.Fatal(err)
		}
		homes[home] = true
		if r, err := of(t, m, "ada").Run(t.Context(), tools.Command{
			Argv: []string{"sh", "-c", `echo x >> "$HOME/kept"; cat "$HOME/kept"`}, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home},
		}); err != nil || r.Exit != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	other, err := m.Home("brook")
	if err != nil || len(homes) != 1 || homes[other] {
		t.Errorf("homes %v and %s, %v", homes, other, err)
	}
	for home := range homes {
		if kept, err := os.ReadFile(filepath.Join(home, "kept")); err != nil || string(kept) != "x\nx\n" {
			t.Errorf("kept %q, %v", kept, err)
		}
	}
}
