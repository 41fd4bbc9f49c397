package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
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

var two = []string{"aaaaaaaaaa", "bbbbbbbbbb"}

// ofSeveral runs a test on the list of some sessions, of which so many may run at once.
func ofSeveral(t *testing.T, atOnce, seats int, ids []string, test func(r *harness, script *scripted)) {
	t.Helper()
	bubbleWith(t, usual, func() debate.Session { return several(seats, ids...)[0] }, func(d *tui.Deps, s *scripted) {
		s.knows(several(seats, ids[1:]...)...)
		onList(d, s)
		d.Background = atOnce
	}, test)
}

// playNth opens the n-th session of the list and begins a round.
func (r *harness) playNth(n int) *run {
	r.press("g")
	for range n {
		r.press("j")
	}
	r.press("enter")
	r.wait(time.Second)
	r.press("space")
	r.wait(10 * time.Millisecond)
	return r.script.current()
}

// Of three debates of eight seats at once, each shows its own events alone, and the ones in
// the background are drawn at once as they are.
func TestBackground_threeDebatesOfEightSeats(t *testing.T) {
	ids := []string{"aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"}
	ofSeveral(t, 0, 8, ids, func(r *harness, script *scripted) {
		var runs []*run
		for i := range ids {
			runs = append(runs, r.playNth(i+1))
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
		r.quits()
		for _, id := range ids {
			r.did("close " + id)
			if said := r.model.Farewell(); !strings.Contains(said, "roundtable resume "+id) {
				t.Errorf("%s: it says %q", id, said)
			}
		}
	})
}

// What a debate in the background needs or comes to is told, nothing opens, and its lock is
// given back.
func TestBackground_saysWhatBecameOfADebate(t *testing.T) {
	for name, c := range map[string]struct {
		becomes func() debate.Session
		err     error
		want    string
	}{
		"verdict": {concluded, nil, `"Topic of aaaaaaaaaa" has ended.`},
		"asks":    {gate, nil, `"Topic of aaaaaaaaaa" needs you. Round 3 waits for C1 (Cy).`},
		"fails":   {func() debate.Session { return openRound(3) }, openRound(3).OpenRound(), `is waiting for you: `},
		"budget":  {round1Done, &debate.BudgetError{}, "stopped: the budget is used up."},
	} {
		t.Run(name, func(t *testing.T) {
			ofSeveral(t, 0, 3, two, func(r *harness, _ *scripted) {
				run, s := r.playNth(1), c.becomes()
				r.press("q")
				r.playNth(2)
				r.press("q", "ctrl+n", "Rust") // a form is typed in
				s.ID, s.Topic = run.session.ID, run.session.Topic
				if s.Verdict != nil {
					run.events <- debate.Concluded{Session: s, At: time.Now()}
				}
				run.end(s, c.err)
				r.wait(time.Second)
				r.sees(c.want, "Rust", "+1 running")
				r.did("close aaaaaaaaaa")
				r.didNot("close bbbbbbbbbb")
			})
		})
	}
}

// Between rounds a debate in the background goes on by itself.
func TestBackground_goesOnFromRoundToRound(t *testing.T) {
	ofSeveral(t, 0, 3, two, func(r *harness, script *scripted) {
		run := r.playNth(1)
		r.press("q")
		next := held(3, 2, 4)
		next.ID = run.session.ID
		r.over(next, nil)
		r.ran(2)
		r.did("start 3")
		r.didNot("close aaaaaaaaaa")
		asks := agents.Turn{Session: next.ID, Round: 3, Attempt: 1, Agent: "ada"}
		r.hears(debate.ApprovalAsked{Turn: asks, CallID: "1", Argv: []string{"ls"}})
		r.sees("a command needs your approval.", "+1 running, 1 asks")
	})
}

// space on the list pauses a debate, and only then can it be deleted.
func TestBackground_isPausedFromTheList(t *testing.T) {
	ofSeveral(t, 0, 3, two, func(r *harness, script *scripted) {
		run := r.playNth(1)
		r.press("q", "x")
		r.sees("This debate runs. Press space to pause it first.")
		r.press("", "space")
		r.asks("Pause now? Finished answers are saved")
		r.press("space")
		<-run.stopped
		r.over(run.session, debate.ErrStopped)
		r.did("close aaaaaaaaaa")
		r.misses("+1 running")
		r.press("space")
		r.sees("Only a debate that runs can be paused.")
	})
}

// A debate beyond those that may run at once says that it waits, and begins when another one
// waits or ends.
func TestBackground_theNextOneWaits(t *testing.T) {
	ofSeveral(t, 1, 3, two, func(r *harness, script *scripted) {
		run := r.playNth(1)
		r.press("q")
		r.playNth(2)
		r.ran(1)
		r.sees("As many debates run as may at once. This one begins when one of them waits or ends.", "+1 running")
		r.press("q")
		r.sees("waits its turn: begins when fewer debates run.")
		r.over(run.session, debate.ErrStopped)
		if r.ran(2); script.current().session.ID != "bbbbbbbbbb" {
			t.Errorf("%q", script.calls)
		}
		r.sees("running: enter returns to it.")
	})
}

// A second ctrl+c quits however soon it comes.
func TestQuit_takesASecondCtrlCAtOnce(t *testing.T) {
	ofSeveral(t, 0, 3, two[:1], func(r *harness, script *scripted) {
		r.playNth(1)
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
	slowly := func(d *tui.Deps, s *scripted) {
		other := gate()
		other.ID, other.Topic = "other00000", "Rust or Go?"
		s.knows(other)
		d.Sessions = slowOpen{s}
	}
	bubbleWith(t, usual, gate, slowly, func(r *harness, script *scripted) {
		r.press("esc", "s", "j", "enter", "esc", "S")
		r.sees("End now?")
		r.wait(2 * time.Second)
		r.sees("Rust or Go?")
		r.misses("End now?")
		r.press("enter")
		r.ran(0)
	})
}
