//go:build unix

package workspace_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

// repository returns a git repository with a commit, and changes after it.
func repository(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, map[string]string{
		"main.go": "package main\n", "gone.txt": "gone", "sub/lib.go": "package sub\n", ".gitignore": "*.log\n", "run.sh": "#!/bin/sh\necho ran\n",
	})
	must.Do(t, os.Chmod(filepath.Join(dir, "run.sh"), 0o755))
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	write(t, dir, map[string]string{"main.go": "package main // changed\n", "new.txt": "new", "secret.log": "ignored"})
	must.Do(t, os.Remove(filepath.Join(dir, "gone.txt")))
	return dir
}

var environment = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}

func sh(script string) tools.Command {
	return tools.Command{Argv: []string{"sh", "-c", script}, Env: environment}
}

// ran runs a command that has to start.
func ran(t testing.TB, ws tools.Workspace, c tools.Command) tools.CommandResult {
	t.Helper()
	return must.Get(ws.Run(t.Context(), c))(t)
}

func TestRun_isRefusedInTheModeLocal(t *testing.T) {
	ws := local(t, t.TempDir())
	if _, err := ws.Run(t.Context(), sh("true")); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("err = %v", err)
	}
}

func TestClone_hasHistoryAndTheFilesAsTheyAre(t *testing.T) {
	dir := repository(t)
	ws := cloned(t, dir)
	contains(t, succeed(t, ws, "read_file", map[string]any{"path": "main.go"}), "changed")
	if got := succeed(t, ws, "find_files", map[string]any{"pattern": "**"}); got != "5 files match.\n.gitignore\nmain.go\nnew.txt\nrun.sh\nsub/lib.go" {
		t.Errorf("files: %s", got)
	}
	got := ran(t, ws, sh("git log --format=%s; git status --porcelain; ls *.log; git config remote.origin.url; ./run.sh"))
	contains(t, got.Output, "first\n", " M main.go", " D gone.txt", "?? new.txt", "not-available", "ran\n")
	if strings.Contains(got.Output, "secret.log") {
		t.Errorf("an ignored file is in the clone: %s", got.Output)
	}
	if info := ws.Info(); info.Mode != "clone" || info.Source != dir || info.Dir == dir || info.Note != "" {
		t.Errorf("info: %+v", info)
	}
}

func TestClone_keepsAgentsAndTheRepositoryApart(t *testing.T) {
	dir := repository(t)
	before := git(t, dir, "status", "--porcelain", "--ignored") + git(t, dir, "rev-parse", "HEAD")
	m := manager(t, workspace.Options{Dir: dir, Mode: workspace.Clone})
	ada, brook := of(t, m, "ada"), of(t, m, "brook")
	got := ran(t, ada, sh("echo hers > written.txt; chmod -R u+w .git; for f in $(find .git/objects -type f); do : > $f; done; git push -q origin HEAD:refs/heads/x; echo $?"))
	if strings.HasSuffix(got.Output, "\n0\n") {
		t.Errorf("a clone can push: %s", got.Output)
	}
	contains(t, succeed(t, ada, "read_file", map[string]any{"path": "written.txt"}), "hers")
	if _, err := call(t, brook, "read_file", map[string]any{"path": "written.txt"}); err == nil {
		t.Error("another agent sees what a command wrote")
	}
	if after := git(t, dir, "status", "--porcelain", "--ignored") + git(t, dir, "rev-parse", "HEAD"); after != before {
		t.Errorf("the repository changed:\n%s\nbefore:\n%s", after, before)
	}
	git(t, dir, "fsck", "--full")
	if again := of(t, m, "ada"); again.Info() != ada.Info() {
		t.Errorf("a second clone of the same agent: %+v", again.Info())
	}
}

func TestClone_ofASubfolderASharedStoreAndAnEmptyRepository(t *testing.T) {
	dir := repository(t)
	sub := cloned(t, filepath.Join(dir, "sub"))
	if got := succeed(t, sub, "list_dir", map[string]any{}); got != "\".\" has 1 entry.\nlib.go  12 bytes" {
		t.Errorf("subfolder: %s", got)
	}
	if got := ran(t, sub, sh("pwd")); !strings.HasSuffix(got.Output, "/sub\n") {
		t.Errorf("the command runs in %s", got.Output)
	}

	shared := t.TempDir()
	git(t, shared, "clone", "-q", "--shared", dir, ".")
	ws := cloned(t, shared)
	if got := ran(t, ws, sh("cat .git/objects/info/alternates; git log --format=%s")); strings.Contains(got.Output, dir) || !strings.Contains(got.Output, "first") {
		t.Errorf("the clone needs the objects of another repository: %s", got.Output)
	}

	empty := t.TempDir()
	git(t, empty, "init", "-q")
	write(t, empty, map[string]string{"a.txt": "a"})
	ws = cloned(t, empty)
	succeed(t, ws, "read_file", map[string]any{"path": "a.txt"})
}

func TestClone_runsNothingThatTheRepositoryConfigures(t *testing.T) {
	dir := repository(t)
	mark := filepath.Join(t.TempDir(), "ran")
	for _, setting := range []string{
		"core.fsmonitor", "filter.x.smudge", "filter.x.clean", "filter.x.process", "core.sshCommand", "diff.external",
		"uploadpack.packObjectsHook", "core.alternateRefsCommand", "core.pager",
	} {
		git(t, dir, "config", setting, "touch "+mark)
	}
	write(t, dir, map[string]string{".gitattributes": "* filter=x\n"})
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		write(t, dir, map[string]string{".git/hooks/" + hook: "#!/bin/sh\ntouch " + mark + "\n"})
		must.Do(t, os.Chmod(filepath.Join(dir, ".git/hooks", hook), 0o755))
	}
	must.Do(t, workspace.Check(t.Context(), workspace.Options{Dir: dir, Mode: workspace.Clone, Base: t.TempDir()}))
	cloned(t, dir)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program that the repository configures was run")
	}
}

func TestClone_saysWhatItLacks(t *testing.T) {
	dir := repository(t)
	must.Do(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, filepath.Dir(outside), map[string]string{"outside": secret})
	must.Do(t, os.Link(outside, filepath.Join(dir, "hard")))
	must.Do(t, os.Symlink(outside, filepath.Join(dir, "link")))
	ws := cloned(t, dir)
	contains(t, ws.Info().Note, "lacks 1 entry", "hard")
	contains(t, succeed(t, ws, "list_dir", map[string]any{}), "PARTIAL RESULT: The clone lacks 1 entry")
	if out, err := call(t, ws, "search", map[string]any{"pattern": secret}); err != nil || strings.Contains(out.Text, ":1:") {
		t.Errorf("search: %v %s", err, out.Text)
	}
}

func TestClone_copiesNothingThroughLinks(t *testing.T) {
	dir, outside := repository(t), t.TempDir()
	write(t, outside, map[string]string{"lib.go": secret, "new.go": secret})
	must.Do(t, errors.Join(os.RemoveAll(filepath.Join(dir, "sub")), os.Symlink(outside, filepath.Join(dir, "sub"))))
	ws := cloned(t, dir)
	if got := ran(t, ws, sh("git status --porcelain; test -h sub && rm sub; grep -r "+secret+" .")); strings.Contains(got.Output, secret) {
		t.Errorf("what is outside is in the clone: %s", got.Output)
	}
	if got := read(t, filepath.Join(outside, "lib.go")) + names(t, outside); got != secret+"lib.go new.go" {
		t.Errorf("what is outside was changed: %s", got)
	}
}

func TestRun_hasNothingButWhatTheCommandNames(t *testing.T) {
	t.Setenv("ROUNDTABLE_TEST_KEY", secret)
	ws := cloned(t, repository(t))
	c := tools.Command{Argv: []string{"/usr/bin/env"}, Env: []string{"A=1", "B=two words"}}
	if got := ran(t, ws, c); !strings.HasPrefix(got.Output, "A=1\nB=two words\nROUNDTABLE_PROGRAM=") || strings.Count(got.Output, "\n") != 3 {
		t.Errorf("environment: %q", got.Output)
	}
	got := ran(t, ws, tools.Command{Argv: []string{"/usr/bin/env"}})
	if !strings.HasPrefix(got.Output, "ROUNDTABLE_PROGRAM=") || strings.Count(got.Output, "\n") != 1 {
		t.Errorf("no environment: %q", got.Output)
	}
	if got := ran(t, ws, sh("cat; (: > /dev/tty) 2>/dev/null || echo no terminal; exit 7")); got.Output != "no terminal\n" || got.Exit != 7 {
		t.Errorf("input and terminal: %+v", got)
	}
	if got := ran(t, ws, sh("kill -9 $$")); got.Exit != 137 {
		t.Errorf("exit code of a killed command: %d", got.Exit)
	}
	got = ran(t, ws, tools.Command{Argv: []string{"printf", "%s|", "a b", "$(id)", "`id`", "*", ";", ">x"}, Env: environment})
	if got.Output != "a b|$(id)|`id`|*|;|>x|" {
		t.Errorf("a shell read the arguments: %q", got.Output)
	}
	for _, argv := range [][]string{{""}, {"no-such-program"}, {"./no-such-file"}, {"/"}} {
		if _, err := ws.Run(t.Context(), tools.Command{Argv: argv, Env: environment}); err == nil {
			t.Errorf("%q ran", argv)
		}
	}
}

func TestRun_keepsHeadAndTailOfTheOutput(t *testing.T) {
	ws := cloned(t, repository(t))
	for _, c := range []struct {
		name, script, head, tail string
		cut                      bool
		bytes                    int64
	}{
		{"short", "echo out; echo err >&2; printf 'a\\r\\nb\\033[m'", "out\nerr\n", "a\nb\u241b[m", false, 17},
		{"9,900 characters", "head -c 9900 /dev/zero | tr '\\0' x", "x", "x", false, 9_900},
		{"one more", "head -c 9901 /dev/zero | tr '\\0' x", "x", "x", true, 9_901},
		{"of four bytes", "echo begin; yes 😀 | head -20000; echo end", "begin\n", "\nend\n", true, 6 + 20_000*5 + 4},
		{"long", "echo begin; yes | head -c 50000000; echo end", "begin\ny\n", "y\nend\n", true, 50_000_010},
		{"binary", "echo begin; head -c 1000000 /dev/zero; printf '\\377\\376end'", "begin\n", "\ufffd\ufffdend", true, 1_000_011},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ran(t, ws, sh(c.script))
			n := utf8.RuneCountInString(got.Output)
			whole := strings.HasPrefix(got.Output, c.head) && strings.HasSuffix(got.Output, c.tail)
			if n > 10_000 || !whole || !utf8.ValidString(got.Output) {
				t.Errorf("%d characters: %.40q ... %q", n, got.Output, got.Output[max(0, len(got.Output)-20):])
			}
			note := fmt.Sprintf("\n[%d bytes left out]\n", got.Cut)
			if (got.Cut > 0) != c.cut || strings.Contains(got.Output, note) != c.cut {
				t.Errorf("%d bytes are left out", got.Cut)
			}
			if total := int64(len(got.Output)-len(note)) + got.Cut; c.cut && c.name != "binary" && total != c.bytes {
				t.Errorf("%d bytes are shown or left out, want %d", total, c.bytes)
			}
		})
	}
}

func TestRun_memoryIsBoundedHoweverMuchACommandWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 1 GB")
	}
	ws := cloned(t, repository(t))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := ran(t, ws, sh("head -c 1000000000 /dev/zero"))
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 8<<20 || got.Cut < 999_000_000 {
		t.Errorf("allocated %d bytes; %d are left out", allocated, got.Cut)
	}
}

// fifo returns the path of a FIFO, and what a command and its children write to it. All
// of them hold it open, so that it ends when the last of them is gone.
func fifo(t testing.TB, dir string) (path string, written <-chan *bufio.Reader) {
	t.Helper()
	path = filepath.Join(dir, "fifo")
	must.Do(t, syscall.Mkfifo(path, 0o600))
	opened := make(chan *bufio.Reader, 1)
	go func() {
		f, err := os.Open(path) // waits for a writer
		if err != nil {
			t.Error(err)
		}
		t.Cleanup(func() { f.Close() })
		f.SetReadDeadline(time.Now().Add(time.Minute)) // only a failing test waits that long
		opened <- bufio.NewReader(f)
	}()
	return path, opened
}

func TestRun_whenItsContextEndsTheWholeGroupIsGone(t *testing.T) {
	ws := cloned(t, repository(t))
	path, written := fifo(t, t.TempDir())
	// The command ignores requests to end, as its children and grandchildren do.
	script := `exec 9> ` + path + `
trap '' TERM HUP INT
(
	trap '' TERM HUP INT
	sh -c 'trap "" TERM HUP INT; echo grandchild >&9; while :; do sleep 100; done' &
	echo child >&9
	sleep 1000
) &
echo started
echo command >&9
while :; do sleep 100; done`
	stopAfter(t, ws, script, written, 3)
}

// stopAfter stops a command once so many lines were written, which leaves nothing that could write.
func stopAfter(t *testing.T, ws tools.Workspace, script string, written <-chan *bufio.Reader, lines int) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("the user stopped it")
	readers := make(chan *bufio.Reader, 1)
	go func() {
		r := <-written
		for range lines {
			if _, err := r.ReadString('\n'); err != nil {
				t.Error(err)
			}
		}
		readers <- r
		cancel(stop)
	}()
	got, err := ws.Run(ctx, sh(script))
	if !errors.Is(err, stop) || got.Output != "started\n" {
		t.Errorf("err = %v, output %q", err, got.Output)
	}
	if rest, err := io.ReadAll(<-readers); err != nil {
		t.Errorf("a process of the command is left: %v, %q", err, rest)
	}
}

func TestRun_whenItEndsNothingGoesOn(t *testing.T) {
	for place, script := range map[string]string{"the background": "sleep 1000 &", "another session": "setsid sh -c 'sleep 1000 &';"} {
		t.Run(place, func(t *testing.T) {
			if _, err := exec.LookPath("setsid"); strings.HasPrefix(script, "setsid") && (err != nil || runtime.GOOS != "linux") {
				t.Skip("there is no setsid, or nothing finds what it starts")
			}
			ws := cloned(t, repository(t))
			path, written := fifo(t, t.TempDir())
			if got := ran(t, ws, sh("exec 9> "+path+"; "+script+" echo done")); got.Output != "done\n" {
				t.Errorf("output %q", got.Output)
			}
			if rest, err := io.ReadAll(<-written); err != nil {
				t.Errorf("a process of the command is left in %s: %v, %q", place, err, rest)
			}
		})
	}
}

func TestRun_doesNotStartOnceItsContextHasEnded(t *testing.T) {
	ws := cloned(t, repository(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ws.Run(ctx, sh("touch started")); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if _, err := os.Stat(filepath.Join(ws.Info().Dir, "started")); err == nil {
		t.Error("the command was started")
	}
}
