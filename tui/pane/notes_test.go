package pane_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// A citation of a request that does not exist is named below the statement; one of an open request is
// not.
func TestNotes_nameCitationsOfRequestsThatAreNotThere(t *testing.T) {
	said := "It is known [C1, C9]."
	p := newPane(1, ada, 80, 30)
	p.SetSession(session([]agents.Profile{ada}, 1, []ledger.Request{{ID: "C1"}},
		[]debate.Response{doneResponse(turn(ada, 1), stated("", 0.5, "", said), 9, 0)}))
	got := body(t, p, 80, 30)
	if !strings.Contains(got, "Note: [C9] names nothing") || strings.Contains(got, "[C1] names") {
		t.Error(got)
	}
	many := "C1"
	for n := 2; n <= 30; n++ {
		many += fmt.Sprintf(", C%d", n)
	}
	p = newPane(1, ada, 80, 30)
	p.SetSession(session([]agents.Profile{ada}, 1, nil,
		[]debate.Response{doneResponse(turn(ada, 1), stated("", 0.5, "", "As ["+many+"] say."), 9, 0)}))
	if got := strings.Join(strings.Fields(strings.ReplaceAll(body(t, p, 80, 30), "│", "")), " "); !strings.Contains(got, "C29, C30] names nothing") {
		t.Error(got)
	}
}

// sessionWithNotes returns a debate in which the user has sent messages to Cy and to
// all, and answered Cy's question.
func sessionWithNotes(cites ...string) debate.Session {
	one, two := turn(cy, 1), turn(cy, 2)
	first := stated("Stay.", 0.5, "no", "Stay until the peak is known.")
	then := stated("Stay.", 0.5, "no", "I say the same again.")
	then.ContextUsed = cites
	q := request("C1", "What is the peak?", "it decides", ledger.Required, noon, one, 1)
	q.State = ledger.Released
	q.Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "42 writes/s"}}
	q.Delivered = []ledger.Delivery{{Revision: 1, Round: 2}}
	s := session([]agents.Profile{ada, cy}, 3, []ledger.Request{q}, []debate.Response{doneResponse(one, first, 9, 0)},
		[]debate.Response{doneResponse(two, then, 9, 0)})
	s.Interjections = []debate.Interjection{
		{N: 1, Text: "Mind the \x1b[2Jcost.", Author: ledger.ByPerson("interface")},
		{N: 2, Agent: "cy", Text: "Be brief.", Author: ledger.ByPerson("command")},
		{N: 3, Agent: "ada", Text: "For Ada."},
	}
	s.History[1].Manifest.Focus = "What does the \x1b[31mcontract say?"
	s.History[1].Manifest.Interjections = []debate.InterjectionRef{
		{N: 1, Seats: []agents.ID{"ada", "cy"}},
		{N: 2, Seats: []agents.ID{"cy"}},
		{N: 3, Seats: []agents.ID{"ada"}},
	}
	return s
}

func TestSetSession_showsInterjections(t *testing.T) {
	p := newPane(2, cy, 60, 30)
	p.SetSession(sessionWithNotes("C1"))
	got := body(t, p, 60, 30)
	_, second, _ := strings.Cut(got, "── round 2")
	if !strings.Contains(second, "Focus  What does the contract say?\nTo all  Mind the cost.\nTo Cy  Be brief.\n\nPosition  Stay.") ||
		strings.Contains(got, "For Ada.") || strings.Count(got, "\nTo ") != 2 {
		t.Errorf("it shows\n%s", got)
	}
}

func TestSetSession_namesWhoElseWroteToTheSeats(t *testing.T) {
	s := sessionWithNotes("C1")
	by := ledger.Author{Kind: ledger.Assistant, Door: "claude\x1b[31m-code"}
	s.Interjections[0].Author, s.Interjections[1].Author, s.History[1].Manifest.FocusAuthor = by, ledger.Author{}, by
	p := newPane(2, cy, 70, 30)
	p.SetSession(s)
	got := body(t, p, 70, 30)
	if want := "Focus (from “claude-code”, not you)  What does the contract say?\nTo all (from “claude-code”, not you)  Mind the cost.\n" +
		"To Cy  Be brief.\n"; !strings.Contains(got, want) {
		t.Errorf("it shows\n%s\nwant\n%s", got, want)
	}
}
