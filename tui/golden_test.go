package tui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/tui"
)

// sizes are the screens that every picture is drawn on.
var sizes = [][2]int{{40, 12}, {80, 24}, {140, 40}, {200, 60}}

// pictures draws a screen in all sizes and compares each to its golden.
func pictures(t *testing.T, deps func() tui.Deps, scene func(r *harness)) {
	for _, size := range sizes {
		t.Run(runSize(size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, size[0], size[1], deps())
				defer r.stop()
				if scene != nil {
					scene(r)
				}
				r.golden(size[0], size[1])
			})
		})
	}
}

func TestScreen_home(t *testing.T) {
	pictures(t, func() tui.Deps {
		second := held(3, 1, 2)
		second.ID, second.Topic = "b222222222", "One queue or two for webhooks?"
		return storing(gate(), second).deps()
	}, nil)
}

func TestScreen_firstStart(t *testing.T) { pictures(t, first, nil) }

func TestScreen_newDebate(t *testing.T) {
	pictures(t, func() tui.Deps {
		d := storing(gate()).deps()
		d.Start = tui.Start{New: true, Topic: "Should billing move to SQLite?", Rounds: 4}
		return d
	}, func(r *harness) { r.press("tab", "tab") })
}

// debating shows a debate of some seats in the middle of its second round.
func debating(t *testing.T, seats int) {
	var script *scripted
	pictures(t, func() tui.Deps {
		script = storing(held(seats, 1, 4))
		d := script.deps()
		d.Start.Session = billing
		return d
	}, func(r *harness) {
		r.press("space")
		run := script.current()
		run.speaking(held(seats, 1, 4))
		r.wait(2 * time.Second)
		finish(r, run)
	})
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

func TestScreen_debate2(t *testing.T) { debating(t, 2) }
func TestScreen_debate3(t *testing.T) { debating(t, 3) }
func TestScreen_debate6(t *testing.T) { debating(t, 6) }
func TestScreen_debate8(t *testing.T) { debating(t, 8) }

// opened shows a stored session after some keys.
func opened(t *testing.T, s func() debate.Session, keys ...string) {
	pictures(t, func() tui.Deps {
		d := storing(s()).deps()
		d.Start.Session = billing
		return d
	}, func(r *harness) {
		r.wait(2 * time.Second) // the form listens
		r.press(keys...)
	})
}

func TestScreen_form(t *testing.T)    { opened(t, gate) }
func TestScreen_verdict(t *testing.T) { opened(t, concluded) }
func TestScreen_resumed(t *testing.T) { opened(t, interrupted) }
func TestScreen_zoom(t *testing.T)    { opened(t, interrupted, "2", "z") }
func TestScreen_help(t *testing.T)    { opened(t, interrupted, "?") }
func TestScreen_palette(t *testing.T) { opened(t, interrupted, ":", "r", "o") }

func TestScreen_tooSmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := storing(gate()).deps()
		d.Start.Session = billing
		r := start(t, 38, 9, d)
		r.sees("Too small: 38x9, needs 40x10.", "The debate goes on and is saved.", "● 1 required left", "ctrl+c quit")
		r.misses("roundtable --") // what is named has to be there
		r.stop()
	})
}
