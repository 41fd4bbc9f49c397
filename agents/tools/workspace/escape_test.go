//go:build unix

package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

// secret is the content of files outside of the workspace. No tool may return it.
const secret = "OUTSIDE-SECRET"

// hostile returns a workspace with links of all kinds, beside a folder with secrets, and
// the paths that are tried in it.
func hostile(t testing.TB) (ws tools.Workspace, outside string, paths []string) {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "in")
	outside = filepath.Join(base, "out")
	write(t, dir, map[string]string{"ok.txt": "inside", "sub/ok.txt": "inside", "sub/deep/ok.txt": "inside"})
	write(t, outside, map[string]string{"secret.txt": secret, "sub/secret.txt": secret})
	write(t, base, map[string]string{"secret.txt": secret, "in2/secret.txt": secret})
	links := map[string]string{
		"to-file": "../out/secret.txt", "to-dir": "../out", "abs-file": filepath.Join(outside, "secret.txt"), "abs-dir": outside,
		"abs-in": filepath.Join(dir, "ok.txt"), "up": "..", "up-up": "../..", "sub/up": "../..", "sub/deep/to-file": "../../../out/secret.txt",
		"loop": "loop", "loop-a": "loop-b", "loop-b": "loop-a", "sub/loop-dir": "../sub/loop-dir/x", "chain-1": "chain-2", "chain-2": "to-file",
		"winding": "sub/../../out/secret.txt", "in-out-in": "../in/ok.txt", "via": "sub/up/out/secret.txt", "proc": "/proc/self/root",
		"proc-cwd": "/proc/self/cwd", "home": "/root", "dangling": "../nowhere", "sibling": "../in2/secret.txt", "null": "/dev/null",
		"sub/abs": "/etc/passwd", "rooted": "/", "dots": "./././../out/secret.txt", "slashes": "..//out///secret.txt",
	}
	for name, to := range links {
		must.Do(t, os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))))
		paths = append(paths, name, name+"/", name+"/secret.txt", name+"/out/secret.txt", name+"/../out/secret.txt")
	}
	must.Do(t, os.Link(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "hard")))
	paths = append(
		paths, "hard", "../secret.txt", "../out/secret.txt", "..", "../", "../..", "./..", "./../out/secret.txt", "sub/../../out/secret.txt",
		"sub/deep/../../../out/secret.txt", "sub/..//../out/secret.txt", "/etc/passwd", "//etc/passwd", "/proc/self/environ", "/proc/self/cwd/ok.txt",
		"/proc/self/root/etc/passwd", "/dev/zero", "/dev/stdin", filepath.Join(outside, "secret.txt"), filepath.Join(dir, "ok.txt"),
		"~", "~/secret.txt", "~root/.bashrc", "~/../out/secret.txt", "%2e%2e/out/secret.txt", "%2e%2e%2fout%2fsecret.txt", "..%2fout%2fsecret.txt",
		"..%c0%af..%c0%afetc/passwd", "..\\out\\secret.txt", `\\host\share`, `C:\secret.txt`, "....//out/secret.txt", "..;/out/secret.txt", "ok.txt\x00",
		"ok.txt\x00/../../out/secret.txt", "\x00", "../out/secret.txt\x00.txt", strings.Repeat("a", 5000), strings.Repeat("../", 1700)+"etc/passwd",
		strings.Repeat("sub/../", 700)+"../out/secret.txt", strings.Repeat("./", 2100), "ok.txt ", " ok.txt", "ok.txt\n", "\tok.txt", "../out/secret.txt ",
		".. /out/secret.txt", "sub/.. ", "ok.txt/../../out/secret.txt", "ok.txt/..", ".git", ".git/config", "sub/.git/x", "file:///etc/passwd",
		"file://../out/secret.txt", "${HOME}/secret.txt", "$(cat ../out/secret.txt)", "`id`", "in/../../out/secret.txt", "\u2025/out/secret.txt",
		"\uff0e\uff0e/out/secret.txt", "..\u2215out\u2215secret.txt", "nul", "CON", "sub/deep/to-file/", "*/../../out/secret.txt", "{..,.}/out/secret.txt",
	)
	return local(t, dir), outside, paths
}

func TestTools_noPathLeadsOut(t *testing.T) {
	ws, _, paths := hostile(t)
	if len(paths) < 200 {
		t.Fatalf("%d paths, want at least 200", len(paths))
	}
	for _, p := range paths {
		for _, tool := range []string{"read_file", "list_dir", "find_files", "search"} {
			out, err := call(t, ws, tool, map[string]any{"path": p, "pattern": "**"})
			if tool == "search" {
				out, err = call(t, ws, tool, map[string]any{"path": p, "pattern": ".*"})
			}
			if strings.Contains(out.Text, secret) || strings.Contains(out.Text, "root:") {
				t.Fatalf("%s %q shows what is outside:\n%.300s", tool, p, out.Text)
			}
			if err == nil {
				t.Errorf("%s %q is allowed: %.200s", tool, p, out.Text)
			}
			if err != nil && (len(err.Error()) > 1500 || strings.ContainsAny(err.Error(), "\x00\x1b\n")) {
				t.Errorf("%s %.50q: error %q", tool, p, err)
			}
		}
	}
	for _, whole := range []struct{ tool, pattern string }{{"search", "SECRET|root:"}, {"find_files", "**/secret*"}, {"find_files", "../**"}, {"find_files", "/**"}} {
		out, err := call(t, ws, whole.tool, map[string]any{"pattern": whole.pattern})
		if err == nil && strings.Contains(out.Text, "secret.txt") || strings.Contains(out.Text, secret) {
			t.Errorf("%s %s finds: %s", whole.tool, whole.pattern, out.Text)
		}
	}
}

func TestTools_aRefusalNamesThePathAndTheRule(t *testing.T) {
	ws, outside, _ := hostile(t)
	for p, rule := range map[string]string{
		"../out/secret.txt":                  `".." is not allowed`,
		filepath.Join(outside, "secret.txt"): "absolute paths are not allowed",
		"/proc/self/environ":                 "absolute paths are not allowed",
		"~/secret.txt":                       "~ is not allowed",
		"ok.txt\x00":                         "it contains a NUL",
		strings.Repeat("a/", 2500):           "it is longer than 4,096 bytes",
		"ok.txt ":                            "it begins or ends with a space",
		"to-file":                            `"to-file" is a link to "../out/secret.txt", and links are not followed`,
		"abs-in":                             `"abs-in" is a link to`,
		"to-dir/secret.txt":                  `"to-dir" is a link to "../out"`,
		"loop":                               `"loop" is a link to "loop"`,
		"hard":                               "the file has another hard link",
		".git/config":                        "the folder .git is not shown",
	} {
		_, err := call(t, ws, "read_file", map[string]any{"path": p})
		var refused *workspace.RefusedError
		if !errors.As(err, &refused) || refused.Path != p || !strings.Contains(err.Error(), rule) || !strings.Contains(err.Error(), "relative to the workspace") {
			t.Errorf("%.60q: err = %v, want %q", p, err, rule)
		}
	}
}

func TestTools_linksAreNamedAndNotFollowed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a/b/c.txt": "content", ".git/config": "token", ".gitignore": "env\n", "env": "token"})
	for name, to := range map[string]string{
		"l1": "a/b/c.txt", "a/l2": "../a/b", "dir": "a", "git": ".git", "gitfile": ".git/config", "ignored": "env", "a/round": "..",
	} {
		must.Do(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	ws := local(t, dir)
	for _, p := range []string{"l1", "a/l2/c.txt", "dir/b/c.txt", "a/round/l1", "git/config", "gitfile", "ignored"} {
		if out, err := call(t, ws, "read_file", map[string]any{"path": p}); err == nil || !strings.Contains(err.Error(), "is a link to") {
			t.Errorf("%s: %s, %v", p, out.Text, err)
		}
	}
	if got := succeed(t, ws, "find_files", map[string]any{"pattern": "**/*.txt"}); got != "1 file matches.\na/b/c.txt" {
		t.Errorf("found, though links go round: %s", got)
	}
}

// meanwhile does something over and over until it is stopped.
func meanwhile(t *testing.T, do func() error) (stop func()) {
	ending := make(chan struct{})
	var doing sync.WaitGroup
	doing.Go(func() {
		for {
			select {
			case <-ending:
				return
			default:
			}
			if err := do(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	return func() { close(ending); doing.Wait() }
}

// TestTools_linksSwappedDuringReadsLeadNowhere swaps files and folders for links to the
// outside and back, while tools read them.
func TestTools_linksSwappedDuringReadsLeadNowhere(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "in")
	write(t, dir, map[string]string{"d/f.txt": "inside", "f.txt": "inside", "real/f.txt": "inside", "real.txt": "inside"})
	write(t, base, map[string]string{"out/f.txt": secret, "f.txt": secret})
	ws := local(t, dir)
	for name, to := range map[string]string{"d": "../out", "f.txt": "../f.txt"} {
		at, spare := filepath.Join(dir, name), filepath.Join(dir, name+".spare")
		defer meanwhile(t, func() error {
			return errors.Join(os.Rename(at, spare), os.Symlink(to, at), os.Remove(at), os.Rename(spare, at))
		})()
	}
	reads := 2000
	if testing.Short() {
		reads = 300
	}
	seen := map[string]int{}
	for i := 0; i < reads || seen["read_file true"] == 0 || seen["read_file false"] == 0; i++ {
		for _, c := range []struct {
			tool string
			args map[string]any
		}{
			{"read_file", map[string]any{"path": "d/f.txt"}},
			{"read_file", map[string]any{"path": "f.txt"}},
			{"search", map[string]any{"pattern": "SECRET|inside"}},
			{"list_dir", map[string]any{"path": "d"}},
		} {
			if c.tool == "search" && i%10 > 0 {
				continue
			}
			out, err := call(t, ws, c.tool, c.args)
			if strings.Contains(out.Text, secret) || err != nil && strings.Contains(err.Error(), secret) {
				t.Fatalf("%s %v shows what is outside: %s", c.tool, c.args, out.Text)
			}
			seen[fmt.Sprintf("%s %t", c.tool, err == nil)]++
		}
	}
}

func FuzzReadFile_path(f *testing.F) {
	ws, _, paths := hostile(f)
	for _, p := range paths {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		for _, tool := range []string{"read_file", "list_dir", "search"} {
			out, err := call(t, ws, tool, map[string]any{"path": p, "pattern": "."})
			if strings.Contains(out.Text, secret) {
				t.Fatalf("%s %q shows what is outside", tool, p)
			}
			if err == nil && out.Text == "" {
				t.Fatalf("%s %q returns nothing", tool, p)
			}
		}
	})
}
