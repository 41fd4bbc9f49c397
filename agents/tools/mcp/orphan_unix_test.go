//go:build unix

package mcp_test

import (
	"os"
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
			o := mcp.Options{Env: os.LookupEnv, Approvals: &approvals{}}
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
			raw, err := os.ReadFile(config.Env["PIDS"])
			if err != nil && !strings.HasPrefix(kind, "hangs") { // that may be stopped before it has begun
				t.Fatal(err)
			}
			for _, field := range strings.Fields(string(raw)) {
				pid, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				awaitGone(t, pid)
			}
		})
	}
}

// awaitGone waits until a process is gone: one whose parent has ended is removed by init,
// a moment after it was killed.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if syscall.Kill(pid, 0) != nil || isZombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// isZombie reports whether a process has ended and nobody has asked for its exit code.
func isZombie(pid int) bool {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(raw), ") Z ")
}
