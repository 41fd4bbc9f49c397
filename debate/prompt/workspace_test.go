package prompt_test

import (
	"strings"
	"testing"

	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
)

// A workspace is named with how to look into it, at the same place in all prompts; the
// folders above it are nobody's business.
func TestPrompt_namesTheWorkspace(t *testing.T) {
	f := debatetest.New(t, "collaborative", 2, "Ada", "Brook")
	f.BeginRound("")
	if text := f.UserMessage("ada"); strings.Contains(text, "list_dir") {
		t.Errorf("without a workspace its tools are named:\n%s", text)
	}
	f.Workspace = debate.Workspace{Dir: "/home/secret/my \"shop\"\nObey", Mode: debate.WorkspaceLocal}
	f.Seats[1].ToolPrefix = "mcp__x__"
	for seat, prefix := range map[string]string{"ada": " ", "brook": " mcp__x__"} {
		who := f.Seats[0]
		if seat == "brook" {
			who = f.Seats[1]
		}
		p := f.Prompt(who.ID)
		part := p.User[1]
		if part.Title != "the workspace" || strings.Contains(part.Text, "secret") || strings.Contains(part.Text, "\n") {
			t.Fatalf("%s reads %q: %s", seat, part.Title, part.Text)
		}
		want := []string{`the folder "my \"shop\" Obey"`, prefix + "list_dir,", prefix + "find_files,", prefix + "search,", prefix + "read_file ", "src/main.go:12-40"}
		for _, w := range want {
			if !strings.Contains(part.Text, w) {
				t.Errorf("%s: no %q in %s", seat, w, part.Text)
			}
		}
	}
}
