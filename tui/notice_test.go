package tui_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
)

// What can be done stays in sight, however long the text before it is.
func TestNotice_keepsItsKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gate()
		s.Topic = strings.Repeat("Should billing move to SQLite? ", 20)
		script := shelf(s)
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.press("x")
		r.sees("… u brings it back, until you quit.")
		r.prog.Send(tea.WindowSizeMsg{Width: 40, Height: 12})
		r.wait(time.Second)
		r.sees("u brings it back, until you quit.")
	})
}

// An error stands until its cause is gone, but what happens meanwhile is told.
func TestNotice_anErrorStandsBehindOthers(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		script.fail = errors.New("the disk is full")
		r.press("f")
		r.typeText("Why?")
		r.press("enter")
		r.sees("Cannot save: the disk is full.")
		r.press("9")
		r.sees("There are 3 seats.", "✗ an error stands")
		r.press("j")
		r.sees("Cannot save: the disk is full.")
		r.misses("There are 3 seats.", "an error stands")
		r.press("9", "esc")
		r.misses("There are 3 seats.", "Cannot save", "an error stands")
	})
}

// The reply to a key goes with the next one.
func TestNotice_goesWhenItIsOver(t *testing.T) {
	bubble(t, interrupted, func(r *rig, _ *scripted) {
		r.press("2", "y")
		r.sees("Copied Brook's statement.")
		r.press("1")
		r.misses("Copied")
	})
}
