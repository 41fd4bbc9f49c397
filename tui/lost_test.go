package tui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
)

func TestLostDatabase_isCopiedBeforeTheProgramEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps, copies, lost := lostDeps(), 0, errors.New("Cannot save: the database was removed or moved (/data).")
		deps.Check = func() error { return lost }
		deps.SaveCopy = func(context.Context) (string, error) {
			copies++
			return "/home/roundtable-copy.db", nil
		}
		r := start(t, 120, 30, deps)
		defer r.stop()
		r.press("ctrl+c", "", "s")
		r.wait(time.Second)
		r.sees("Saved a copy of all debates: /home/roundtable-copy.db.")
		if want := "Continue: roundtable --db /home/roundtable-copy.db resume " + billing; copies != 1 || r.model.Farewell() != want {
			t.Errorf("%d copies, at the end it says %q", copies, r.model.Farewell())
		}
		r.press("q")
		r.wait(time.Second)
		r.misses("Nothing is kept")
		lost = nil // the end of the program would be an error
	})
}

// A session that is gone under a run is no trouble of saving.
func TestRun_endsPlainlyWhenItsSessionIsGone(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		script.current().end(held(3, 1, 4), debate.ErrNoSession)
		r.wait(time.Second)
		if !strings.Contains(r.screen(), "No such debate") {
			t.Error(r.screen())
		}
		r.misses("Cannot save")
	})
}
