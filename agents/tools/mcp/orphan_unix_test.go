//go:build unix

package mcp_test

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"roundtable/agents/tools/mcp"
)

func TestClose_leavesNoProcess(t *testing.T) {
	long(t)
	for _, kind := range []string{"plain", "ignores SIGTERM", "leaves a grandchild", "hangs at start", "hangs in a list", "dies in a call"} {
		t.Run(kind, func(t *testing.T) {
			o := mcp.Options{Env: os.LookupEnv, Approvals: &approvals{}, WithTimeout: patient}
			if strings.HasPrefix(kind, "hangs") {
				o.WithTimeout = short
			}
			config := hostile(t, kind)
			s := mcp.New(map[string]mcp.Config{"x": config}, o)
			all, _ := toolsOf(t, s)
			for _, one := range all {
				call(t, all, one.Spec().Name, "a")
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if all := pids(t, config.Env["PIDS"]); len(all) == 0 && !strings.HasPrefix(kind, "hangs") { // that may be stopped before it has begun
				t.Error("the server did not run")
			} else {
				awaitGone(t, all...)
			}
		})
	}
}

func TestServer_endsWithAProgramThatIsKilled(t *testing.T) {
	long(t)
	kinds := []string{"plain"}
	if runtime.GOOS == "linux" {
		kinds = append(kinds, "ignores SIGTERM") // and the end of its input
	}
	for _, kind := range kinds {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "pids")
		host := exec.Command(program)
		host.Env = append(os.Environ(), hostVariable+"="+kind, "PIDS="+path)
		out, err := host.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		ready, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || ready != "ready [] <nil>\n" {
			t.Errorf("%s: %q, %v", kind, ready, err)
		}
		if err := host.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = host.Wait() // it was killed
		awaitGone(t, pids(t, path)...)
	}
}

// pids returns the processes that servers have noted.
func pids(t *testing.T, path string) []int {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var all []int
	for _, field := range strings.Fields(string(raw)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pid)
	}
	return all
}

// awaitGone waits until processes are gone: one whose parent has ended is removed by init,
// a moment after it was killed.
func awaitGone(t *testing.T, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		for n := 0; syscall.Kill(pid, 0) == nil && !isZombie(pid); n++ {
			if n == 1000 {
				t.Fatalf("process %d is still there", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// isZombie reports whether a process has ended and nobody has asked for its exit code.
func isZombie(pid int) bool {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(raw), ") Z ")
}
