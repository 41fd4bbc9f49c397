//go:build unix

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"roundtable/internal/e2e/endpoint"
)

// lostDatabase opens a debate of two seats in an interface whose database is removed
// while they write, and waits until it says so.
func lostDatabase(t *testing.T) (tm *terminal, env []string) {
	t.Helper()
	lost := make(cue)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "The words of " + r.Model + " have come.", Sent: func(word string) {
			if word == "come." {
				lost.wait(t)
			}
		}}
	})
	env = home(t)
	db := filepath.Join(t.TempDir(), "data", "r.db")
	tm = openIn(t, env, t.TempDir(), "--db", db, "--config", panelOf(t, srv.URL, 2), "new", "Is it so?", "--rounds", "1", "--start")
	tm.await("The words of m1 have come.")
	if err := os.RemoveAll(filepath.Dir(db)); err != nil {
		t.Fatal(err)
	}
	close(lost)
	tm.await("Cannot save: the database was removed or moved", "space: try again")
	return tm, env
}

// openIn starts the program with a current folder of its own.
func openIn(t *testing.T, env []string, dir string, args ...string) *terminal {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	cmd := program(t, env, args...)
	cmd.Dir = dir
	return startOn(t, cmd, master, tty, 110, 30)
}

// afterwards returns what the program has written since it left its screen.
func afterwards(tm *terminal) string {
	all := tm.written()
	return all[strings.LastIndex(all, mainScreen)+1:]
}

// Nothing is shown as kept once the database is gone.
func TestLostDatabase_isSaidAndNotContinued(t *testing.T) {
	tm, _ := lostDatabase(t)
	tm.send(ctrlC)
	tm.await("Nothing is kept: the database was removed or moved", "ctrl+c quit · s save a copy · esc back")
	tm.send(ctrlC)
	code, left := tm.end(), afterwards(tm)
	if code != 1 || strings.Contains(left, "Continue:") || strings.Contains(left, "Verdict ready.") ||
		strings.Count(left, "Cannot save: the database was removed") != 1 {
		t.Errorf("exit code %d, after it:\n%s", code, left)
	}
}

// All that was saved goes into a copy, in which the debate continues.
func TestLostDatabase_isCopiedAndContinuesThere(t *testing.T) {
	tm, env := lostDatabase(t)
	tm.send(ctrlC)
	tm.await("s save a copy")
	tm.send("s")
	tm.await("Saved a copy of all debates:")
	tm.send(ctrlC)
	code, left := tm.end(), afterwards(tm)
	_, continued, ok := strings.Cut(left, "Continue: roundtable ")
	if code != 0 || !ok {
		t.Fatalf("exit code %d, after it:\n%s", code, left)
	}
	again := openIn(t, env, t.TempDir(), strings.Fields(continued)[:6]...)
	again.await("Is it so?", "Paused")
	again.send(ctrlC)
	again.end()
}

// Without the interface the run ends with the error, whatever else has ended it.
func TestLostDatabase_endsARunWithAnError(t *testing.T) {
	db := filepath.Join(t.TempDir(), "data", "r.db")
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "The words of " + r.Model + " have come.", Sent: func(string) {
			if err := os.RemoveAll(filepath.Dir(db)); err != nil {
				t.Error(err)
			}
		}}
	})
	cmd := program(t, home(t), "run", "Is it so?", "--rounds", "1", "--db", db, "--config", panelOf(t, srv.URL, 2))
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 1 || strings.Count(string(out), "cannot save: the database was removed or moved") != 1 ||
		strings.Contains(string(out), "continue") {
		t.Errorf("%v, output:\n%s", err, out)
	}
}
