//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"roundtable/internal/headless/headlesstest"
)

// hanging configures one seat that answers and one that never ends.
const hanging = `[providers.work]
base_url = %q
[[agents]]
id = "ada"
provider = "work"
model = "good-1"
[[agents]]
id = "brook"
provider = "work"
model = %q
`

// program returns a command of the program in a home of its own.
func program(home string, args ...string) *exec.Cmd {
	cmd := exec.Command("roundtable", args...)
	cmd.Env = os.Environ()
	for k, v := range homeEnv(home) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

func configure(t *testing.T, home, url, model string) string {
	t.Helper()
	path := filepath.Join(home, "config.toml")
	if err := os.WriteFile(path, fmt.Appendf(nil, hanging, url+"/v1", model), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSignal_savesTheSessionAndExitsWith128AndItsNumber(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			home, server := t.TempDir(), newModels()
			defer server.Close()
			config := configure(t, home, server.URL, "hangs-1")
			cmd := program(home, "run", "Should we?", "--config", config, "--agents", "ada,brook", "--json")
			var out, complaints bytes.Buffer
			cmd.Stderr = &complaints
			pipe, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-server.asked // both seats have been asked,
			<-server.asked
			lines := bufio.NewReader(pipe)
			for !bytes.Contains(out.Bytes(), []byte("agent.finished")) { // and one has ended
				line, err := lines.ReadBytes('\n')
				out.Write(line)
				if err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
			}
			sent := time.Now()
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if _, err := out.ReadFrom(lines); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(sig) {
				t.Fatalf("got %v, want exit code %d\n%s", err, 128+int(sig), complaints.String())
			}
			if took := time.Since(sent); took > 10*time.Second {
				t.Errorf("it took %s to end", took)
			}
			events, err := headlesstest.Validate(out.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if last := events[len(events)-1]; last["type"] != "session.paused" {
				t.Errorf("the last event is %v", last)
			}
			if strings.Contains(complaints.String(), "goroutine") {
				t.Errorf("it dumped its stack: %s", complaints.String())
			}
			checkContinues(t, home, config, events[0]["session"].(string))
		})
	}
}

// checkContinues plays the rest of an interrupted session: who was done is not asked
// again, and who was cut off starts anew.
func checkContinues(t *testing.T, home, config, id string) {
	t.Helper()
	out, err := program(home, "continue", id, "--config", config, "--json").Output()
	if err != nil {
		t.Fatalf("continue: %v\n%s", err, out)
	}
	lines, err := headlesstest.Validate(out)
	if err != nil {
		t.Fatal(err)
	}
	started := map[string]float64{} // in round 1, with the attempt
	for _, l := range lines {
		if l["type"] == "agent.started" && l["round"] == 1.0 {
			started[l["agent"].(string)] = l["attempt"].(float64)
		}
	}
	if want := map[string]float64{"brook": 2}; !maps.Equal(started, want) {
		t.Errorf("asked again in round 1: %v, want %v", started, want)
	}
}

func TestSignal_isLeftAloneWhereItIsIgnored(t *testing.T) {
	home, server := t.TempDir(), newModels()
	defer server.Close()
	config := configure(t, home, server.URL, "hangs-1")
	// As nohup does: the shell ignores HUP, and so does whatever it starts.
	cmd := program(home)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	cmd.Path, cmd.Args = shell, []string{
		"sh", "-c",
		`trap "" HUP; exec roundtable run "Should we?" --config "$0" --agents ada,brook`, config,
	}
	cmd.Err = nil
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-server.asked
	<-server.asked
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("got %v, want the exit code of TERM alone", err)
	}
}
