package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
)

func several(seats int, ids ...string) []debate.Session {
	var all []debate.Session
	for _, id := range ids {
		s := held(seats, 1, 4)
		s.ID, s.Topic = id, "Topic of "+id
		all = append(all, s)
	}
	return all
}

// atList runs a test on the list of some sessions. What still runs is ended afterwards.
func atList(t *testing.T, sessions []debate.Session, change func(*tui.Deps), test func(r *harness, script *scripted)) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(sessions[0])
		for _, s := range sessions[1:] {
			script.sessions[s.ID] = s
			script.list = append(script.list, summary(s))
		}
		deps := script.deps()
		if change != nil {
			change(&deps)
		}
		r := start(t, 140, 40, deps)
		defer r.stop()
		test(r, script)
		for _, run := range script.runs {
			finish(r, run)
		}
	})
}

func (r *harness) play(script *scripted, n int) *run {
	r.press("g")
	for range n {
		r.press("j")
	}
	r.press("enter")
	r.wait(time.Second)
	r.press("space")
	r.wait(10 * time.Millisecond)
	return script.current()
}

// Of three debates of eight seats at once, each shows its own events alone, and the ones in
// the background are drawn at once as they are.
func TestBackground_threeDebatesOfEightSeats(t *testing.T) {
	ids := []string{"aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"}
	atList(t, several(8, ids...), nil, func(r *harness, script *scripted) {
		var runs []*run
		for i := range ids {
			runs = append(runs, r.play(script, i+1))
			if i < 2 {
				r.press("q")
				r.sees("+ New debate", "running")
			}
		}
		for i, run := range runs {
			next := run.session
			next.History = append(next.History[:1:1], debate.Round{Number: 2, Began: time.Now(), Manifest: started(run.session, 2)})
			run.events <- debate.RoundStarted{Session: next, Round: 2, At: time.Now()}
			for _, p := range run.session.Seats {
				run.events <- debate.TurnStarted{Turn: turn(p.ID, 2), At: time.Now()}
				run.say(p.ID, fmt.Sprintf("word%d of %s", i, p.ID))
			}
		}
		r.wait(time.Second)
		r.sees("Topic of cccccccccc", "word2 of ada", "+2 running")
		r.misses("word0", "word1")
		r.press("esc")
		r.sees("3 debates run in the background.", "running: enter returns to it.")
		r.press("g", "j", "enter")
		r.sees("Topic of aaaaaaaaaa", "round 2 of 4", "word0 of ada") // without a moment's wait
		r.misses("word1", "word2", "paused")
		r.press("q", "ctrl+c")
		r.asks(`3 debates run: "Topic of aaaaaaaaaa", "Topic of bbbbbbbbbb" and "Topic of cccccccccc".`)
		for _, run := range runs {
			finish(r, run)
		}
		r.press("ctrl+c")
		r.quit.Do(r.ended)
		for _, id := range ids {
			if !script.did("close "+id) || !strings.Contains(r.model.Farewell(), "roundtable resume "+id) {
				t.Errorf("%s: %q, and it says %q", id, script.calls, r.model.Farewell())
			}
		}
	})
}

// What a debate in the background needs or comes to is told, nothing opens, and its lock is
// given back.
func TestBackground_saysWhatBecameOfADebate(t *testing.T) {
	ended := func(s debate.Session) debate.Session {
		done := concluded()
		done.ID, done.Topic, done.Updated = s.ID, s.Topic, s.Updated
		return done
	}
	asks := func(s debate.Session) debate.Session {
		at := gate()
		at.ID, at.Topic = s.ID, s.Topic
		return at
	}
	for name, c := range map[string]struct {
		becomes func(debate.Session) debate.Session
		err     error
		want    string
	}{
		"verdict": {ended, nil, `"Topic of aaaaaaaaaa" has ended.`},
		"asks":    {asks, nil, `"Topic of aaaaaaaaaa" needs you. Round 3 waits for C1 (Cy).`},
		"fails":   {func(debate.Session) debate.Session { return openRound(3) }, openRound(3).OpenRound(), `is waiting for you: `},
		"budget":  {func(s debate.Session) debate.Session { return s }, &debate.BudgetError{}, "stopped: the budget is used up."},
	} {
		t.Run(name, func(t *testing.T) {
			atList(t, several(3, "aaaaaaaaaa", "bbbbbbbbbb"), nil, func(r *harness, script *scripted) {
				run := r.play(script, 1)
				r.press("q")
				r.play(script, 2)
				r.press("q", "ctrl+n") // a form is typed in
				r.typeText("Rust")
				s := c.becomes(run.session)
				s.ID, s.Topic = run.session.ID, run.session.Topic
				if s.Verdict != nil {
					run.events <- debate.Concluded{Session: s, At: time.Now()}
				}
				run.end(s, c.err)
				r.wait(time.Second)
				r.sees(c.want, "Rust", "+1 running")
				if !script.did("close aaaaaaaaaa") || script.did("close bbbbbbbbbb") {
					t.Errorf("%q", script.calls)
				}
			})
		})
	}
}

// Between rounds a debate in the background goes on by itself.
func TestBackground_goesOnFromRoundToRound(t *testing.T) {
	atList(t, several(3, "aaaaaaaaaa", "bbbbbbbbbb"), nil, func(r *harness, script *scripted) {
		run := r.play(script, 1)
		r.press("q")
		next := held(3, 2, 4)
		next.ID = run.session.ID
		run.end(next, nil)
		r.wait(time.Second)
		if len(script.runs) != 2 || !script.did("start 3") || script.did("close aaaaaaaaaa") {
			t.Errorf("%q", script.calls)
		}
		asks := agents.Turn{Session: next.ID, Round: 3, Attempt: 1, Agent: "ada"}
		script.current().events <- debate.ApprovalAsked{Turn: asks, CallID: "1", Argv: []string{"ls"}}
		r.wait(time.Second)
		r.sees("a command needs your approval.", "+1 running, 1 asks")
	})
}

// space on the list pauses a debate, and only then can it be deleted.
func TestBackground_isPausedFromTheList(t *testing.T) {
	atList(t, several(3, "aaaaaaaaaa", "bbbbbbbbbb"), nil, func(r *harness, script *scripted) {
		run := r.play(script, 1)
		r.press("q", "x")
		r.sees("This debate runs. Press space to pause it first.")
		r.press("", "space")
		r.asks("Pause now? Finished answers are saved")
		r.press("space")
		<-run.stopped
		run.end(run.session, debate.ErrStopped)
		r.wait(time.Second)
		if !script.did("close aaaaaaaaaa") {
			t.Errorf("%q", script.calls)
		}
		r.misses("+1 running")
		r.press("space")
		r.sees("Only a debate that runs can be paused.")
	})
}

// A debate beyond those that may run at once says that it waits, and begins when another one
// waits or ends.
func TestBackground_theNextOneWaits(t *testing.T) {
	atMost := func(n int) func(*tui.Deps) { return func(d *tui.Deps) { d.Background = n } }
	atList(t, several(3, "aaaaaaaaaa", "bbbbbbbbbb"), atMost(1), func(r *harness, script *scripted) {
		run := r.play(script, 1)
		r.press("q")
		r.play(script, 2)
		if len(script.runs) != 1 {
			t.Fatalf("%q", script.calls)
		}
		r.sees("As many debates run as may at once. This one begins when one of them waits or ends.", "+1 running")
		r.press("q")
		r.sees("waits its turn: begins when fewer debates run.")
		stopped := held(3, 1, 4)
		stopped.ID = run.session.ID
		run.end(stopped, debate.ErrStopped)
		r.wait(time.Second)
		if len(script.runs) != 2 || script.current().session.ID != "bbbbbbbbbb" {
			t.Errorf("%q", script.calls)
		}
		r.sees("running: enter returns to it.")
	})
}

// A second ctrl+c quits however soon it comes.
func TestQuit_takesASecondCtrlCAtOnce(t *testing.T) {
	atList(t, several(3, "aaaaaaaaaa"), nil, func(r *harness, script *scripted) {
		finish(r, r.play(script, 1))
		r.prog.Send(keyOf("ctrl+c"))
		r.prog.Send(keyOf("ctrl+c"))
		r.quit.Do(r.ended)
	})
}

// slowOpen needs seconds to open another session.
type slowOpen struct{ *scripted }

func (u slowOpen) Open(ctx context.Context, id string) (debate.Session, error) {
	if id != billing {
		time.Sleep(time.Second)
	}
	return u.scripted.Open(ctx, id)
}

// What was asked about one debate is not answered for another that opens meanwhile.
func TestOpen_dropsAQuestionAboutAnotherDebate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := gate()
		other.ID, other.Topic = "other00000", "Rust or Go?"
		script := storing(gate(), other)
		deps := script.deps()
		deps.Sessions, deps.Start.Session = slowOpen{script}, billing
		r := start(t, 140, 40, deps)
		defer r.stop()
		r.wait(2 * time.Second)
		r.press("esc", "s", "j", "enter", "esc", "S")
		r.sees("End now?")
		r.wait(2 * time.Second)
		r.sees("Rust or Go?")
		r.misses("End now?")
		r.press("enter")
		if len(script.runs) > 0 {
			t.Errorf("the other debate was ended: %q", script.calls)
			finish(r, script.current())
		}
	})
}
