package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/agents/tools/workspace"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/engine"
	"roundtable/debate/report"
	"roundtable/internal/testing/must"
)

// citingHarness is a table in a folder, with the name of its file.
func citingHarness(t *testing.T, lines map[string]replyFunc) (*harness, debate.Session, string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "src", "main.go")
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
	writeFile(t, file, "package main\n\nfunc main() {}\n")
	h := newHarness(t, lines)
	h.withWorkspaces(func(context.Context, debate.Session) (engine.Workspaces, error) {
		return workspace.New(workspace.Options{Dir: dir, Mode: workspace.Local, Base: t.TempDir()})
	})
	s := h.inWorkspace(debate.Workspace{Dir: dir, Mode: debate.WorkspaceLocal}, 2, "m1", "m2")
	t.Cleanup(func() {
		if err := h.engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, s, file
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(content), 0o600))
}

func reads(path string, limit int) agents.ToolCall {
	return agents.ToolCall{Name: agents.ReadFileName, Args: fmt.Sprintf(`{"path":%q,"limit":%d}`, path, limit)}
}

// Lines that a seat read can be cited and are pinned by the hash of the file, also once that has
// changed. A citation of lines that no seat has read is an error.
func TestWorkspace_linesThatWereReadCanBeCited(t *testing.T) {
	h, s, file := citingHarness(t, map[string]replyFunc{
		"m1": allAtOnce([]agents.ToolCall{reads("./src/main.go", 2)}, "It is a program [src/main.go:1-2], see [src/main.go:3]."),
		"m2": replyText("I agree [src/main.go:1] and [src/other.go:7]."),
	})
	_, s, err := drain(h.engine.Start(t.Context(), s))
	must.Do(t, err)
	s = h.read(s)
	quoted := func(c cite.Cited) string {
		return fmt.Sprintf("%s by %d %s %d", c.Citation, len(c.CitedBy), c.Problem, len(c.SHA256))
	}
	cited := func() (out []string) {
		for _, c := range cite.All(s) {
			out = append(out, quoted(c))
		}
		return out
	}
	want := []string{
		"src/main.go:1 by 1  32", "src/main.go:1-2 by 1  32", "src/main.go:3 by 1 not_read 0", "src/other.go:7 by 1 not_read 0",
	}
	if diff := cmp.Diff(want, cited()); diff != "" {
		t.Error(diff)
	}
	if got := cite.StatementWrong(s, s.History[0].Latest()[0]); len(got) != 1 || got[0].Why() != "No seat had read these lines." {
		t.Errorf("wrong: %v", got)
	}
	var markdown strings.Builder
	must.Do(t, report.Of(s, report.Options{}).Write(&markdown, report.Markdown))
	for _, line := range []string{"\\[src/main.go:\u20601-2\\], cited by M1.", "⚠ No seat had read these lines."} {
		if !strings.Contains(markdown.String(), line) {
			t.Errorf("%q is not in\n%s", line, markdown.String())
		}
	}
	writeFile(t, file, "package other\n")
	if _, s, err = drain(h.engine.Start(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(cited(), "\n"); !strings.Contains(got, "src/main.go:1-2 by 1  32") {
		t.Errorf("after the change:\n%s", got)
	}
}
