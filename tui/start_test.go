package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/tui"
)

// A debate that goes on is never called interrupted, and the list follows it.
func TestHome_saysWhatRuns(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		cut := summary(s)
		cut.Status = debate.Interrupted
		script.list = []debate.SessionSummary{cut}
		r.press("s")
		r.sees("needs you: a question waits for your answer; enter returns to it.", "esc debate")
		r.misses("interrupted")
		script.list = []debate.SessionSummary{summary(gate())}
		r.over(gate(), nil)
		r.sees("◷ Should billing", "needs you: ")
		r.misses("running")
	})
}

// What another process has open runs there, or is only open: its holder says which.
func TestHome_saysWhatRunsElsewhere(t *testing.T) {
	for _, c := range []struct {
		runs      bool
		of        debate.Session
		row, said string
	}{
		{false, interrupted(), "paused: open in another Roundtable (interface, pid 7).", "Only a debate that runs can be paused."},
		{true, interrupted(), "running: round 2 of 4 runs, in another Roundtable.", "in another Roundtable (interface, pid 7). Pause it there."},
		{true, held(3, 2, 2), "running: the verdict is being written, in another Roundtable.", "Pause it there."},
	} {
		bubbleWith(t, small, func() debate.Session { return c.of }, func(d *tui.Deps, s *scripted) {
			onList(d, s)
			s.list[0].Holder, s.list[0].Running = debate.Holder{PID: 7, Door: "interface"}, c.runs
		}, func(r *harness, _ *scripted) {
			r.sees(c.row)
			r.press("space")
			r.sees(c.said)
		})
	}
}

// A debate that waits for a provider says until when, for as long as that is to come.
func TestHome_saysUntilWhenAProviderAskedToWait(t *testing.T) {
	for _, c := range []struct {
		of          debate.Session
		state, then string
	}{
		{interrupted(), "paused", "round 2 has not ended."},
		{held(3, 2, 2), "ready", "the verdict comes next."},
	} {
		var until time.Time
		bubbleWith(t, small, func() debate.Session { return c.of }, func(d *tui.Deps, s *scripted) {
			onList(d, s)
			until = time.Now().Add(90 * time.Second)
			s.list[0].WaitUntil = until
		}, func(r *harness, _ *scripted) {
			r.sees(c.state + ": a provider asked to wait until " + until.Format("15:04") + ".")
			r.wait(2 * time.Minute)
			r.sees(c.state + ": " + c.then)
		})
	}
}

// A question of the user's own starts no demo by itself; by its command the demo is chosen.
func TestNewDebate_withoutModelsStartsNoDemo(t *testing.T) {
	bubbleWith(t, usual, nil, func(_ *tui.Deps, s *scripted) {
		s.offer.Demo = session(3, 2)
		for i := range s.offer.Seats[1:] { // one alone is no panel
			s.offer.Seats[i].Problem = "set A_KEY"
		}
	}, func(r *harness, _ *scripted) {
		r.sees("! At least two seats with a model are needed. Set what the seats lack", "The panel demo needs no model", "on Panel chooses it.")
		r.misses("config init")
		r.press("Rust or Go?", "ctrl+s")
		r.wait(time.Second)
		r.didNot("create Rust or Go?")
		r.named("demo")
		r.did("create Rust or Go?")
	})
}

// A config can be written from the list too, not at the first start alone.
func TestPalette_writesAConfig(t *testing.T) {
	for write, want := range map[bool]string{
		true:  "Wrote /home/me/config.toml. Edit it, then restart Roundtable.",
		false: "There is a config file already; `roundtable config path` prints where.",
	} {
		bubbleWith(t, small, gate, func(d *tui.Deps, s *scripted) {
			onList(d, s)
			for i := range s.offer.Seats {
				s.offer.Seats[i].Problem = "set A_KEY"
			}
			if write {
				d.WriteConfig = func(context.Context) (string, error) { return "/home/me/config.toml", nil }
			}
		}, func(r *harness, _ *scripted) {
			r.sees("too few seats ready; ctrl+n shows what is missing")
			r.named("config")
			r.sees(want)
		})
	}
}

// A review asks for its base, and before it costs anything.
func TestPalette_startsAReview(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		sees []string
		did  bool

		notes, all []string
	}{
		"many notes": {
			sees: []string{"! more", "enter review · esc back"}, did: true,
			notes: slices.Repeat([]string{strings.Repeat("word ", 12) + "is masked."}, 4), all: []string{"is masked; word word", "word is masked. "},
		},
		"changes":           {sees: []string{"Which defects do the changes since main", "3 seats, about $", "to OpenAI", "logo.png: binary.", "enter review · esc back"}, did: true},
		"nothing to review": {err: errors.New("there is nothing to review since main"), sees: []string{"There is nothing to review since main."}},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, small, gate, func(d *tui.Deps, s *scripted) {
				onList(d, s)
				review := session(3, 2)
				d.Review = func(_ context.Context, base string) (debate.Session, []string, error) {
					review.Topic = "Which defects do the changes since " + base + " have?"
					return review, slices.Concat([]string{"logo.png: binary"}, c.notes), c.err
				}
			}, func(r *harness, script *scripted) {
				r.named("review")
				r.sees("changes since >")
				r.press("main", "enter")
				r.asks(c.sees...)
				r.press("!") // all of a long question, which is not answered
				r.asks(c.all...)
				r.press("enter")
				r.wait(time.Second)
				if did := script.did("create Which defects do the changes since main have?"); did != c.did {
					t.Errorf("%q", script.calls)
				}
			})
		})
	}
}

// Where nothing can be saved, debates can be read, and whatever would change one
// says why it cannot.
func TestReadOnly_showsDebatesAndChangesNothing(t *testing.T) {
	for name, session := range map[string]func() debate.Session{"cut off": interrupted, "at the gate": gate} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, usual, session, func(d *tui.Deps, s *scripted) {
				onList(d, s)
				d.ReadOnly = "the database is read-only"
			}, func(r *harness, script *scripted) {
				r.sees("Nothing can be saved: the database is read-only.")
				r.press("x")
				r.sees("Read-only, nothing can be saved: the database is read-only.")
				r.press("enter")
				r.sees("‖ Nothing can be saved: the database is read-only.", "Read-only: you can view and export, but not continue.", "1 Ada")
				r.misses("c answer", "Press c")
				for _, key := range []string{"space", "x", "f", "i", "+", "S"} {
					r.press(key)
					r.sees("Read-only, nothing can be saved: the database is read-only.")
				}
				r.press("c", "a sentence", "esc", "", "s", "", "ctrl+n", "Rust or Go?", "ctrl+s")
				r.sees("Read-only, nothing can be saved: the database is read-only.")
				if got := strings.TrimSuffix(strings.Join(script.calls, "; "), "; close "+billing); got != "open "+billing || len(script.runs) > 0 {
					t.Errorf("it did %q", got)
				}
			})
		})
	}
}

// What is typed where the debate is open elsewhere is not stored in its place.
func TestOpen_elsewhereKeepsTheDraftsThereAre(t *testing.T) {
	bubbleWith(t, usual, gate, func(d *tui.Deps, s *scripted) {
		onList(d, s)
		s.holder = &debate.Holder{PID: 7, Door: "run"}
	}, func(r *harness, _ *scripted) {
		r.press("enter", "c", "reader")
		r.sees("Nothing can be saved: it is open in another Roundtable (run, pid 7).")
		r.misses("ctrl+x unavailable", "drafts kept", "enter save", "End now")
		r.stop()
		time.Sleep(time.Minute) // until it does not look again whether it is still open there
		r.didNot("draft C1 reader")
	})
}

// A debate that another process has open is read along: what that one stores is shown, nothing can
// be changed, and once it has closed the debate, it is open here.
func TestOpen_readsAlongWhatIsOpenElsewhere(t *testing.T) {
	bubbleWith(t, usual, round1Done, func(d *tui.Deps, s *scripted) {
		onList(d, s)
		s.holder = &debate.Holder{PID: 7, Door: "run"}
	}, func(r *harness, script *scripted) {
		r.press("enter")
		r.sees("round 1 of 4 · ‖ read-only: open in another Roundtable (run, pid 7) \n", "you can view and export")
		r.press("space")
		r.sees("it is open in another Roundtable (run, pid 7).")
		r.didNot("start 2")
		further := held(3, 2, 4)
		further.Updated, further.History[1].Ended = time.Now(), time.Time{}
		first := &further.History[1].Responses[0]
		first.State, first.Ended, first.Statement = debate.TurnRunning, time.Time{}, debate.Statement{}
		script.set(func() { script.sessions[billing] = further })
		r.wait(2 * time.Second)
		r.sees("round 2 of 4", "open in another Roundtable (run, pid 7)", "writing ╮")
		r.misses("interrupted")
		script.set(func() { script.unread = errors.New("the disk is gone") })
		r.wait(2 * time.Second)
		r.sees("The disk is gone.")
		r.press("space") // another notice stays
		r.wait(5 * time.Second)
		r.misses("The disk is gone.")
		script.set(func() { script.holder, script.unread, script.sessions[billing] = nil, nil, held(3, 2, 4) })
		r.wait(2 * time.Second)
		r.sees("round 2 of 4")
		r.misses("another Roundtable")
		r.press("space")
		r.did("start 3")
		r.over(gate(), nil)
	})
}
