package process_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/process"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/processtest"
)

// A program that is killed cannot end what its agents have started: the guard, whose input
// ends with it, does.
func TestGuard_endsWhatAnAgentHasStarted(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	const script = `setsid sleep 600 & echo $! > "$1"; wait`
	for name, ends := range map[string]func(*testing.T, *io.PipeWriter, string){
		"the program is killed": func(t *testing.T, input *io.PipeWriter, mark string) {
			if _, err := io.WriteString(input, mark+"\n"); err != nil {
				t.Fatal(err)
			}
		},
		"it says nothing": func(*testing.T, *io.PipeWriter, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(pids)
			agent := exec.Command("sh", "-c", script, "sh", pids)
			tree := process.NewTree(agent)
			agent.Env = append(agent.Env, "PATH="+os.Getenv("PATH"))
			must.Do(t, tree.Start())
			defer tree.Kill()
			mark := ""
			for _, v := range agent.Env {
				if strings.HasPrefix(v, "ROUNDTABLE_PROGRAM=") {
					mark = v
				}
			}
			for len(processtest.Noted(t, pids)) == 0 { // it is about to be there
				must.Do(t, exec.Command("sleep", "0.01").Run())
			}
			started := processtest.Noted(t, pids)
			input, guarded := io.Pipe()
			done := make(chan error)
			go func() { done <- process.Guard(input) }()
			ends(t, guarded, mark)
			must.Do(t, agent.Process.Kill())
			_ = agent.Wait()
			if !processtest.Runs(started[0]) {
				t.Fatal("it ended by itself")
			}
			_ = guarded.Close()
			if err := <-done; (err == nil) != (name == "the program is killed") {
				t.Fatalf("the guard says %v", err)
			}
			if name == "the program is killed" {
				processtest.AwaitEnd(t, started...)
			} else if !processtest.Runs(started[0]) {
				t.Error("a guard that was told nothing ended something")
			}
		})
	}
}
