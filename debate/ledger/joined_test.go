package ledger_test

import (
	"testing"

	"roundtable/debate/ledger"
)

// What was stored of a join by hand is folded as it was: the asks have moved,
// and the request that they left blocks nothing.
func TestLedger_showsAStoredJoin(t *testing.T) {
	b := newBook(t)
	b.ask(turnOf("ada", 1, 1), question("How many writes?"))
	b.ask(turnOf("brook", 1, 1), question("What writes, how many?"))
	for _, nowhere := range []string{"C2", "C7"} { // what no interface wrote changes nothing
		b.write(ledger.Event{Request: "C2", Type: ledger.EventJoin, Actor: ledger.User, Payload: ledger.Payload{Into: nowhere}})
	}
	b.write(ledger.Event{Request: "C2", Type: ledger.EventJoin, Actor: ledger.User, Payload: ledger.Payload{Into: "C1"}})
	if c1, c2 := b.request("C1"), b.request("C2"); len(c1.Asks) != 2 || c2.State != ledger.Withdrawn || c2.JoinedTo != "C1" ||
		b.blocking() != "C1" {
		t.Errorf("%+v and %+v", c1, c2)
	}
}

// The first call of a turn that joins a request is told, its further ones are not.
func TestRejoined_tellsFurtherCallsOfATurn(t *testing.T) {
	ada, brook := turnOf("ada", 1, 1), turnOf("brook", 1, 1)
	r := ledger.Request{Asks: []ledger.Ask{{Turn: ada, Call: "a1"}, {Turn: brook, Call: "b1"}, {Turn: brook, Call: "b2"}}}
	for call, want := range map[string]bool{"a1": false, "b1": false, "b2": true, "none": false} {
		if got := r.Rejoined(call); got != want {
			t.Errorf("%s: %v", call, got)
		}
	}
}

// A question keeps its reason when the agent that asked it alone has withdrawn.
func TestReason_ofAQuestionThatNobodyAsksAnyMore(t *testing.T) {
	r := ledger.Request{Asks: []ledger.Ask{{Reason: "It decides.", Withdrawn: true}}}
	if got, none := r.Reason(), (ledger.Request{}).Reason(); got != "It decides." || none != "" {
		t.Errorf("%q, %q", got, none)
	}
}

// What was restored once is not there twice.
func TestLedger_restoresARequestOnce(t *testing.T) {
	e := ledger.Event{Request: "C1", Type: ledger.EventRestore, Payload: ledger.Payload{Restored: &ledger.Request{ID: "C1", Query: "How many?"}}}
	if got := ledger.Fold([]ledger.Event{e, e}).Requests; len(got) != 1 || got[0].Query != "How many?" {
		t.Errorf("%+v", got)
	}
}
