//go:build unix

package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/headlesstest"
	"roundtable/internal/testing/must"
)

// ending are the signals that end the program.
var ending = []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT}

// hanging starts a server at which m1 answers, and m2 begins to when it is first asked. It
// returns the configuration, and what is closed when m2 is asked: m1 may be asked twice
// before that, once for its statement and once for the block that the statement lacks.
func hanging(t *testing.T) (config string, asked <-chan struct{}) {
	t.Helper()
	begun, calls := make(chan struct{}), atomic.Int32{}
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "m1" || calls.Add(1) > 1 {
			return endpoint.Reply{Text: "We should wait."}
		}
		close(begun)
		return endpoint.Reply{Serve: func(w http.ResponseWriter, r *http.Request) {
			endpoint.Stream(w, `{"choices":[{"index":0,"delta":{"content":"I begin to "},"finish_reason":null}]}`)
			select {
			case <-r.Context().Done():
			case <-t.Context().Done():
			}
		}}
	})
	return panelOf(t, srv.URL, 2), begun
}

// endedBy waits for a command and fails unless it exits as after a signal.
func endedBy(t *testing.T, cmd *exec.Cmd, sig syscall.Signal, said func() string) {
	t.Helper()
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(sig) {
		t.Fatalf("got %v, want exit code %d\n%s", err, 128+int(sig), said())
	}
}

func TestSignal_savesTheSessionAndExitsWith128AndItsNumber(t *testing.T) {
	for _, sig := range ending {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			env := home(t)
			config, asked := hanging(t)
			cmd := program(t, env, "run", "Should we?", "--config", config, "--json")
			var out, complaints bytes.Buffer
			cmd.Stderr = &complaints
			pipe, err := cmd.StdoutPipe()
			must.Do(t, err)
			must.Do(t, cmd.Start())
			<-asked // m2 has begun,
			lines := bufio.NewReader(pipe)
			for !bytes.Contains(out.Bytes(), []byte("agent.finished")) { // and m1 has ended
				line, err := lines.ReadBytes('\n')
				out.Write(line)
				if err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
			}
			sent := time.Now()
			must.Do(t, cmd.Process.Signal(sig))
			if _, err := out.ReadFrom(lines); err != nil {
				t.Fatal(err)
			}
			endedBy(t, cmd, sig, complaints.String)
			if took := time.Since(sent); took > 10*time.Second {
				t.Errorf("it took %s to end", took)
			}
			events, err := headlesstest.Validate(out.Bytes())
			must.Do(t, err)
			if last := events[len(events)-1]; last["type"] != "session.paused" {
				t.Errorf("the last event is %v", last)
			}
			if strings.Contains(complaints.String(), "goroutine") {
				t.Errorf("it dumped its stack: %s", complaints.String())
			}
			checkContinues(t, env, config, events[0]["session"].(string))
		})
	}
}

// checkContinues plays the rest of an interrupted session: the seat that was done is not
// asked again, and the one that was cut off makes another attempt.
func checkContinues(t *testing.T, env []string, config, id string) {
	t.Helper()
	out, err := program(t, env, "continue", id, "--config", config, "--json").Output()
	if err != nil {
		t.Fatalf("continue: %v\n%s", err, out)
	}
	lines, err := headlesstest.Validate(out)
	must.Do(t, err)
	started := map[string]float64{} // in round 1, with the attempt
	for _, l := range lines {
		if l["type"] == "agent.started" && l["round"] == 1.0 {
			started[l["agent"].(string)] = l["attempt"].(float64)
		}
	}
	if want := map[string]float64{"m2": 2}; !maps.Equal(started, want) {
		t.Errorf("asked again in round 1: %v, want %v", started, want)
	}
}

// TestSignal_twiceIsOnce signals as GNU timeout does, which signals its child and then the
// child's process group, after each line that a debate writes.
func TestSignal_twiceIsOnce(t *testing.T) {
	srv := endpoint.New(t, func(endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "Wait: nothing is known that would not be known tomorrow. POSITION: yes", Pace: time.Millisecond}
	})
	config, env := panelOf(t, srv.URL, 2), home(t)
	for i := range count(12, 1000) {
		sig := ending[i%len(ending)]
		cmd := program(t, env, "run", "Should we?", "--config", config, "--rounds", "2", "--json")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		var complaints, out bytes.Buffer
		cmd.Stderr = &complaints
		pipe, err := cmd.StdoutPipe()
		must.Do(t, err)
		must.Do(t, cmd.Start())
		lines := bufio.NewReader(pipe)
		read := func() {
			line, _ := lines.ReadBytes('\n') // nothing more comes after the end
			out.Write(line)
		}
		for range 1 + i*7%9 {
			read()
		}
		errs := []error{cmd.Process.Signal(sig)}
		for range i % 3 { // the signals differ in how close they are
			read()
		}
		errs = append(errs, syscall.Kill(-cmd.Process.Pid, sig))
		if _, err := out.ReadFrom(lines); err != nil {
			t.Fatal(err)
		}
		endedBy(t, cmd, sig, func() string { return fmt.Sprintf("run %d, signalled: %v\n%s", i, errs, complaints.String()) })
		events, err := headlesstest.Validate(out.Bytes())
		if err != nil {
			t.Fatalf("run %d: %v\n%s", i, err, complaints.String())
		}
		if kind := events[len(events)-1]["type"]; kind != "session.paused" && kind != "session.completed" && kind != "session.failed" {
			t.Errorf("run %d ended with %s", i, kind)
		}
	}
}

func TestSignal_isLeftAloneWhereItIsIgnored(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	config, asked := hanging(t)
	// As nohup does: the shell ignores HUP, and so does whatever it starts.
	cmd := program(t, home(t))
	cmd.Args = []string{"sh", "-c", `trap "" HUP; exec "$0" run "Should we?" --config "$1"`, cmd.Path, config}
	cmd.Path = shell
	must.Do(t, cmd.Start())
	<-asked
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		must.Do(t, cmd.Process.Signal(sig))
	}
	endedBy(t, cmd, syscall.SIGTERM, func() string { return "SIGHUP was heard" })
}
