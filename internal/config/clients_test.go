package config_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

// keyed returns the providers of commands that are run by a shell, and an agent of each.
func keyed(t *testing.T, ctx context.Context, commands ...string) (*config.Clients, []agents.Profile) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	doc, all := "", []agents.Profile(nil)
	for i, command := range commands {
		name := fmt.Sprintf("p%d", i)
		doc += fmt.Sprintf("[providers.%s]\nbase_url = \"http://127.0.0.1:1/v1\"\napi_key_command = [\"sh\", \"-c\", %q]\n", name, command)
		all = append(all, agents.Profile{ID: agents.ID(name), Provider: name})
	}
	cfg := parsed(t, doc)
	c := config.NewClients(ctx, cfg, config.ClientOptions{Env: unset})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, all
}

// runs returns how often a command has added a line to a file.
func runs(t *testing.T, path string) int {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(raw), "\n")
}

// Programs of one command start one after another, whatever provider they are of.
func TestClients_startEqualProgramsOneAfterAnother(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	program := filepath.Join(t.TempDir(), "agent")
	script := `mkdir "$0.preparing" || touch "$0.met"
for i in 0 1 2 3 4 5 6 7 8 9; do ls / >"$0.preparing/$i"; done # long enough that another one is met
rm -r "$0.preparing"
`
	must.Do(t, os.WriteFile(program, []byte(script), 0o600))
	doc, names := "", []string{"one", "two", "three"}
	for _, name := range names {
		doc += fmt.Sprintf("[providers.%s]\nkind = \"acp\"\ncommand = [\"sh\", %q, %q]\n", name, program, name)
	}
	cfg := parsed(t, doc)
	c := config.NewClients(t.Context(), cfg, config.ClientOptions{Env: os.LookupEnv})
	defer c.Close()
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() { _, _ = c.Check(t.Context(), name) }) // it speaks no protocol
	}
	all.Wait()
	if _, err := os.Stat(program + ".met"); err == nil {
		t.Error("two programs of one command were starting")
	}
}

// Equal commands run once, and their success is kept.
func TestClients_runEqualKeyCommandsOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	command := "echo run >> '" + log + "'; echo sk-1"
	c, all := keyed(t, t.Context(), command, command, command)
	for range 3 {
		must.Do(t, c.Ready(all))
	}
	if n := runs(t, log); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
}

// Different commands run side by side: each of these waits for the other.
func TestClients_runDifferentKeyCommandsSideBySide(t *testing.T) {
	folder := t.TempDir()
	meet := func(own, other string) string {
		return fmt.Sprintf("cd '%s'; : > %s; while [ ! -e %s ]; do sleep 0.01; done; echo sk-1", folder, own, other)
	}
	c, all := keyed(t, t.Context(), meet("a", "b"), meet("b", "a"))
	if err := c.Ready(all); err != nil {
		t.Error(err)
	}
}

// All that wait for a command share its failure. It runs again at the next start.
func TestClients_tryAFailedKeyCommandAgain(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	c, all := keyed(t, t.Context(), "echo run >> '"+log+"'; [ $(wc -l < '"+log+"') -gt 1 ] && echo sk-1")
	c.Prepare(all)
	var wait sync.WaitGroup
	for range 5 {
		wait.Go(func() {
			if _, err := c.Provider(all[0]); err == nil || !strings.Contains(err.Error(), "exit status 1") {
				t.Errorf("got %v", err)
			}
		})
	}
	wait.Wait()
	if n := runs(t, log); n != 1 {
		t.Errorf("the command ran %d times", n)
	}
	c.Prepare(all)
	if _, err := c.Provider(all[0]); err != nil || runs(t, log) != 2 {
		t.Errorf("after %d runs: %v", runs(t, log), err)
	}
}

// No command outlives the clients.
func TestClients_closeEndsKeyCommands(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "begun")
	c, all := keyed(t, t.Context(), "echo > '"+fifo+"'; sleep 3600")
	if out, err := exec.Command("mkfifo", fifo).CombinedOutput(); err != nil {
		t.Skipf("no FIFO: %s", out)
	}
	c.Prepare(all)
	if _, err := os.ReadFile(fifo); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Provider(all[0]); err == nil {
		t.Error("the provider is ready")
	}
}
