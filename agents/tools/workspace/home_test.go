//go:build unix

package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

func TestHome_lastsAsLongAsTheSession(t *testing.T) {
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone})
	homes := map[string]bool{}
	for range 2 {
		home := must.Get(m.Home("ada"))(t)
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
