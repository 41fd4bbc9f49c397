package tui_test

import (
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/tui"
)

// A message of several lines is sent by ctrl+s; the bottom row says so.
func TestEnter_sendsAMessageOfOneLine(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("1", "i")
		r.sees("enter send", "alt+enter new line")
		r.typeText("Be brief.")
		r.press("alt+enter")
		r.typeText("Name")
		r.sees("ctrl+s send", "enter new line")
		r.misses("enter send")
		r.press("enter")
		r.typeText("sources.")
		r.press("ctrl+s")
		r.wait(time.Second)
		if !script.did("tell \"ada\" Be brief.\nName\nsources.") {
			t.Errorf("%q", script.calls)
		}
		r.press("i")
		r.typeText("One line.")
		r.press("enter")
		r.wait(time.Second)
		if !script.did(`tell "ada" One line.`) {
			t.Errorf("%q", script.calls)
		}
	})
}

// In a new debate whose price is unknown enter goes from a topic of one line to the row that says
// so, and starts there; a second enter right after the first does not.
func TestEnter_startsANewDebateAfterAMoment(t *testing.T) {
	attaching(t, 80, 24, tui.Start{New: true}, gate, func(r *harness, script *scripted, _ *folder) {
		r.typeText("Rust or Go?")
		r.sees("enter starts · alt+enter line · tab change")
		r.press("enter", "enter")
		r.sees("▸ ◆ enter: start for about $")
		r.wait(time.Second)
		if script.created.Topic != "" {
			t.Fatal("a double enter has started a debate")
		}
		r.press("enter")
		r.wait(time.Second)
		if script.created.Topic != "Rust or Go?" {
			t.Errorf("created is %q", script.created.Topic)
		}
		finish(r, script.current())
	})
}
