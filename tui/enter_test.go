package tui_test

import (
	"testing"
	"time"

	"roundtable/debate"
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
