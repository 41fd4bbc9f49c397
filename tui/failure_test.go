package tui_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// A disk that fills up amid a round leaves all text where it is, and what to do
// fits the smallest of usual terminals.
func TestFailure_ofTheStoreAmidARoundKeepsTheTextInASmallTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(held(3, 1, 4))
		deps := script.deps()
		deps.Start.Session = billing
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		left := interrupted()
		left.History[1].Responses = left.History[1].Responses[1:]
		unsaved := debate.Response{
			Turn: turn("ada", 2), State: debate.TurnInterrupted, Passages: []debate.Passage{{Text: "Move, behind a single writer."}}, Ended: time.Now(),
			Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "It could not be saved."},
		}
		left.History[1].Responses = append([]debate.Response{unsaved}, left.History[1].Responses...)
		run.end(left, errors.New("record the turn of ada: Cannot save: the disk is full (/home/somebody/.local/share/roundtable)."))
		r.wait(time.Second)
		r.press("1")
		r.sees("Move, behind a single writer.", "‖ Paused. Saving failed at 00:00, in round 2. All text is still here.",
			"The disk is full (/home/somebody/.local/share/roundtable).", "Cannot save: the disk is full", "space: try again; e: save a copy elsewhere.", "space: continue with Ada and Cy.")
		r.press("", "space")
		r.misses("Cannot save", "Saving failed")
		finish(r, script.current())
	})
}

func TestFailure_ofAnAnswerKeepsTheText(t *testing.T) {
	bubble(t, gate, func(r *harness, script *scripted) {
		r.wait(2 * time.Second)
		r.typeText("42 writes/s")
		script.fail = errors.New("the disk is full (/data)")
		r.send()
		r.wait(time.Second)
		r.sees("42 writes/s", "Cannot save: the disk is full (/data).", "ctrl+s: try again")
		script.fail = nil
		r.send()
		r.wait(time.Second)
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
		r.misses("Cannot save")
	})
}
