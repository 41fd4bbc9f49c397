package pane_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
)

// The rounds that a fork copied were written by the model that the seat had before.
func TestHeader_namesTheModelThatWroteACopiedRound(t *testing.T) {
	copied := doneResponse(turn(ada, 1), stated("", 0.5, "", "First."), 9, 0)
	copied.Inherited = true
	own := doneResponse(turn(ada, 2), stated("", 0.5, "", "Second."), 9, 0)
	s := session([]agents.Profile{ada}, 2, nil, []debate.Response{copied}, []debate.Response{own})
	s.ForkedFrom, s.ForkRound = "origin", 1
	s.ForkChanges = []debate.ForkChange{{Kind: debate.ForkedModel, Target: string(ada.ID), Old: "old-1", New: ada.Model}}
	p := newPane(1, ada, 80, 30)
	p.SetSession(s)
	got := body(t, p, 80, 30)
	if first, _, _ := strings.Cut(got, "round 2"); !strings.Contains(first, "50% · by old-1") || strings.Count(got, "old-1") != 1 {
		t.Error(got)
	}
}
