//go:build linux

package workspace_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"roundtable/agents/tools"
	"roundtable/agents/tools/workspace"
	"roundtable/internal/testing/must"
)

// contained returns the workspaces of a session whose commands run in bubblewrap.
func contained(t *testing.T, limits workspace.Limits) *workspace.Manager {
	t.Helper()
	o := workspace.Options{
		Dir: repository(t), Mode: workspace.Container, Base: t.TempDir(), Container: workspace.Bubblewrap, Limits: limits,
	}
	if err := workspace.Check(t.Context(), o); err != nil {
		if strings.Contains(err.Error(), "does not isolate") {
			t.Fatal(err)
		}
		t.Skipf("no container can be made here: %v", err)
	}
	return manager(t, o)
}

func TestBubblewrap_keepsACommandFromEverythingButItsClone(t *testing.T) {
	t.Setenv("ROUNDTABLE_TEST_KEY", secret)
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, filepath.Dir(outside), map[string]string{"outside": secret})
	srv := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Addr().String())
	m := contained(t, workspace.Limits{})
	ws := of(t, m, "ada")
	temp := must.Get(m.TempDir("r1.s0.ada.a1.t1"))(t)
	in := func(script string) tools.CommandResult {
		c := tools.Command{
			Argv: []string{"bash", "-c", script}, TempDir: temp,
			Env: append([]string{"HOME=" + temp, "TMPDIR=" + temp}, environment...),
		}
		return ran(t, ws, c)
	}
	for _, c := range []struct{ name, script, want string }{
		{"its files", "cat main.go; git log --format=%s", "package main // changed\nfirst\n"},
		{"a file outside", "cat " + outside + " 2>&1 | grep -c SECRET", "0\n"},
		{"the repository", "ls " + ws.Info().Source + " 2>&1 | grep -c main.go", "0\n"},
		{"homes", "ls -A /root /home 2>/dev/null", ""},
		{"passwords", "cat /etc/shadow 2>/dev/null", ""},
		{"a server of this machine", "(: < /dev/tcp/127.0.0.1/" + port + ") 2>/dev/null && echo reached", ""},
		{"interfaces", "grep -c : /proc/net/dev", "1\n"},
		{"processes", "ls -d /proc/[0-9]* | wc -l | xargs test 8 -gt && echo few", "few\n"},
		{"the root", "for d in / /usr /etc /tmp/.. /dev /proc/sys /run /var; do (: > $d/x) 2>/dev/null && echo wrote $d; done", ""},
		{"the clone", "echo hers > written.txt && cat written.txt", "hers\n"},
		{"temporary files", "echo t > $TMPDIR/t && cat ~/t", "t\n"},
		{"privileges", "grep CapEff /proc/self/status | tr -d '[:space:]0'", "CapEff:"},
		{"new privileges", "grep NoNewPrivs /proc/self/status | tr -d '[:space:]'", "NoNewPrivs:1"},
		{"terminal", "(: > /dev/tty) 2>/dev/null || echo none", "none\n"},
	} {
		if got := in(c.script); got.Output != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.Output, c.want)
		}
	}
	if got := in("env"); strings.Contains(got.Output, secret) || strings.Contains(got.Output, "KEY=") || !strings.Contains(got.Output, "HOME="+temp) {
		t.Errorf("env: %s", got.Output)
	}
	if got := in("exit 9"); got.Exit != 9 {
		t.Errorf("exit code %d, want 9", got.Exit)
	}
	contains(t, succeed(t, ws, "read_file", map[string]any{"path": "written.txt"}), "hers")
	brook := of(t, m, "brook")
	if _, err := call(t, brook, "read_file", map[string]any{"path": "written.txt"}); err == nil {
		t.Error("another agent sees what a command wrote")
	}
	if got := ran(t, brook, sh("cat "+ws.Info().Dir+"/written.txt 2>&1")); got.Exit == 0 || strings.Contains(got.Output, "hers") {
		t.Errorf("a command of another agent sees it: %s", got.Output)
	}
	if info := ws.Info(); info.Mode != "container" || info.Container != "bubblewrap" {
		t.Errorf("info: %+v", info)
	}
}

// probes are places outside of a clone that a command may try to write. None is harmed if
// one opens: the command opens without writing, or makes an empty file.
func probes(repository, outside string) []string {
	return []string{
		"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname", "/proc/sys/kernel/modprobe",
		"/proc/sys/kernel/sysrq", "/proc/sys/kernel/panic", "/proc/sys/kernel/randomize_va_space", "/proc/sys/kernel/pid_max",
		"/proc/sys/kernel/shmmax", "/proc/sys/kernel/msgmax", "/proc/sys/vm/drop_caches", "/proc/sys/vm/swappiness",
		"/proc/sys/vm/overcommit_memory", "/proc/sys/fs/file-max", "/proc/sys/fs/suid_dumpable", "/proc/sys/fs/protected_symlinks",
		"/proc/sys/net/ipv4/ip_forward", "/proc/sysrq-trigger", "/proc/1/oom_score_adj", "/proc/irq/default_smp_affinity",
		"/sys/kernel/uevent_helper", "/sys/power/state", "/dev/mem", "/dev/kmsg", "/dev/roundtable-probe", "/etc/passwd",
		"/etc/roundtable-probe", "/usr/roundtable-probe", repository + "/main.go", outside,
	}
}

func TestBubblewrap_writesNothingOutsideItsClone(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, filepath.Dir(outside), map[string]string{"outside": "as it was"})
	ws := of(t, contained(t, workspace.Limits{}), "ada")
	all := probes(ws.Info().Source, outside)
	if len(all) != 30 {
		t.Fatalf("%d probes", len(all))
	}
	script := "for f in " + strings.Join(all, " ") + `; do (: 3>>"$f") 2>/dev/null && echo "$f"; done; (: 3>>inside) && echo inside`
	if got := ran(t, ws, sh(script)); got.Output != "inside\n" {
		t.Errorf("user %d can write:\n%s", os.Getuid(), got.Output)
	}
}

// TestBubblewrap_holdsForAnotherUser runs the probes again as nobody where the tests run as root.
func TestBubblewrap_holdsForAnotherUser(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if os.Getuid() != 0 || err != nil {
		t.Skip("needs root and setpriv")
	}
	home := must.Get(os.MkdirTemp("/tmp", "roundtable-nobody-"))(t)
	t.Cleanup(func() { os.RemoveAll(home) })
	self := must.Get(os.ReadFile("/proc/self/exe"))(t)
	program := filepath.Join(home, "workspace.test")
	must.Do(t, errors.Join(os.WriteFile(program, self, 0o755), os.Chmod(home, 0o777)))
	cmd := exec.CommandContext(t.Context(), setpriv, "--reuid=65534", "--regid=65534", "--clear-groups",
		program, "-test.run=^TestBubblewrap_writesNothing", "-test.v")
	cmd.Dir, cmd.Env = home, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home}
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skipf("no container can be made as another user: %s", out)
	case !strings.Contains(string(out), "--- PASS"):
		t.Errorf("nothing was tested: %s", out)
	}
}

func TestCheck_refusesAContainerThatDoesNotIsolate(t *testing.T) {
	bin := t.TempDir()
	for name, script := range map[string]string{
		"bwrap": "#!/bin/sh\necho /proc/sys/kernel/core_pattern; exit 91\n", "prlimit": "#!/bin/sh\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700))
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	err := workspace.Check(t.Context(), workspace.Options{Mode: workspace.Container, Container: workspace.Bubblewrap})
	if err == nil || !strings.Contains(err.Error(), "bubblewrap does not isolate commands here: a command can write /proc/sys/kernel/core_pattern") {
		t.Errorf("Check without a folder: %v", err)
	}
}

func TestBubblewrap_limitsMemoryAndTime(t *testing.T) {
	if testing.Short() {
		t.Skip("computes for a second")
	}
	ws := of(t, contained(t, workspace.Limits{Memory: 256 << 20, CPU: time.Second, Processes: 20}), "ada")
	got := ran(t, ws, sh("ulimit -v; ulimit -t; ulimit -c; head -c 400000000 /dev/zero | tail -c 390000000 | wc -c"))
	if !strings.HasPrefix(got.Output, "262144\n1\n0\n") || strings.Contains(got.Output, "390000000") {
		t.Errorf("limits: %s", got.Output)
	}
	if got := ran(t, ws, sh("while :; do :; done")); got.Exit != 137 && got.Exit != 152 {
		t.Errorf("a command that computes without end: %+v", got)
	}
	if os.Getuid() == 0 {
		t.Log("the system does not limit the processes of root")
		return
	}
	if got := ran(t, ws, sh("for i in $(seq 100); do sleep 1000 & done; echo started")); !strings.Contains(got.Output, "fork") {
		t.Errorf("100 processes were started: %s", got.Output)
	}
}

func TestBubblewrap_endsWithAllProcesses(t *testing.T) {
	m := contained(t, workspace.Limits{})
	ws := of(t, m, "ada")
	path, written := fifo(t, ws.Info().Dir)
	// A session of its own takes a process out of the group of its command.
	stopAfter(t, ws, "exec 9> "+path+`
		trap '' TERM HUP
		setsid sh -c 'trap "" TERM HUP; echo up >&9; sleep 1000' &
		echo started; sleep 1000`, written, 1)
}
