//go:build unix

package e2e_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

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

// Two processes that play the same evaluation at once share its questions: each is debated once, and a
// run after them sends nothing.
func TestEval_playsEachQuestionOnceInTwoProcesses(t *testing.T) {
	const questions, calls = 24, 3 // of a debate: two seats and the chair
	var mu sync.Mutex
	var second *exec.Cmd
	var begun error
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		mu.Lock()
		defer mu.Unlock()
		if second != nil { // once the first process has read which debates there are
			begun, second = second.Start(), nil
		}
		return endpoint.Reply{Text: yes}
	})
	env, config := home(t), seatedAt(t, srv.URL, "[defaults]\nrounds = 1\n[context]\nask_again = false\n", "", 2)
	args := []string{"--config", config, "eval", dataSet(t, questions), "--json"}
	mu.Lock()
	first, other := program(t, env, args...), program(t, env, args...)
	second = other
	mu.Unlock()
	must.Do(t, first.Start())
	for _, cmd := range []*exec.Cmd{first, other} {
		_ = cmd.Wait() // see its exit code; the first one has begun the other by its end
		mu.Lock()
		failed := begun
		mu.Unlock()
		if code := cmd.ProcessState.ExitCode(); failed != nil || code != 0 && code != 5 {
			t.Errorf("exit code %d, %v", code, failed)
		}
	}
	if sent := len(srv.Requests("")); sent != calls*questions {
		t.Errorf("%d requests for %d questions", sent, questions)
	}
	if err := program(t, env, args...).Run(); err != nil || len(srv.Requests("")) != calls*questions {
		t.Errorf("a run after them sends %d requests, %v", len(srv.Requests(""))-calls*questions, err)
	}
	requireDebates(t, env, config, questions)
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

// An evaluation that is killed again and again comes to its end, has one debate for each
// question, and pays again only for what was under way when it was killed.
func TestEval_paysNothingTwiceAfterKills(t *testing.T) {
	const calls = 3 // of a debate: two seats and the chair
	questions, kills := count(12, 200), count(6, 100)
	k := &killer{}
	srv := endpoint.New(t, k.answer)
	env, config := home(t), seatedAt(t, srv.URL, "[defaults]\nrounds = 1\n[context]\nask_again = false\n", "", 2)
	raw, err := os.ReadFile(config) // one request at a time, so that a kill cuts off one
	if err == nil {
		err = os.WriteFile(config, bytes.Replace(raw, []byte("base_url"), []byte("max_concurrent = 1\nbase_url"), 1), 0o600)
	}
	must.Do(t, err)
	args := []string{"--config", config, "eval", dataSet(t, questions), "--json"}
	for n := range kills {
		if err := k.run(program(t, env, args...), calls*questions/(kills+1)-n%2, n%3); err == nil {
			t.Fatalf("run %d came to its end", n)
		}
	}
	var r struct {
		Played int
		Arms   []struct {
			Arm   string
			Right int
		}
	}
	for again := range 2 {
		before := len(srv.Requests(""))
		raw, err := program(t, env, args...).Output()
		if err == nil {
			err = json.Unmarshal(raw, &r)
		}
		must.Do(t, err)
		if r.Played != questions || r.Arms[0].Right != questions {
			t.Errorf("%+v", r)
		}
		if sent := len(srv.Requests("")) - before; again > 0 && sent != 0 {
			t.Errorf("a finished evaluation sends %d requests", sent)
		}
	}
	requireDebates(t, env, config, questions)
	// A kill cuts off the request under way, and the answer before it may not be stored yet.
	sent := len(srv.Requests(""))
	if sent < calls*questions || sent > calls*questions+3*kills {
		t.Errorf("%d requests of %d questions after %d kills", sent, questions, kills)
	}
	const again = `SELECT count(*) - count(DISTINCT session || purpose || round || ' ' || step || agent) FROM turns WHERE state = 'done'`
	if twice := (&trial{T: t, env: env}).open().column(again); twice[0] != "0" {
		t.Errorf("%s answers were paid for twice", twice[0])
	}
}

// killer answers requests, and kills the program at one of them.
type killer struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  int // requests from now on until it is killed
	at  int // 0: when the request has come; 1: after the first word of the answer; 2: after the last one
}

func (k *killer) answer(endpoint.Request) endpoint.Reply {
	k.mu.Lock()
	defer k.mu.Unlock()
	cmd, words := k.cmd, 0
	if k.in--; k.in == 0 && k.at == 0 {
		cmd.Process.Kill()
	}
	if k.in != 0 || k.at == 0 {
		return endpoint.Reply{Text: yes}
	}
	last := map[int]int{1: 1, 2: strings.Count(yes, " ") + 1}[k.at]
	return endpoint.Reply{Text: yes, Sent: func(string) {
		if words++; words == last {
			cmd.Process.Kill()
		}
	}}
}

// run runs a program until it is killed at the request of that number, or ends.
func (k *killer) run(cmd *exec.Cmd, in, at int) error {
	k.mu.Lock()
	k.cmd, k.in, k.at = cmd, in, at
	err := cmd.Start()
	k.mu.Unlock()
	return cmp.Or(err, cmd.Wait())
}
