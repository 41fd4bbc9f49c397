package tui_test

import (
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/tui/picker"
)

// A debate that goes on is never called interrupted, and the list follows it.
func TestHome_saysWhatRuns(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		cut := summary(s)
		cut.Status = debate.Interrupted
		script.list = []debate.Summary{cut}
		r.press("s")
		r.wait(time.Second)
		r.sees("▖ running", "It goes on meanwhile; enter goes back to it.", "esc debate")
		r.misses("interrupted")
		script.list = []debate.Summary{summary(gate())}
		run.end(gate(), nil)
		r.wait(2 * time.Second)
		r.sees("◷ needs you")
		r.misses("running")
	})
}

// What another process plays is running, too.
func TestHome_saysWhatRunsElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf(interrupted())
		script.list[0].Running = true
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.sees("▖ running", "Round 2 is under way in another Roundtable.")
	})
}

// While something is typed the bottom line says how to finish.
func TestTyping_saysHowToFinish(t *testing.T) {
	atHome(t, func(r *rig, _ *scripted) {
		r.press("r")
		r.sees("enter renames", "esc keeps the old name")
		r.press("esc", "/")
		r.sees("enter open", "esc list", "↑↓ move", "ctrl+u clear")
		r.press("esc", "j", "enter")
		r.wait(time.Second)
		r.press("/")
		r.sees("enter looks", "esc ends")
		r.press("esc", "f")
		r.sees("enter done", "esc puts it away")
		r.press("esc")
		r.misses("enter done")
	})
}

// Where no model can be reached the demo is still a key away.
func TestNewDebate_withoutModelsStartsTheDemo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf()
		script.offer.Demo = session(3, 2)
		script.offer.Demo.Topic = "The demo's own question"
		for i := range script.offer.Seats {
			script.offer.Seats[i].Problem = "set A_KEY"
		}
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.sees("! No model can be reached yet. Start plays the demo.", "◆ Start the demo debate")
		r.typeText("Rust or Go?")
		r.press("ctrl+s")
		if !script.did("create Rust or Go?") || !script.did("start 1") {
			t.Errorf("%q", script.calls)
		}
		finish(r, script.current())
	})
}

func TestPalette_startsTheDemo(t *testing.T) {
	atHome(t, func(r *rig, script *scripted) {
		script.offer.Demo = session(3, 2)
		r.named("demo")
		r.sees("Models are still being looked for.")
	})
	synctest.Test(t, func(t *testing.T) {
		script := shelf(gate())
		script.offer = picker.Offer{Demo: session(3, 2), Modes: script.offer.Modes, Seats: script.offer.Seats}
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.named("demo")
		if !script.did("create Should billing move to SQLite?") {
			t.Errorf("%q", script.calls)
		}
		finish(r, script.current())
	})
}
