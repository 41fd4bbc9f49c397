//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// Ctrl+c ends an evaluation with a report on what there is.
func TestEval_reportsAfterCtrlC(t *testing.T) {
	var mu sync.Mutex
	var cmd *exec.Cmd
	requests := 0
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		mu.Lock()
		defer mu.Unlock()
		if requests++; requests == 20 { // of 36, in the fifth debate or later
			cmd.Process.Signal(os.Interrupt)
		}
		return endpoint.Reply{Text: yes}
	})
	config := seatedAt(t, srv.URL, "[defaults]\nrounds = 1\n[context]\nask_again = false\n", "", 2)
	var out bytes.Buffer
	mu.Lock()
	cmd = program(t, home(t), "--config", config, "eval", dataSet(t, 12))
	cmd.Stdout = &out
	err := cmd.Start()
	mu.Unlock()
	must.Do(t, err)
	_ = cmd.Wait() // see its exit code
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(out.String(), " of 12 questions played to the end") ||
		!strings.HasPrefix(out.String(), "The panel was right in ") {
		t.Errorf("exit code %d:\n%s", code, out.String())
	}
}

// yes is what every seat says.
const yes = "So.\n\n```json\n{\"position\": \"Yes.\", \"vote\": \"yes\", \"confidence\": 0.8}\n```"

// dataSet writes questions that are answered with yes, and returns the path of the file.
func dataSet(t *testing.T, questions int) string {
	t.Helper()
	var set bytes.Buffer
	for n := range questions {
		fmt.Fprintf(&set, `{"input": "Is %d so?", "target": "yes"}`+"\n", n)
	}
	path := filepath.Join(t.TempDir(), "set.jsonl")
	must.Do(t, os.WriteFile(path, set.Bytes(), 0o600))
	return path
}

// Two processes that play the same evaluation share its questions, until one and then the other is killed. Each question
// has one debate, only what was under way is paid for again, and a run after the last sends nothing.
func TestEval_playsEachQuestionOnceWhoeverIsKilled(t *testing.T) {
	const questions, calls = 24, 3 // of a debate: two seats and the chair
	var mu sync.Mutex              // of both commands
	var first, other *exec.Cmd
	var requests atomic.Int32
	begun, together := make(chan error, 1), make(chan struct{})
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		n := requests.Add(1)
		if n == 2 {
			select {
			case <-together:
			case <-time.After(patience): // the other has ended, see its state
			}
		}
		mu.Lock()
		defer mu.Unlock()
		switch n {
		case 1: // the first process has read which debates there are
			begun <- other.Start()
		case 3: // each sends one request at a time, so this is the other's
			close(together)
		case questions:
			first.Process.Kill()
		case 2 * questions:
			other.Process.Kill()
		}
		return endpoint.Reply{Text: yes}
	})
	env, config := home(t), seatedAt(t, srv.URL, "[defaults]\nrounds = 1\n[context]\nask_again = false\n", "", 2)
	raw := must.Get(os.ReadFile(config))(t) // one request at a time, so that a kill cuts off one
	must.Do(t, os.WriteFile(config, bytes.Replace(raw, []byte("base_url"), []byte("max_concurrent = 1\nbase_url"), 1), 0o600))
	args := []string{"--config", config, "eval", dataSet(t, questions), "--json"}
	mu.Lock()
	first, other = program(t, env, args...), program(t, env, args...)
	err := first.Start()
	mu.Unlock()
	must.Do(t, err)
	_ = first.Wait() // see its state
	must.Do(t, <-begun)
	_ = other.Wait() // see its state
	if first.ProcessState.Exited() || other.ProcessState.Exited() {
		t.Errorf("%v, %v before they were killed", first.ProcessState, other.ProcessState)
	}
	var r struct {
		Played int
		Arms   []struct{ Right int }
	}
	for again := range 2 {
		before := len(srv.Requests(""))
		raw := must.Get(program(t, env, args...).Output())(t)
		must.Do(t, json.Unmarshal(raw, &r))
		if r.Played != questions || r.Arms[0].Right != questions {
			t.Errorf("%+v", r)
		}
		if sent := len(srv.Requests("")) - before; again > 0 && sent != 0 {
			t.Errorf("a finished evaluation sends %d requests", sent)
		}
	}
	requireDebates(t, env, config, questions)
	// A kill cuts off the request under way, and the answer before it may not be stored yet.
	if sent := len(srv.Requests("")); sent < calls*questions || sent > calls*questions+2*3 {
		t.Errorf("%d requests of %d questions", sent, questions)
	}
	const twice = `SELECT count(*) - count(DISTINCT session || purpose || round || ' ' || step || agent) FROM turns WHERE state = 'done'`
	if n := (&trial{T: t, env: env}).open().column(twice); n[0] != "0" {
		t.Errorf("%s answers were paid for twice", n[0])
	}
}

// requireDebates wants one debate for each question of the evaluation.
func requireDebates(t *testing.T, env []string, config string, questions int) {
	t.Helper()
	raw, err := program(t, env, "--config", config, "sessions", "--eval", "set", "--json").Output()
	var list []struct{ Topic string }
	if err == nil {
		err = json.Unmarshal(raw, &list)
	}
	topics := map[string]bool{}
	for _, d := range list {
		topics[d.Topic] = true
	}
	if err != nil || len(list) != questions || len(topics) != questions {
		t.Errorf("%d debates of %d questions, %d different ones, %v", len(list), questions, len(topics), err)
	}
}
