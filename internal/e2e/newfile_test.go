//go:build unix

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

func TestNew_beginsWithTheFilesOfTheCommandLine(t *testing.T) {
	t.Parallel()
	env := home(t)
	file := ""
	for _, v := range env {
		if dir, ok := strings.CutPrefix(v, "HOME="); ok {
			file = filepath.Join(dir, "plan.md")
		}
	}
	if err := os.WriteFile(file, []byte("Move in March.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	srv := endpoint.New(t, orator(5, 0))
	config := panel(t, srv.URL, "")
	tm := open(t, env, 120, 40, "--config", config, "new", "Is it so?", "--rounds", "1", "--file", file)
	tm.await("1 file")
	tm.send(ctrlC)
	tm.end()

	tm = open(t, env, 120, 40, "--config", config, "new", "Is it so?", "--rounds", "1", "--start", "--file", file)
	tm.await("Verdict ready.") // while the chair writes, ctrl+c would not be the end
	tm.send(ctrlC)
	tm.end()
	for _, r := range srv.Requests("m1") {
		if roundAsked(r) == 1 && !strings.Contains(r.Raw, "1| Move in March.") {
			t.Errorf("a member was sent no evidence: %s", r.Raw)
		}
	}
	for _, c := range []struct{ path, want string }{
		{"-", "the interface reads keys from standard input"}, {file + "x", "plan.mdx does not exist"},
	} {
		tm = open(t, env, 120, 40, "--config", config, "new", "Is it so?", "--file", c.path)
		tm.await(c.want)
		if code := tm.end(); code != 2 {
			t.Errorf("--file %s: exit code %d", c.path, code)
		}
	}
}
