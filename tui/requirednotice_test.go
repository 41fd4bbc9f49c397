package tui_test

import (
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// An optional question does not take the row of one that must be answered.
func TestNotice_aRequiredQuestionStays(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.sees("Cy asks:", "required · C1")
		ask := ledger.Ask{Turn: turn("brook", 2), Call: "more", Query: "Who reads it?", Reason: "It helps.", Priority: ledger.Optional}
		more := ledger.Request{ID: "C2", Query: ask.Query, Priority: ledger.Optional, State: ledger.Pending, Asks: []ledger.Ask{ask}, Seq: 9}
		run.events <- debate.ContextRequested{Turn: ask.Turn, Request: more, Ask: ask, At: time.Now()}
		r.wait(time.Second)
		r.sees("Cy asks:", "required · C1")
		r.misses("optional · C2")
		finish(r, run)
	})
}
