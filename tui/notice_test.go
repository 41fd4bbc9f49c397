package tui_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
)

// What can be done stays in sight, however long the text before it is.
func TestNotice_keepsItsKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gate()
		s.Topic = strings.Repeat("Should billing move to SQLite? ", 20)
		script := storing(s)
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.press("x")
		r.sees("u to undo, or `roundtable undelete`.")
		r.prog.Send(tea.WindowSizeMsg{Width: 40, Height: 12})
		r.wait(time.Second)
		r.sees("u to undo", "! more")
		r.press("!")
		r.sees("u to undo, or `roundtable undelete`.")
	})
}

// An error stands until its cause is gone, but what happens meanwhile is told.
func TestNotice_anErrorStandsBehindOthers(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		script.fail = errors.New("the disk is full")
		r.press("f")
		r.typeText("Why?")
		r.press("enter")
		r.sees("Cannot save: the disk is full.")
		r.press("9")
		r.sees("There are only 3 seats.", "✗ unresolved error")
		r.press("j")
		r.sees("Cannot save: the disk is full.")
		r.misses("There are only 3 seats.", "unresolved error")
		r.press("9", "esc")
		r.misses("There are only 3 seats.", "Cannot save", "unresolved error")
	})
}

// A seat's trouble is told until the seat goes on, and what was waited for until
// it has come.
func TestNotice_goesWithItsCause(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		run.events <- debate.TurnRetrying{Turn: turn("ada", 2), Retry: agents.Retry{Cause: "openai rate-limited us (429).", Try: 1, Of: 3, In: time.Second}, At: time.Now()}
		r.wait(time.Second)
		r.sees("Ada: openai rate-limited us (429). Retry 1 of 3.")
		run.say("ada", "Going on. ")
		r.wait(time.Second)
		r.misses("Ada: openai rate-limited us (429). Retry 1 of 3.")
		script.sessions[billing] = gate()
		run.end(gate(), nil)
		r.wait(2 * time.Second)
		r.sees("Round 2 is done.")
		r.typeText("42")
		r.sees("Round 2 is done.")
		r.send()
		r.wait(time.Second)
		r.misses("Round 2 is done.")
	})
}

// While keys are text, no notice says what they do.
func TestNotice_namesNoKeysWhereTheyAreText(t *testing.T) {
	bubble(t, func() debate.Session { return openRound(2) }, func(r *harness, script *scripted) {
		r.press("space", "t", "/")
		script.current().end(openRound(2), openRound(2).OpenRound())
		r.wait(time.Second)
		r.sees("Only Ada of 2 seats answered in round 2.")
		r.misses("space: go on")
		r.press("esc")
		r.sees("2 then R: retry Brook · space: go on")
	})
}
