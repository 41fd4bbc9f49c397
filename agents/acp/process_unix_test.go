//go:build unix

package acp_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/processtest"
)

func ignoreTermination() { signal.Ignore(syscall.SIGTERM, syscall.SIGPIPE) }

func TestClose_leavesNoProcess(t *testing.T) {
	t.Parallel()
	for kind, programs := range map[string]int{"": 1, "stubborn": 1, "parent": 2, "leaving": 3, "mute": 0} {
		if kind == "leaving" && runtime.GOOS != "linux" {
			continue
		}
		config := configOf(t, kind)
		p := newProvider(t, config, optionsOf(t))
		var all sync.WaitGroup
		const seats = 5
		for i := range seats {
			all.Go(func() {
				who := agents.Profile{ID: agents.ID(fmt.Sprintf("ada%d", i)), Model: agents.DefaultModel}
				p.Prepare("k7m2", who, false)
				if kind == "mute" {
					return
				}
				turn := turnOf(1)
				turn.Agent = who.ID
				speak(t.Context(), p, who, turn, &ground{}, "say Hello.").wants(t, "Hello.")
			})
		}
		all.Wait()
		begun := time.Now()
		p.CloseSession("k7m2")
		if took := time.Since(begun); took > 10*time.Second { // 3 s on a machine that is not busy
			t.Errorf("%q: closing took %s", kind, took)
		}
		if n := len(processtest.Noted(t, config.Set["PIDS"])); n < seats*programs { // a mute one may be ended before it has begun
			t.Errorf("%q: %d programs ran", kind, n)
		}
		processtest.AwaitEnd(t, processtest.Noted(t, config.Set["PIDS"])...)
	}
}

// An agent that starts slowly does so while others speak, before it is asked itself.
func TestPrepare_startsWhileOthersSpeak(t *testing.T) {
	t.Parallel()
	config := configOf(t, "slow")
	gate := t.TempDir() + "/gate"
	config.Set["GATE"] = gate
	must.Do(t, syscall.Mkfifo(gate, 0o600))
	slow, quick := newProvider(t, config, optionsOf(t)), newProvider(t, configOf(t, ""), optionsOf(t))
	olive := agents.Profile{ID: "olive", Model: agents.DefaultModel}
	slow.Prepare("k7m2", olive, false)
	opened, err := os.OpenFile(gate, os.O_WRONLY, 0) // when the agent was told to begin
	must.Do(t, err)
	speak(t.Context(), quick, ada, turnOf(1), &ground{}, "say Hello.").wants(t, "Hello.")
	must.Do(t, opened.Close())
	turn := turnOf(1)
	turn.Agent = olive.ID
	speak(t.Context(), slow, olive, turn, &ground{}, "say Hello.").wants(t, "Hello.")
	if n := len(processtest.Noted(t, config.Set["PIDS"])); n != 1 {
		t.Errorf("the program was started %d times", n)
	}
}

// host is a program with an agent, which tells when the agent is ready.
func host() {
	program, _ := os.Executable()
	p, err := acp.New("fake", acp.Config{Preset: acp.Preset{
		Command: []string{program}, Set: map[string]string{"FAKE_AGENT": os.Getenv("KIND"), "PIDS": os.Getenv("HOST_PIDS")},
	}}, acp.Options{Env: os.LookupEnv})
	if err != nil {
		panic(err)
	}
	turn := agents.Turn{Session: "k7m2", Round: 1, Attempt: 1, Agent: "ada"}
	for c := range p.StreamTurn(context.Background(), turn, agents.Request{Messages: []agents.Message{{Text: "say Hello.\nhang"}}}, nil) {
		if c.Text != "" {
			fmt.Println(c.Text)
		}
	}
}

func TestAgent_endsWithAProgramThatIsKilled(t *testing.T) {
	t.Parallel()
	kinds := []string{""}
	if runtime.GOOS == "linux" {
		kinds = append(kinds, "stubborn") // it ignores the end of its input
	}
	for _, kind := range kinds {
		program := must.Get(os.Executable())(t)
		path := t.TempDir() + "/pids"
		host := exec.Command(program, "host")
		host.Env = append(os.Environ(), "KIND="+kind, "HOST_PIDS="+path, "TMPDIR="+t.TempDir())
		out := must.Get(host.StdoutPipe())(t)
		must.Do(t, host.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || line != "Hello.\n" {
			t.Errorf("%q: the program said %q, %v", kind, line, err)
		}
		host.Process.Kill() //nolint:errcheck // it may be gone
		host.Wait()         //nolint:errcheck // it was killed
		if len(processtest.Noted(t, path)) == 0 {
			t.Errorf("%q: no agent ran", kind)
		}
		processtest.AwaitEnd(t, processtest.Noted(t, path)...)
	}
}
