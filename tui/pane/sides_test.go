package pane_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// What was repaired or ignored in a statement is one muted line below it; a side of the
// role is argued, and no change when the seat then states its own.
func TestView_showsNotesAndWhoseSideItIs(t *testing.T) {
	s := session([]agents.Profile{ada}, 2, nil)
	s.Mode.Roles = []debate.Role{{Name: "proponent", Stance: debate.Yes}}
	s.Mode.Phases = []debate.Phase{{Name: "own view", Asks: debate.AsksVote}}
	s.Mode.Votes = "own view"
	first := doneResponse(turn(ada, 1), stated("Move.", 0.5, "yes", "Move it."), 9, 0)
	first.Statement.Notes = []string{"a trailing comma was taken out", "confidence 52\x1b[2J was read as 52%"}
	own := doneResponse(turn(ada, 2), stated("Stay.", 0.5, "no", "Stay."), 9, 0)
	own.Phase = "own view"
	s.History = []debate.Round{
		{Number: 1, Responses: []debate.Response{first}}, {Number: 2, Responses: []debate.Response{own}},
	}
	p := newPane(1, ada, 90, 30)
	p.SetSession(s)
	got := body(t, p, 90, 30)
	for _, want := range []string{
		"argues yes · 50%", "Note: a trailing comma was taken out; confidence 52 was read as 52%", "votes no · 50%",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "hanged") {
		t.Errorf("leaving the role is shown as a change:\n%s", got)
	}
}
