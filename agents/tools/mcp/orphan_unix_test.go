//go:build unix

package mcp_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"roundtable/agents/tools/mcp"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/processtest"
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
				call(t, all, one.Spec.Name, "a")
			}
			must.Do(t, s.Close())
			mayBeEarly := strings.HasPrefix(kind, "hangs") // and be stopped before it has begun
			if all := processtest.Noted(t, config.Env["PIDS"]); len(all) == 0 && !mayBeEarly {
				t.Error("the server did not run")
			} else {
				processtest.AwaitEnd(t, all...)
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
		program := must.Get(os.Executable())(t)
		path := filepath.Join(t.TempDir(), "pids")
		host := exec.Command(program)
		host.Env = append(os.Environ(), hostVariable+"="+kind, "PIDS="+path)
		out := must.Get(host.StdoutPipe())(t)
		must.Do(t, host.Start())
		ready, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || ready != "ready [] <nil>\n" {
			t.Errorf("%s: %q, %v", kind, ready, err)
		}
		must.Do(t, host.Process.Kill())
		_ = host.Wait() // it was killed
		processtest.AwaitEnd(t, processtest.Noted(t, path)...)
	}
}
