//go:build unix

package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

// names returns what is in a folder.
func names(t testing.TB, dir string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestNew_refusesWhatCannotWork(t *testing.T) {
	dir, base := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"file": ""})
	good := workspace.Options{Dir: dir, Mode: workspace.Local, Base: base}
	for _, c := range []struct {
		name   string
		change func(*workspace.Options)
		want   string
	}{
		{"no mode", func(o *workspace.Options) { o.Mode = "" }, "no mode of a workspace"},
		{"unknown mode", func(o *workspace.Options) { o.Mode = "vm" }, `"vm" is no mode`},
		{"unknown program", func(o *workspace.Options) { o.Mode, o.Container = workspace.Container, "chroot" }, `"chroot" is no program`},
		{"no image", func(o *workspace.Options) { o.Mode, o.Container = workspace.Container, workspace.Podman }, "needs an image"},
		{"an image that is an option", func(o *workspace.Options) {
			o.Mode, o.Container, o.Image = workspace.Container, workspace.Docker, "--privileged"
		}, "is no image"},
		{"relative folder", func(o *workspace.Options) { o.Dir = "." }, "no absolute path"},
		{"missing folder", func(o *workspace.Options) { o.Dir = filepath.Join(dir, "missing") }, "cannot be opened"},
		{"a file", func(o *workspace.Options) { o.Dir = filepath.Join(dir, "file") }, "is not a folder"},
		{"the whole system", func(o *workspace.Options) { o.Dir = "/" }, "the whole file system"},
	} {
		o := good
		c.change(&o)
		if _, err := workspace.New(o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New with %s: err = %v, want %q", c.name, err, c.want)
		}
		if err := workspace.Check(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Check with %s: err = %v, want %q", c.name, err, c.want)
		}
	}
	if err := workspace.Check(t.Context(), good); err != nil || names(t, base) != "" {
		t.Errorf("Check: %v; made %q", err, names(t, base))
	}
}

func TestCheck_saysWhatToInstallOrConfigure(t *testing.T) {
	repo := repository(t)
	o := workspace.Options{Dir: t.TempDir(), Mode: workspace.Clone, Base: t.TempDir()}
	if err := workspace.Check(t.Context(), o); err == nil || !strings.Contains(err.Error(), "is in no git repository") {
		t.Errorf("no repository: %v", err)
	}
	if _, err := manager(t, o).Workspace(t.Context(), "ada"); err == nil || !strings.Contains(err.Error(), "is in no git repository") {
		t.Errorf("no repository: %v", err)
	}
	must.Do(t, os.WriteFile(filepath.Join(o.Dir, ".git"), []byte("gitdir: /nowhere/.git/worktrees/x\n"), 0o600))
	if err := workspace.Check(t.Context(), o); err == nil || !strings.Contains(err.Error(), "/nowhere/.git/worktrees/x") {
		t.Errorf("a worktree whose repository is gone: %v", err)
	}
	o.Dir, o.Mode, o.Container, o.Image = repo, workspace.Container, workspace.Docker, "debian"
	git := must.Get(exec.LookPath("git"))(t)
	bin := t.TempDir()
	must.Do(t, os.Symlink(git, filepath.Join(bin, "git")))
	t.Setenv("PATH", bin)
	for program, want := range map[string]string{
		workspace.Docker:     "docker is not installed; install it (bwrap is in bubblewrap, prlimit in util-linux), or set container in [tools] to another program",
		workspace.Podman:     "podman is not installed",
		workspace.Bubblewrap: "bwrap is not installed; install it (bwrap is in bubblewrap, prlimit in util-linux), or set container in [tools] to another program",
	} {
		o.Container = program
		err := workspace.Check(t.Context(), o)
		if mode := workspace.Check(t.Context(), workspace.Options{Mode: o.Mode, Container: program, Image: o.Image}); mode == nil ||
			err == nil || mode.Error() != err.Error() {
			t.Errorf("Check without a folder: %v, with one: %v", mode, err)
		}
		if program == workspace.Bubblewrap && err != nil && strings.Contains(err.Error(), "for Linux only") {
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "does not work here") {
			t.Errorf("Check: %v, want %q", err, want)
		}
		ws := of(t, manager(t, o), "ada")
		if _, err := ws.Run(t.Context(), tools.Command{Argv: []string{"true"}}); err == nil || !strings.Contains(err.Error(), "not installed") {
			t.Errorf("without %s a command runs: %v", program, err)
		}
	}
	for name, script := range map[string]string{
		"bwrap": "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n", "prlimit": "#!/bin/sh\nexit 0\n",
		"docker": "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2; exit 125\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700))
	}
	for program, want := range map[string][]string{
		workspace.Bubblewrap: {"No permissions to create new namespace", "Allow user namespaces for bwrap"},
		workspace.Docker:     {"Cannot connect to the Docker daemon", "docker pull debian"},
	} {
		o.Container = program
		err := workspace.Check(t.Context(), o)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) && !strings.Contains(err.Error(), "for Linux only") {
				t.Errorf("Check: %v, want %q", err, w)
			}
		}
	}
}

func TestManager_removesTheSessionsFolder(t *testing.T) {
	base := t.TempDir()
	m := must.Get(workspace.New(workspace.Options{Dir: repository(t), Mode: workspace.Clone, Base: base}))(t)
	ws := of(t, m, "ada")
	temp, err := m.TempDir("r1.s0.ada.a1.t1")
	if err != nil || !strings.HasPrefix(temp, base) {
		t.Fatalf("temporary folder %s: %v", temp, err)
	}
	for _, id := range []string{"../../x", "a/b", "", ".", "..", "r1.s0.ada.a1.t1"} {
		if dir, err := m.TempDir(id); err == nil {
			t.Errorf("the folder %s was made for the call %q", dir, id)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, filepath.Dir(outside), map[string]string{"outside": "kept"})
	ran(t, ws, sh("mkdir -p closed/deep && touch closed/deep/x && ln -s "+filepath.Dir(outside)+" closed/link && chmod 0 closed/deep closed"))
	if got := strings.Fields(names(t, base)); len(got) != 2 || got[1] != got[0]+".lock" {
		t.Errorf("folder: %s", got)
	}
	must.Do(t, errors.Join(m.Close(), m.Close()))
	if _, err := m.Workspace(t.Context(), "brook"); err == nil {
		t.Error("a workspace was made after the end")
	}
	if _, err := m.TempDir("later"); err == nil {
		t.Error("a temporary folder was made after the end")
	}
	if got := names(t, base); got != "" {
		t.Errorf("left: %s", got)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a link was followed by the removal")
	}
}

func TestNew_removesWhatCrashedSessionsLeft(t *testing.T) {
	base := t.TempDir()
	o := workspace.Options{Dir: t.TempDir(), Mode: workspace.Local, Base: base}
	manager(t, o)
	running := names(t, base)
	write(t, base, map[string]string{
		"debate-new.lock": "", "debate-crashed.lock": "", "debate-crashed/clones/ada/f.txt": "x", "foreign/f.txt": "x", "notes.txt": "x", "a b.lock": "", "a b/x": "x",
	})
	before := time.Now().Add(-time.Minute)
	must.Do(t, os.Chtimes(filepath.Join(base, "debate-crashed.lock"), before, before))
	workspace.RemoveStale(base)
	if got, want := names(t, base), "a b a b.lock "+running+" debate-new.lock foreign notes.txt"; got != want {
		t.Errorf("folder: %s, want %s", got, want)
	}
}

func TestManager_makesOneCloneForEachAgentAtTheSameTime(t *testing.T) {
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone})
	var wait sync.WaitGroup
	dirs := make([]string, 16)
	for i := range dirs {
		wait.Go(func() {
			ws, err := m.Workspace(t.Context(), agents.ID(fmt.Sprintf("seat-%d", i/4)))
			if err != nil {
				t.Error(err)
				return
			}
			dirs[i] = ws.Info().Dir
		})
	}
	wait.Wait()
	seen := map[string]bool{}
	for i, d := range dirs {
		if d != dirs[i/4*4] {
			t.Errorf("seat-%d has %s and %s", i/4, d, dirs[i/4*4])
		}
		seen[d] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d clones, want 4", len(seen))
	}
}

func TestManager_aCloneThatWasStoppedIsMadeAgain(t *testing.T) {
	m := manager(t, workspace.Options{Dir: repository(t), Mode: workspace.Clone})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Workspace(ctx, "ada"); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	contains(t, succeed(t, of(t, m, "ada"), "read_file", map[string]any{"path": "main.go"}), "changed")
}

// TestEngines_isolateACommand runs a program in the place of docker and podman that
// writes down its arguments and runs the command without any container.
func TestEngines_isolateACommand(t *testing.T) {
	for _, program := range []string{workspace.Docker, workspace.Podman} {
		t.Run(program, func(t *testing.T) {
			bin, repo := t.TempDir(), repository(t)
			script := `#!/bin/sh
printf '%s\n' "$@" >> ` + bin + `/arguments
[ "$1" = run ] || exit 0
while [ "$1" != --env-file ]; do shift; done
cat "$2" > ` + bin + `/environment
while [ "$1" != IMAGE ]; do shift; done
shift
exec "$@"
`
			must.Do(t, os.WriteFile(filepath.Join(bin, program), []byte(script), 0o700))
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			t.Setenv("ROUNDTABLE_TEST_KEY", secret)
			m := manager(t, workspace.Options{
				Dir: repo, Mode: workspace.Container, Container: program, Image: "IMAGE", Limits: workspace.Limits{Processes: 7},
			})
			ws := of(t, m, "ada")
			temp := must.Get(m.TempDir("call"))(t)
			c := tools.Command{
				Argv: []string{"sh", "-c", "env; echo hers > written.txt; exit 3"},
				Env:  []string{"PATH=/nowhere", "HOME=" + temp}, TempDir: temp,
			}
			got := ran(t, ws, c)
			if got.Exit != 3 || strings.Contains(got.Output, secret) {
				t.Errorf("%+v", got)
			}
			arguments := read(t, filepath.Join(bin, "arguments"))
			contains(t, arguments,
				"run\n--rm\n", "--network\nnone\n", "--read-only\n", "--cap-drop\nALL\n", "no-new-privileges\n", "--pids-limit\n7\n",
				"--memory\n2147483648\n--memory-swap\n2147483648\n", "--ulimit\ncpu=600:600\n", "--pull\nnever\n", "--entrypoint\n\n",
				"--workdir\n"+ws.Info().Dir+"\n", "--mount\ntype=bind,source="+ws.Info().Dir+",target="+ws.Info().Dir+"\n",
				"--mount\ntype=bind,source="+temp+",target="+temp+"\nIMAGE\nsh\n-c\n",
			)
			if strings.Contains(arguments, repo) || strings.Contains(arguments, temp+"\n--") {
				t.Errorf("the repository is mounted: %s", arguments)
			}
			env := read(t, filepath.Join(bin, "environment"))
			if !strings.Contains(env, "HOME="+temp) || strings.Contains(env, "/nowhere") || !strings.Contains(env, "https_proxy=\n") {
				t.Errorf("environment: %s", env)
			}
			if got := names(t, filepath.Dir(filepath.Dir(ws.Info().Dir))); got != "clones tmp" {
				t.Errorf("left in the session's folder: %s", got)
			}

			ctx, cancel := context.WithCancel(t.Context())
			path, written := fifo(t, t.TempDir())
			go func() { (<-written).ReadString('\n'); cancel() }()
			c.Argv = []string{"sh", "-c", "exec 9> " + path + "; echo up >&9; while :; do sleep 100; done"}
			if _, err := ws.Run(ctx, c); !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v", err)
			}
			arguments = strings.TrimPrefix(read(t, filepath.Join(bin, "arguments")), arguments)
			_, name, _ := strings.Cut(arguments, "--name\n")
			name, _, _ = strings.Cut(name, "\n")
			if !strings.HasSuffix(arguments, "\nkill\n"+name+"\nrm\n--force\n"+name+"\n") || !strings.HasPrefix(name, "roundtable-") {
				t.Errorf("the container %q is not removed: %s", name, arguments)
			}
		})
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	raw := must.Get(os.ReadFile(path))(t)
	return string(raw)
}
