package tui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/tui"
)

// sizes are the usual sizes of a terminal.
var sizes = [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}}

// debating shows a debate of some seats in the middle of its second round.
func debating(seats int) (deps func() tui.Deps, scene func(r *harness, script *scripted)) {
	return sessionOf(func() debate.Session { return held(seats, 1, 4) }), func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(seats, 1, 4))
		r.wait(2 * time.Second)
		finish(r, run)
	}
}

// finish lets a run end when the program stops it.
func finish(r *harness, run *run) {
	run.ending.Do(func() {
		go func() {
			select {
			case <-run.over:
			case <-run.stopped:
				run.end(run.session, context.Canceled)
			}
		}()
	})
}

func TestScreen_tooSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := storing(gate()).deps()
		d.Start.Session = billing
		r := start(t, 38, 9, d)
		r.sees("Too small: 38x9, needs 40x10.", "The debate goes on and is saved.", "● Round 3 waits for C1 (Cy)", "ctrl+c quit")
		r.misses("roundtable --") // what is named has to be there
		r.stop()
	})
}
