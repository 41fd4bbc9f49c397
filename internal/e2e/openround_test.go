//go:build unix

package e2e_test

import (
	"sync/atomic"
	"testing"

	"roundtable/internal/e2e/endpoint"
)

// A round that one of three seats answered waits, also in the next process. A seat that
// is asked again and answers closes it; the last round ends without the others.
func TestOpenRound_waitsForTheUser(t *testing.T) {
	skipShort(t)
	t.Parallel()
	var mended atomic.Bool // m2 answers in round 1
	speak := orator(20, 0)
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "m1" || r.Model == "m2" && mended.Load() && roundAsked(r) == 1 {
			return speak(r)
		}
		return endpoint.Reply{Status: 401}
	})
	env, config := home(t), panel(t, srv.URL, "")
	tm := open(t, env, 80, 24, "--config", config, "new", "Is it so?", "--start")
	tm.await("Only M1 of 3 seats answered in round 1.", "2 M2", "3 M3", "space: go on without them", "space go on")
	tm.send(ctrlC)
	if code := tm.end(); code != 0 {
		t.Fatalf("exit code %d", code)
	}

	mended.Store(true)
	tm = open(t, env, 140, 40, "--config", config, "--last")
	tm.await("Only M1 of 3 seats answered in round 1.", "R: retry a failed seat.")
	tm.press("2R", "Only M1 of 3 seats answered in round 2.")
	if n := len(srv.Requests("m3")); n != 2 {
		t.Errorf("m3 was asked %d times in two rounds", n)
	}
	tm.press("\t ", "incomplete (", "M2 in round 1")
	tm.send(ctrlC)
	if code := tm.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
