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
	b.write(ledger.Event{Request: "C2", Type: ledger.EventJoin, Actor: ledger.User, Payload: ledger.Payload{Into: "C1"}})
	if c1, c2 := b.request("C1"), b.request("C2"); len(c1.Asks) != 2 || c2.State != ledger.Withdrawn || c2.JoinedTo != "C1" ||
		b.blocking() != "C1" {
		t.Errorf("%+v and %+v", c1, c2)
	}
}
