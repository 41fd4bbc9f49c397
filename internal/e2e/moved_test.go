//go:build unix

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/must"
)

// openIn starts the program in a folder.
func openIn(t *testing.T, env []string, dir string, w, h int, args ...string) *terminal {
	t.Helper()
	cmd := program(t, env, args...)
	cmd.Dir = dir
	return openCommand(t, cmd, w, h)
}

// Where the database is removed while seats write, all that was saved goes into a copy, in
// which the debate continues.
func TestLostDatabase_isCopiedAndContinuesThere(t *testing.T) {
	lost := make(cue)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		return endpoint.Reply{Text: "The words of " + r.Model + " have come.", Sent: func(word string) {
			if word == "come." {
				lost.wait(t)
			}
		}}
	})
	env, db := home(t), filepath.Join(t.TempDir(), "data", "r.db")
	tm := openIn(t, env, t.TempDir(), 110, 30, "--db", db, "--config", panelOf(t, srv.URL, 2), "new", "Is it so?", "--rounds", "1", "--start")
	tm.await("The words of m1 have come.")
	must.Do(t, os.RemoveAll(filepath.Dir(db)))
	close(lost)
	tm.await("Cannot save: the database was removed or moved", "space: try again")
	tm.press(ctrlC, "Nothing is kept: the database was removed or moved", "ctrl+c quit · s save a copy · esc back")
	tm.press("s", "Saved a copy of all debates:")
	tm.send(ctrlC)
	code, all := tm.end(), tm.written()
	_, continued, ok := strings.Cut(all[strings.LastIndex(all, mainScreen):], "Continue: roundtable ")
	if code != 0 || !ok {
		t.Fatalf("exit code %d, after it:\n%s", code, all[strings.LastIndex(all, mainScreen):])
	}
	again := openIn(t, env, t.TempDir(), 110, 30, strings.Fields(continued)[:6]...)
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
