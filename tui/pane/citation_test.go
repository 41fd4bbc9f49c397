package pane_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// A citation of an answer that nobody asked for is named below the statement. A question
// that is still open is one that can be spoken of.
func TestNotes_nameCitationsOfRequestsThatAreNotThere(t *testing.T) {
	said := "It is known [C1, C9]."
	p := newPane(1, ada, 80, 30)
	p.SetSession(session([]agents.Profile{ada}, 1, []ledger.Request{{ID: "C1"}},
		[]debate.Response{doneResponse(turn(ada, 1), stated("", 0.5, "", said), 9, 0)}))
	got := body(t, p, 80, 30)
	if !strings.Contains(got, "Note: [C9] names nothing: there is no C9") || strings.Contains(got, "[C1] names") {
		t.Error(got)
	}
	many := "C1"
	for n := 2; n <= 30; n++ {
		many += fmt.Sprintf(", C%d", n)
	}
	p = newPane(1, ada, 80, 30)
	p.SetSession(session([]agents.Profile{ada}, 1, nil,
		[]debate.Response{doneResponse(turn(ada, 1), stated("", 0.5, "", "As ["+many+"] say."), 9, 0)}))
	if got := strings.Join(strings.Fields(strings.ReplaceAll(body(t, p, 80, 30), "│", "")), " "); !strings.Contains(got, "20 more wrong citations") {
		t.Error(got)
	}
}
