package workspace_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

// write makes files below dir, with the folders that they are in.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(p), 0o700))
		must.Do(t, os.WriteFile(p, []byte(content), 0o600))
	}
}

// manager returns the workspaces of a session, which end with the test.
func manager(t testing.TB, o workspace.Options) *workspace.Manager {
	t.Helper()
	if o.Base == "" {
		o.Base = t.TempDir()
	}
	m := must.Get(workspace.New(o))(t)
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func of(t testing.TB, m *workspace.Manager, agent agents.ID) tools.Workspace {
	t.Helper()
	return must.Get(m.Workspace(t.Context(), agent))(t)
}

// local returns a workspace that reads dir.
func local(t testing.TB, dir string) tools.Workspace {
	t.Helper()
	return of(t, manager(t, workspace.Options{Dir: dir, Mode: workspace.Local}), "ada")
}

// localWith returns a workspace that reads files of the test.
func localWith(t testing.TB, files map[string]string) tools.Workspace {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	return local(t, dir)
}

// cloned returns a clone of a repository.
func cloned(t testing.TB, dir string) tools.Workspace {
	t.Helper()
	return of(t, manager(t, workspace.Options{Dir: dir, Mode: workspace.Clone}), "ada")
}

// contains checks that a text has parts.
func contains(t testing.TB, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %.800s", want, got)
		}
	}
}

// call runs a tool within the default bounds.
func call(t testing.TB, ws tools.Workspace, name string, args map[string]any) (tools.Output, error) {
	t.Helper()
	return callWithin(t.Context(), t, ws, workspace.DefaultBounds(), name, args)
}

func callWithin(
	ctx context.Context, t testing.TB, ws tools.Workspace, b workspace.Bounds, name string, args map[string]any,
) (tools.Output, error) {
	t.Helper()
	raw := must.Get(json.Marshal(args))(t)
	for _, tool := range workspace.ToolsWithin(b) {
		if tool.Spec.Name == name {
			return tool.Run(ctx, tools.Context{Workspace: ws}, raw)
		}
	}
	t.Fatalf("no tool %s", name)
	return tools.Output{}, nil
}

// succeed runs a tool that has to succeed.
func succeed(t testing.TB, ws tools.Workspace, name string, args map[string]any) string {
	t.Helper()
	out := must.Get(call(t, ws, name, args))(t)
	return out.Text
}

// git runs git in a folder.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main",
	}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestReadFile_numbersLinesAndSaysWhatItLeavesOut(t *testing.T) {
	dir := t.TempDir()
	var long strings.Builder
	for range 5000 {
		long.WriteString("0123456789\n")
	}
	write(t, dir, map[string]string{
		"plain.txt":   "one\ntwo\n\nfour",
		"empty.txt":   "",
		"crlf.txt":    "one\r\ntwo\r\n",
		"long.txt":    long.String(),
		"wide.txt":    "short\n" + strings.Repeat("é", 1<<20) + "\nend\n",
		"invalid.txt": "a\xffb\n\x1b[31mred\u202e\n",
		"utf16le.txt": "\xff\xfeh\x00i\x00\r\x00\n\x00\x3d\xd8\x00\xde",
		"utf16be.txt": "\xfe\xff\x00h\x00i",
		"bom.txt":     "\ufefffirst\n",
		"binary.bin":  "GIF89a\x00\x01",
		"paper.pdf":   "%PDF-1.7\n1 0 obj <<>>",
		"big.txt":     strings.Repeat(strings.Repeat("x", 99)+"\n", 1500),
	})
	ws := local(t, dir)
	for _, c := range []struct {
		name string
		args map[string]any
		want []string
		not  string
	}{
		{"whole file", map[string]any{"path": "plain.txt"}, []string{`"plain.txt", lines 1-4 of 4.`, "\n     1\tone\n     2\ttwo\n     3\t\n     4\tfour\n"}, "offset"},
		{"some lines", map[string]any{"path": "plain.txt", "offset": 2, "limit": 1}, []string{"lines 2-2 of 4. Go on with offset 3. SHA-256 87c3c9528eea1396c87aa27d580e5e47.\n     2\ttwo\n"}, "one"},
		{"path with dots", map[string]any{"path": "./plain.txt"}, []string{"lines 1-4"}, ""},
		{"empty", map[string]any{"path": "empty.txt"}, []string{"is empty"}, ""},
		{"CRLF", map[string]any{"path": "crlf.txt"}, []string{"     1\tone\n     2\ttwo\n"}, "\r"},
		{"2,000 lines at most", map[string]any{"path": "long.txt"}, []string{"lines 1-2000 of 5000. Go on with offset 2001."}, "  2001\t"},
		{"64 KB at most", map[string]any{"path": "big.txt"}, []string{"lines 1-612 of 1500. Go on with offset 613."}, "   613\t"},
		{"a line of 2 MB", map[string]any{"path": "wide.txt"}, []string{"[cut: the line has 2097152 bytes]\n     3\tend\n", "Of 1 line only"}, "\ufffd"},
		{"invalid UTF-8 and controls", map[string]any{"path": "invalid.txt"}, []string{"not UTF-8", "a\ufffdb", "\u241b[31mred\ufffd"}, "\x1b"},
		{"UTF-16", map[string]any{"path": "utf16le.txt"}, []string{"Converted from UTF-16.", "     1\thi\n     2\t😀\n"}, "\ufeff"},
		{"UTF-16, big end first", map[string]any{"path": "utf16be.txt"}, []string{"Converted", "     1\thi\n"}, ""},
		{"byte order mark", map[string]any{"path": "bom.txt"}, []string{"     1\tfirst\n"}, "\ufeff"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := succeed(t, ws, "read_file", c.args)
			contains(t, got, c.want...)
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("%q in %.600q", c.not, got)
			}
			if len(got) > 66<<10 {
				t.Errorf("%d bytes", len(got))
			}
		})
	}
	for _, c := range []struct {
		path, want string
		offset     int
	}{
		{"binary.bin", "is a binary file of 8 bytes", 1},
		{"paper.pdf", "is a binary file of 21 bytes", 1},
		{"plain.txt", "has 4 lines; offset 5 is past its end", 5},
		{"missing.txt", `"missing.txt": file does not exist in the workspace`, 1},
		{".", "is a folder: use list_dir", 1},
	} {
		if _, err := call(t, ws, "read_file", map[string]any{"path": c.path, "offset": c.offset}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: err = %v, want %q", c.path, err, c.want)
		}
	}
}

func TestTools_leaveOutWhatGitIgnores(t *testing.T) {
	ws := localWith(t, map[string]string{
		".gitignore":        "*.log\n/build/\n.env\n!keep.log\n",
		".git/config":       "[remote] needle",
		".git/info/exclude": "private.txt\n",
		".env":              "KEY=needle",
		"a.log":             "needle",
		"keep.log":          "needle",
		"private.txt":       "needle",
		"build/out.txt":     "needle",
		"src/.gitignore":    "gen_*\n!a.log\n",
		"src/gen_x.go":      "needle",
		"src/a.log":         "needle",
		"src/main.go":       "package main // needle",
		"src/build/x.txt":   "needle",
	})
	found := succeed(t, ws, "find_files", map[string]any{"pattern": "**"})
	want := "6 files match.\n.gitignore\nkeep.log\nsrc/.gitignore\nsrc/a.log\nsrc/build/x.txt\nsrc/main.go"
	if found != want {
		t.Errorf("found:\n%s\nwant:\n%s", found, want)
	}
	searched := succeed(t, ws, "search", map[string]any{"pattern": "needle"})
	want = "4 lines match in 4 files.\nkeep.log:1: needle\nsrc/a.log:1: needle\nsrc/build/x.txt:1: needle\nsrc/main.go:1: package main // needle"
	if searched != want {
		t.Errorf("searched:\n%s\nwant:\n%s", searched, want)
	}
	listed := succeed(t, ws, "list_dir", map[string]any{"path": "."})
	if listed != "\".\" has 3 entries, and 5 more that are not shown (.git, keys or passwords, or left out by a .gitignore).\n.gitignore  29 bytes\nkeep.log  6 bytes\nsrc/" {
		t.Errorf("listed:\n%s", listed)
	}
	for _, p := range []string{".env", "a.log", "build/out.txt", "build", "src/gen_x.go", ".git/config", ".GIT/config", "private.txt", "src/../.env"} {
		for _, tool := range []string{"read_file", "search", "list_dir"} {
			out, err := call(t, ws, tool, map[string]any{"path": p, "pattern": "needle"})
			if err == nil || strings.Contains(out.Text, "needle") {
				t.Errorf("%s %s is allowed: %s", tool, p, out.Text)
			}
		}
	}
}

func TestTools_matchGitsOwnRules(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	patterns := []string{
		"*.o", "!keep.o", "/root.txt", "sub/deep", "**/any/file", "a/**/z", "dir/", "[a-c]x", "[!a-c]y", "sp\\ ace", "\\#hash", "tail ", "qu?st", "*.t[xm][tl]",
	}
	write(t, dir, map[string]string{".gitignore": strings.Join(patterns, "\n") + "\n", "nest/.gitignore": "*\n!*.go\n!/only/\n"})
	for _, p := range []string{
		"x.o", "keep.o", "root.txt", "nest/root.txt", "sub/deep/f", "x/sub/deep/f", "x/any/file", "any/file", "a/z", "a/b/z", "a/b/c/z", "dir/f", "x/dir/f",
		"file/dir", "ax", "dx", "dy", "ay", "sp ace", "#hash", "tail", "quest", "m.txt", "m.tmt", "nest/a.go", "nest/a.c", "nest/only/a.go", "nest/other/a.go",
	} {
		if p == "file/dir" {
			p = "file/dir/g"
		}
		write(t, dir, map[string]string{p: "x"})
	}
	want := strings.Fields(strings.ReplaceAll(git(t, dir, "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard"), " ", "_"))
	got := strings.Fields(strings.ReplaceAll(succeed(t, local(t, dir), "find_files", map[string]any{"pattern": "**"}), " ", "_"))[1:]
	if len(want) < 7 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("found %q\ngit has %q", got, want)
	}
}
