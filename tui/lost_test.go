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

// lostDatabase runs the interface on a debate whose database is gone.
func lostDatabase(t *testing.T, test func(r *harness, copies *int)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		copies, lost := 0, errors.New("Cannot save: the database was removed or moved (/data).")
		deps := storing(held(3, 1, 4)).deps()
		deps.Start.Session = billing
		deps.Check = func() error { return lost }
		deps.SaveCopy = func(context.Context) (string, error) {
			copies++
			return "/home/roundtable-copy.db", nil
		}
		r := start(t, 120, 30, deps)
		defer r.stop()
		test(r, &copies)
		lost = nil // the end of the program would be an error
	})
}

func TestLostDatabase_isNotLeftAsIfItWereSaved(t *testing.T) {
	lostDatabase(t, func(r *harness, _ *int) {
		r.press("q")
		r.wait(time.Second)
		r.sees("Cannot save: the database was removed or moved (/data).")
		r.misses("Everything is saved.")
		r.press("q")
		r.wait(time.Second)
		r.asks("Nothing is kept: the database was removed or moved (/data).", "q quit · s save a copy · esc back")
		if got := r.model.Farewell(); got != "" {
			t.Errorf("at the end it says %q", got)
		}
	})
}

func TestLostDatabase_isCopiedBeforeTheProgramEnds(t *testing.T) {
	lostDatabase(t, func(r *harness, copies *int) {
		r.press("ctrl+c", "", "s")
		r.wait(time.Second)
		r.sees("Saved a copy of all debates: /home/roundtable-copy.db.")
		if want := "Continue: roundtable --db /home/roundtable-copy.db resume " + billing; *copies != 1 || r.model.Farewell() != want {
			t.Errorf("%d copies, at the end it says %q", *copies, r.model.Farewell())
		}
		r.press("q")
		r.wait(time.Second)
		r.misses("Nothing is kept")
	})
}

func TestLostDatabase_canBeCopiedByName(t *testing.T) {
	lostDatabase(t, func(r *harness, copies *int) {
		r.press("ctrl+p")
		r.typeText("save a copy")
		r.press("enter")
		r.wait(time.Second)
		if *copies != 1 {
			t.Errorf("%d copies:\n%s", *copies, r.screen())
		}
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
