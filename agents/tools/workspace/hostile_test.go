//go:build unix

package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

func TestTools_whatIsNoFileIsRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.txt": "a"})
	must.Do(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	t.Chdir(dir) // the path of a socket is short
	socket := must.Get(net.Listen("unix", "socket"))(t)
	defer socket.Close()
	kinds := map[string]string{"fifo": "named pipe", "socket": "socket"}
	// Only root can make a device; the test of links has /dev/null for all others.
	if err := syscall.Mknod(filepath.Join(dir, "zero"), syscall.S_IFCHR|0o600, 1<<8|5); err == nil {
		kinds["zero"] = "device"
	}
	ws := local(t, dir)
	for name, kind := range kinds {
		for _, tool := range []string{"read_file", "search", "list_dir"} {
			soonest := time.Hour // of several calls, since the machine may be busy
			for range 10 {
				begun := time.Now()
				_, err := call(t, ws, tool, map[string]any{"path": name, "pattern": "."})
				soonest = min(soonest, time.Since(begun))
				var refused *workspace.RefusedError
				if !errors.As(err, &refused) || !strings.Contains(refused.Rule, kind) {
					t.Errorf("%s %s: err = %v, want %q", tool, name, err, kind)
				}
			}
			if soonest > 100*time.Millisecond {
				t.Errorf("%s %s took %s", tool, name, soonest)
			}
		}
		contains(t, succeed(t, ws, "list_dir", map[string]any{"path": "."}), fmt.Sprintf("%s  (%s)", name, kind))
	}
	if got := succeed(t, ws, "search", map[string]any{"pattern": "."}); got != "1 line matches in 1 file.\na.txt:1: a" {
		t.Errorf("search: %s", got)
	}
}

func TestTools_readHugeFilesWithinBounds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"text.txt": strings.Repeat("line\n", 4000), "zeros": ""})
	for name, size := range map[string]int64{"text.txt": 1 << 40, "zeros": 1 << 40} {
		if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
			t.Skipf("no sparse files of 1 TB: %v", err)
		}
	}
	ws := local(t, dir)
	contains(t, succeed(t, ws, "read_file", map[string]any{"path": "text.txt", "limit": 2}),
		"The file has 1099511627776 bytes; only the first 67108864 are looked at.", "     2\tline\n")
	if _, err := call(t, ws, "read_file", map[string]any{"path": "zeros"}); err == nil || !strings.Contains(err.Error(), "binary file of 1099511627776 bytes") {
		t.Errorf("zeros: err = %v", err)
	}
	contains(t, succeed(t, ws, "search", map[string]any{"pattern": "^line$"}),
		"PARTIAL RESULT", `Of "text.txt" only the first 67108864 bytes were searched.`)
}

func TestTools_sayWhatCannotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root can read everything")
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"no.txt": "a", "yes.txt": "a", "closed/x.txt": "a"})
	for _, name := range []string{"no.txt", "closed"} {
		must.Do(t, os.Chmod(filepath.Join(dir, name), 0))
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "closed"), 0o700) })
	ws := local(t, dir)
	if _, err := call(t, ws, "read_file", map[string]any{"path": "no.txt"}); !errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), dir) {
		t.Errorf("err = %v", err)
	}
	contains(t, succeed(t, ws, "search", map[string]any{"pattern": "a"}),
		"PARTIAL RESULT", `"no.txt" cannot be read: permission denied`, `"closed" could not be`, "yes.txt:1: a")
}

// TestReadFile_ofAFileThatGrowsEnds appends to a file while it is read.
func TestReadFile_ofAFileThatGrowsEnds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"grows.txt": strings.Repeat("x\n", 100)})
	f := must.Get(os.OpenFile(filepath.Join(dir, "grows.txt"), os.O_APPEND|os.O_WRONLY, 0))(t)
	defer f.Close()
	defer meanwhile(t, func() error {
		_, err := f.WriteString("x\n")
		return err
	})()
	ws := local(t, dir)
	for noted := false; !noted; {
		got := succeed(t, ws, "read_file", map[string]any{"path": "grows.txt"})
		noted = strings.Contains(got, "The file changed while it was read.")
	}
}

func TestTools_stopWithinTheirBounds(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("d%d/f%02d.txt", i%3, i)] = strings.Repeat("hit\n", 10)
	}
	write(t, dir, files)
	ws := local(t, dir)
	wide := workspace.DefaultBounds()
	for _, c := range []struct {
		name, tool string
		bounds     func(*workspace.Bounds)
		want       []string
	}{
		{"entries", "find_files", func(b *workspace.Bounds) { b.Entries = 20 }, []string{"PARTIAL", "Stopped after 20 files and folders"}},
		{"entries", "search", func(b *workspace.Bounds) { b.Entries = 20 }, []string{"PARTIAL", "Stopped after 20 files and folders"}},
		{"bytes", "search", func(b *workspace.Bounds) { b.Bytes = 100 }, []string{"20 lines match in 2 files", "Stopped after 100 bytes"}},
		{"time", "search", func(b *workspace.Bounds) { b.Time = 0 }, []string{"no line matches. PARTIAL", "Stopped after 0s"}},
		{"time", "find_files", func(b *workspace.Bounds) { b.Time = 0 }, []string{"PARTIAL", "Stopped after 0s"}},
		{"results", "search", func(b *workspace.Bounds) { b.Results = 15 }, []string{"Stopped after 15 matches; there are more.", "d0/f03.txt:5: hit"}},
		{"results", "find_files", func(b *workspace.Bounds) { b.Results = 15 }, []string{"60 files match. PARTIAL", "Only the first 15 paths"}},
		{"text", "search", func(b *workspace.Bounds) { b.Text = 100 }, []string{"PARTIAL", "there are more"}},
		{"text", "find_files", func(b *workspace.Bounds) { b.Text = 100 }, []string{"60 files match. PARTIAL", "Only the first 9 paths"}},
		{"nothing", "search", func(*workspace.Bounds) {}, []string{"600 lines match in 60 files.\n"}},
	} {
		b := wide
		c.bounds(&b)
		pattern := "hit"
		if c.tool == "find_files" {
			pattern = "*.txt"
		}
		out := must.Get(callWithin(t.Context(), t, ws, b, c.tool, map[string]any{"pattern": pattern}))(t)
		contains(t, out.Text, c.want...)
		if strings.Contains(out.Text, "PARTIAL") != strings.Contains(out.Summary, "partial") {
			t.Errorf("%s of %s: summary %q", c.name, c.tool, out.Summary)
		}
	}
}

func TestTools_endWithTheirContext(t *testing.T) {
	ws := localWith(t, map[string]string{"a/b.txt": "x"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tool := range []string{"list_dir", "find_files", "search", "read_file"} {
		if _, err := callWithin(ctx, t, ws, workspace.DefaultBounds(), tool, map[string]any{"path": "a/b.txt", "pattern": "x"}); err == nil {
			t.Errorf("%s goes on", tool)
		}
	}
}

func TestTools_refusePatternsThatCannotBeUsed(t *testing.T) {
	ws := localWith(t, map[string]string{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.txt": strings.Repeat("a", 60_000) + "!\n"})
	for _, c := range []struct{ tool, pattern, glob, want string }{
		{"search", "(", "", "not valid in RE2 syntax"},
		{"search", `(a)\1`, "", "not valid in RE2 syntax"},
		{"search", "(?=a)", "", "not valid in RE2 syntax"},
		{"search", "((a{1000}){1000}){1000}", "", "not valid in RE2 syntax"},
		{"search", "a", "[", "not a valid glob"},
		{"find_files", "[", "", "not a valid glob"},
		{"find_files", strings.Repeat("{a,a*}", 30), "", "more than 3 groups in braces"},
	} {
		out, err := call(t, ws, c.tool, map[string]any{"pattern": c.pattern, "glob": c.glob})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.30q: %v %s, want %q", c.tool, c.pattern, err, out.Text, c.want)
		}
	}
	// These take forever where a regular expression or a glob is tried in all ways.
	for _, pattern := range []string{"(a+)+$", "(a|aa)+$", "(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$"} {
		succeed(t, ws, "search", map[string]any{"pattern": pattern})
	}
	for _, pattern := range []string{
		strings.Repeat("*a", 99) + "b", strings.Repeat("**/", 60) + "x", strings.Repeat("{a*,*a,a}", 3) + strings.Repeat("*", 80),
	} {
		succeed(t, ws, "find_files", map[string]any{"pattern": pattern})
	}
}

func TestTools_showNamesThatAttackATerminal(t *testing.T) {
	ws := localWith(t, map[string]string{"a\x1b[2Jb\nc.txt": "hit\x1b]0;x\x07"})
	for _, c := range []struct{ tool, want string }{
		{"list_dir", "a\u241b[2Jb\u240ac.txt  9 bytes"},
		{"find_files", "a\u241b[2Jb\u240ac.txt"},
		{"search", "a\u241b[2Jb\u240ac.txt:1: hit\u241b]0;x\u2407"},
	} {
		pattern := "**"
		if c.tool == "search" {
			pattern = "hit"
		}
		if got := succeed(t, ws, c.tool, map[string]any{"pattern": pattern}); !strings.HasSuffix(got, "\n"+c.want) {
			t.Errorf("%s: %q", c.tool, got)
		}
	}
}

func TestTools_findFilesByGlob(t *testing.T) {
	ws := localWith(t, map[string]string{"main.go": "x", "a/b/main.go": "x", "a/b/c/d_test.go": "x", "a/x.ts": "x", "b/x.tsx": "x"})
	for _, c := range []struct{ pattern, path, want string }{
		{"*.go", "", "a/b/c/d_test.go a/b/main.go main.go"},
		{"main.go", "", "a/b/main.go main.go"},
		{"./main.go", "", "main.go"},
		{"a/**/*.go", "", "a/b/c/d_test.go a/b/main.go"},
		{"**/b/*", "", "a/b/main.go b/x.tsx"},
		{"*.{ts,tsx}", "", "a/x.ts b/x.tsx"},
		{"*.go", "a/b/c", "a/b/c/d_test.go"},
		{"x.t[s]", "a", "a/x.ts"},
		{"none", "", ""},
	} {
		got := succeed(t, ws, "find_files", map[string]any{"pattern": c.pattern, "path": c.path})
		_, paths, _ := strings.Cut(got, "\n")
		if strings.Join(strings.Fields(paths), " ") != c.want {
			t.Errorf("%s in %q: %s, want %s", c.pattern, c.path, got, c.want)
		}
	}
}

func TestTools_searchLongLinesAndSingleFiles(t *testing.T) {
	ws := localWith(t, map[string]string{
		"wide.txt": strings.Repeat("é", 10_000) + "needle" + strings.Repeat("ü", 100_000) + "late\n",
		"u16.txt":  "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00",
		"bin":      "needle\x00", "sub/x.go": "a\nneedle\n",
	})
	got := succeed(t, ws, "search", map[string]any{"pattern": "needle|late"})
	want := "u16.txt:1: needle\nwide.txt:1: …"
	if !strings.Contains(got, "3 lines match in 3 files. PARTIAL RESULT: Of lines of more than 65536 bytes") ||
		!strings.Contains(got, want) || !strings.Contains(got, "éneedleü") || strings.Contains(got, "\ufffd") || len(got) > 2000 {
		t.Errorf("search: %.800s", got)
	}
	for _, p := range []string{"sub/x.go", "sub"} {
		if got := succeed(t, ws, "search", map[string]any{"pattern": "NEEDLE", "path": p}); got != "no line matches." {
			t.Errorf("search: %s", got)
		}
		if got := succeed(t, ws, "search", map[string]any{"pattern": "(?i)NEEDLE", "path": p, "glob": "*.go"}); got != "1 line matches in 1 file.\nsub/x.go:2: needle" {
			t.Errorf("search: %s", got)
		}
	}
}
