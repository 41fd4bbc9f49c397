package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
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
		r.wait(time.Second)
		r.sees("needs you: a question waits for your answer; enter returns to it.", "esc debate")
		r.misses("interrupted")
		script.list = []debate.SessionSummary{summary(gate())}
		run.end(gate(), nil)
		r.wait(2 * time.Second)
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
		synctest.Test(t, func(t *testing.T) {
			script := storing(c.of)
			script.list[0].Holder, script.list[0].Running = debate.Holder{PID: 7, Door: "interface"}, c.runs
			r := start(t, 80, 24, script.deps())
			defer r.stop()
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
		synctest.Test(t, func(t *testing.T) {
			script := storing(c.of)
			until := time.Now().Add(90 * time.Second)
			script.list[0].WaitUntil = until
			r := start(t, 80, 24, script.deps())
			defer r.stop()
			r.sees(c.state + ": a provider asked to wait until " + until.Format("15:04") + ".")
			r.wait(2 * time.Minute)
			r.sees(c.state + ": " + c.then)
		})
	}
}

// A question of the user's own starts no demo by itself; by its command the demo is chosen.
func TestNewDebate_withoutModelsStartsNoDemo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing()
		script.offer.Demo = session(3, 2)
		for i := range script.offer.Seats[1:] { // one alone is no panel
			script.offer.Seats[i].Problem = "set A_KEY"
		}
		r := start(t, 140, 40, script.deps())
		defer r.stop()
		r.sees("! At least two seats with a model are needed. Set what the seats lack", "The panel demo needs no model", "on Panel chooses it.")
		r.misses("config init")
		r.typeText("Rust or Go?")
		r.press("ctrl+s")
		if r.wait(time.Second); script.did("create Rust or Go?") {
			t.Errorf("%q", script.calls)
		}
		r.named("demo")
		if r.wait(time.Second); !script.did("create Rust or Go?") {
			t.Errorf("%q", script.calls)
		}
		finish(r, script.current())
	})
}

// A config can be written from the list too, not at the first start alone.
func TestPalette_writesAConfig(t *testing.T) {
	for write, want := range map[bool]string{
		true:  "Wrote /home/me/config.toml. Edit it, then restart Roundtable.",
		false: "There is a config file already; `roundtable config path` prints where.",
	} {
		synctest.Test(t, func(t *testing.T) {
			script := storing(gate())
			for i := range script.offer.Seats {
				script.offer.Seats[i].Problem = "set A_KEY"
			}
			deps := script.deps()
			if deps.WriteConfig = nil; write {
				deps.WriteConfig = func(context.Context) (string, error) { return "/home/me/config.toml", nil }
			}
			r := start(t, 80, 24, deps)
			defer r.stop()
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
		"changes":    {sees: []string{"Which defects do the changes since main", "3 seats, about $", "to OpenAI", "logo.png: binary.", "enter review · esc back"}, did: true},
		"no changes": {err: errors.New("there are no changes since main"), sees: []string{"There are no changes since main."}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := storing(gate())
				deps, review := script.deps(), session(3, 2)
				deps.Review = func(_ context.Context, base string) (debate.Session, []string, error) {
					review.Topic = "Which defects do the changes since " + base + " have?"
					return review, slices.Concat([]string{"logo.png: binary"}, c.notes), c.err
				}
				r := start(t, 80, 24, deps)
				defer r.stop()
				r.named("review")
				r.sees("changes since >")
				r.typeText("main")
				r.press("enter")
				r.asks(c.sees...)
				r.press("!") // all of a long question, which is not answered
				r.asks(c.all...)
				r.press("enter")
				r.wait(time.Second)
				if c.did {
					finish(r, script.current())
				}
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
			synctest.Test(t, func(t *testing.T) {
				script := storing(session())
				deps := script.deps()
				deps.ReadOnly = "the database is read-only"
				r := start(t, 140, 40, deps)
				defer r.stop()
				r.sees("Nothing can be saved: the database is read-only.")
				r.press("x")
				r.sees("Read-only, nothing can be saved: the database is read-only.")
				r.press("enter")
				r.wait(2 * time.Second)
				r.sees("‖ Nothing can be saved: the database is read-only.", "Read-only: you can view and export, but not continue.", "1 Ada")
				r.misses("c answer", "Press c")
				for _, key := range []string{"space", "x", "f", "i", "+", "S"} {
					r.press(key)
					r.sees("Read-only, nothing can be saved: the database is read-only.")
				}
				r.press("c")
				r.typeText("a sentence")
				r.press("esc", "", "s", "", "ctrl+n")
				r.typeText("Rust or Go?")
				r.press("ctrl+s")
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
	synctest.Test(t, func(t *testing.T) {
		script := storing(gate())
		script.holder = &debate.Holder{PID: 7, Door: "run"}
		r := start(t, 80, 24, script.deps())
		r.press("enter", "c")
		r.typeText("reader")
		r.sees("Nothing can be saved: it is open in another Roundtable (run, pid 7).")
		r.misses("ctrl+x unavailable", "drafts kept", "enter save", "End now")
		r.stop()
		time.Sleep(time.Minute) // until it does not look again whether it is still open there
		if script.did("draft C1 reader") {
			t.Errorf("%q", script.calls)
		}
	})
}

// A debate that another process has open is read along: what that one stores is shown, nothing can
// be changed, and once it has closed the debate, it is open here.
func TestOpen_readsAlongWhatIsOpenElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(held(3, 1, 4))
		id := script.list[0].ID
		script.holder = &debate.Holder{PID: 7, Door: "run"}
		r := start(t, 120, 36, script.deps())
		defer r.stop()
		r.press("enter")
		r.sees("round 1 of 4 · ‖ read-only: open in another Roundtable (run, pid 7) \n", "you can view and export")
		r.press("space")
		r.sees("it is open in another Roundtable (run, pid 7).")
		if script.did("start 2") {
			t.Error("a round was started in a debate of another process")
		}
		further := held(3, 2, 4)
		further.Updated, further.History[1].Ended = time.Now(), time.Time{}
		first := &further.History[1].Responses[0]
		first.State, first.Ended, first.Statement = debate.TurnRunning, time.Time{}, debate.Statement{}
		script.mu.Lock()
		script.sessions[id] = further
		script.mu.Unlock()
		r.wait(2 * time.Second)
		r.sees("round 2 of 4", "open in another Roundtable (run, pid 7)", "writing ╮")
		r.misses("interrupted")
		script.mu.Lock()
		script.unread = errors.New("the disk is gone")
		script.mu.Unlock()
		r.wait(2 * time.Second)
		r.sees("The disk is gone.")
		r.press("space") // another notice stays
		r.wait(5 * time.Second)
		r.misses("The disk is gone.")
		script.mu.Lock()
		script.holder, script.unread, script.sessions[id] = nil, nil, held(3, 2, 4)
		script.mu.Unlock()
		r.wait(2 * time.Second)
		r.sees("round 2 of 4")
		r.misses("another Roundtable")
		r.press("space")
		if !script.did("start 3") {
			t.Fatal("it cannot be continued")
		}
		script.current().end(gate(), nil)
		r.wait(time.Second)
	})
}
