package tui_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
)

// brokenOff is an interrupted round of eight seats: the second has failed, the last
// was cut off.
func brokenOff() debate.Session {
	s := held(8, 2, 4)
	r := &s.History[1]
	r.Ended = time.Time{}
	for i, state := range map[int]debate.TurnState{1: debate.TurnFailed, 7: debate.TurnInterrupted} {
		r.Responses[i].State, r.Responses[i].Statement = state, debate.Statement{}
		r.Responses[i].Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "The answer broke off.", Tries: 1}
	}
	return s
}

// Where nobody has answered, all are asked again, whichever key says so.
func TestResume_asksAllAgainWhereNobodyAnswered(t *testing.T) {
	bubble(t, func() debate.Session {
		s := brokenOff()
		for i := range s.History[1].Responses {
			s.History[1].Responses[i].State = debate.TurnFailed
		}
		return s
	}, func(r *harness, script *scripted) {
		r.sees("Round 2 failed: no model answered. Press R to retry; nothing is lost.", "8 Hal        The answer broke off.")
		r.press("2", "R")
		run := script.current()
		if got := run.wasAsked(); got != "" || !script.did("start 0") {
			t.Errorf("asked %q; %q", got, script.calls)
		}
		run.end(brokenOff(), context.Canceled)
	})
}

// openRound is a debate whose second round only the first seat answered.
func openRound(seats int) debate.Session {
	s := held(seats, 2, 4)
	r := &s.History[1]
	r.Ended = time.Time{}
	for i := 1; i < seats; i++ {
		r.Responses[i].State, r.Responses[i].Statement = debate.TurnFailed, debate.Statement{}
		r.Responses[i].Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "The answer broke off.", Tries: 1}
	}
	return s
}

// A round that one seat answered waits: space goes on without the others, x asks the
// seat in focus again.
func TestResume_waitsWhereOnlyOneSeatAnswered(t *testing.T) {
	retries := map[int]string{2: "2 then R: retry Brook", 3: "R: retry a failed seat"}
	for _, seats := range []int{2, 3} {
		for key, want := range map[string]string{"space": "go on", "R": "retry brook"} {
			bubble(t, func() debate.Session { return openRound(seats) }, func(r *harness, script *scripted) {
				r.sees(fmt.Sprintf("Only Ada of %d seats answered in round 2.", seats), "2 Brook      The answer broke off.",
					retries[seats]+". space: go on without", "space go on")
				r.press(key)
				if !script.did(want) {
					t.Errorf("%d seats, %s: %q", seats, key, script.calls)
				}
				script.current().end(openRound(seats), context.Canceled)
			})
		}
	}
}

// The rest of an interrupted round leaves a seat that failed as it is; x on that
// seat runs both.
func TestResume_retriesASeatThatFailed(t *testing.T) {
	bubble(t, brokenOff, func(r *harness, script *scripted) {
		r.press("2", "R")
		run := script.current()
		if got, want := run.wasAsked(), ""; got != want || !script.did("retry brook") {
			t.Errorf("asked %q, want %q; %q", got, want, script.calls)
		}
		run.events <- debate.RoundStarted{Session: brokenOff(), Round: 2, At: time.Now()}
		r.wait(time.Second)
		r.sees("Round 2 of 4 resumed.")
		run.end(brokenOff(), context.Canceled)
	})
}
