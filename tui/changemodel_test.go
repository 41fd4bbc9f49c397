package tui_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// Between two rounds, m gives the seat in focus another model; the pane and the banner say so.
func TestChangeModel_byKey(t *testing.T) {
	drawScreen(t, screenCase{deps: sessionOf(func() debate.Session { return held(3, 1, 3) })}, dark, func(r *harness) {
		script, _ := r.deps.Player.(*scripted)
		r.press("m")
		r.sees("model of Ada from round 2 (now gpt-5-mini)")
		r.typeText("gpt-7")
		r.press("enter")
		r.sees(`There is no model "gpt-7"`)
		r.press("m")
		r.press("ctrl+u")
		r.typeText("gpt-x")
		r.press("enter")
		r.sees("Ada: gpt-x from round 2.", "gpt-5-mini → gpt-x")
		id := held(3, 1, 3).ID
		if !script.did("change ada of " + id + " to gpt-x") {
			t.Errorf("calls = %q", script.calls)
		}
	})
}

// A round by another model says whose it is.
func TestChangeModel_isShownInItsRound(t *testing.T) {
	changed := func() debate.Session {
		s := held(3, 2, 3)
		was := s.Seats[0]
		was.Model = "gpt-4"
		return s.WithSeatChange(debate.SeatChange{Round: 2, Agent: "ada", Was: was, Now: s.Seats[0]})
	}
	drawScreen(t, screenCase{deps: sessionOf(changed)}, dark, func(r *harness) {
		r.press("z")
		r.sees("Ada: gpt-5-mini from round 2 (before gpt-4)")
	})
	s := changed()
	if got := s.SpeakerOf(debate.ForMember, agents.Turn{Agent: "ada", Round: 1}).Model; got != "gpt-4" {
		t.Errorf("round 1 was by %s", got)
	}
}
