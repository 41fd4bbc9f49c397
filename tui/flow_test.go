package tui_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
)

// bubble runs a test of the whole program on a usual screen. The script knows
// one session, which is opened; nothing is left running afterwards.
func bubble(t *testing.T, session func() debate.Session, test func(r *harness, script *scripted)) {
	bubbleAt(t, [2]int{140, 40}, session, test)
}

// bubbleAt is bubble in a terminal of a size.
func bubbleAt(t *testing.T, size [2]int, session func() debate.Session, test func(r *harness, script *scripted)) {
	synctest.Test(t, func(t *testing.T) {
		s := session()
		script := storing(s)
		deps := script.deps()
		deps.Start.Session = s.ID
		r := start(t, size[0], size[1], deps)
		defer r.stop()
		test(r, script)
		for _, run := range script.runs {
			finish(r, run)
		}
	})
}

func TestRound_pausesAtItsEnd(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space", "space")
		r.sees("‖ then pauses")
		done := held(3, 2, 4)
		script.current().end(done, nil)
		r.wait(time.Second)
		if len(script.runs) != 1 {
			t.Fatal("the next round began although the user paused")
		}
		r.sees("‖ Paused after round 2.", "space: start round 3.")
		r.press("space")
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestRound_goesOnByItself(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		script.current().end(held(3, 2, 4), nil)
		r.wait(time.Second)
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
		script.current().end(concluded(), nil)
		r.wait(time.Second)
		r.sees("✓ Yes, 2 of 3; no 1 · was no; Brook moved", "╭ Votes ")
	})
}

func TestSeat_cancelAsksOnceAndRetryDoesNot(t *testing.T) {
	bubble(t, func() debate.Session { return held(6, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(6, 1, 4))
		r.wait(time.Second)
		r.press("1", "x")
		r.asks("Cancel Ada? The round goes on without its answer. x cancel · esc back")
		r.press("esc", "x")
		r.confirm("x")
		r.press("5", "R")
		r.press("2", "R")
		r.sees("Brook has answered in round 2.")
		if got := run.wasAsked(); got != "cancel ada, retry eli" {
			t.Error(got)
		}
	})
}

func TestSeat_ofAnEndedRoundRunsAgain(t *testing.T) {
	bubble(t, func() debate.Session {
		s := held(3, 2, 4)
		s.History[1].Responses[2].State = debate.TurnFailed
		s.History[1].Responses[2].Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "ollama does not answer."}
		return s
	}, func(r *harness, script *scripted) {
		r.sees("▸3 Cy", "✗ failed") // the focus is where something is to be done
		r.press("R")
		if !script.did("retry cy") {
			t.Errorf("%q", script.calls)
		}
	})
}

// A second answer of the store must not undo what is already shown.
func TestRoundEnded_doesNotReplaceANewerAnswer(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		script.sessions[billing] = gate()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c")
		r.typeText("42 writes/s")
		r.send()
		r.wait(time.Second)
		r.press("esc")
		run.end(gate(), nil) // read before the answer was recorded
		r.wait(time.Second)
		r.misses("waits for C1")
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
	})
}

// A question that does not fit keeps its keys, and one about a running round goes
// when the round has ended.
func TestQuit_theQuestionShowsItsKeysAndGoesWithTheRound(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.prog.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
		r.wait(time.Second)
		r.press("ctrl+c")
		r.asks("A round is running.", "ctrl+c quit · esc back")
		script.sessions[billing] = gate()
		run.end(gate(), nil)
		r.wait(time.Second)
		r.misses("A round is running")
	})
}

// What is left takes a moment to save. Opened before its lock is back, the session
// would lose that lock while it is open.
func TestHome_aSessionIsOpenedAgainOnceItsLockIsBack(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		script.closing = func() { time.Sleep(time.Minute) }
		r.press("q", "enter")
		r.sees("Saving what was running there; it opens when that is done.")
		r.wait(2 * time.Minute)
		want := []string{"open " + billing, "close " + billing, "open " + billing}
		if got := slices.DeleteFunc(script.calls, func(c string) bool { return !strings.HasSuffix(c, billing) }); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		r.sees("‖ paused", "▸1 Ada")
	})
}

// Who opens another session meanwhile has thought better of the first one.
func TestHome_theLastSessionThatWasWantedIsOpened(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		other := held(3, 1, 4)
		other.ID, other.Topic = "other00000", "Should we rewrite it?"
		script.sessions[other.ID] = other
		script.list = append(script.list, summary(other))
		script.closing = func() { time.Sleep(time.Minute) }
		r.press("q", "enter", "down", "enter")
		r.sees("Should we rewrite it?", "‖ paused")
		r.wait(2 * time.Minute)
		r.sees("Should we rewrite it?", "‖ paused")
		if script.calls[len(script.calls)-1] != "close "+billing {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestAddRound_reopensAConcludedDebate(t *testing.T) {
	bubble(t, concluded, func(r *harness, script *scripted) {
		r.sees("✓ Yes, 2 of 3; no 1")
		r.press("+")
		r.asks("Add round 5? 4-7 calls, 6k-13k tokens, $0.003-0.007.", "+ add · esc back")
		r.press("esc", "+")
		if script.did("add 1") {
			t.Error("it does not ask")
		}
		r.confirm("+")
		r.wait(time.Second)
		if !script.did("add 1") || !script.did("start 5") { // also in a session that was resumed
			t.Errorf("%q", script.calls)
		}
	})
}

// An idle screen is drawn again only as the ages on it change.
func TestIdle_drawsOnlyAges(t *testing.T) {
	t.Parallel()
	bubble(t, gate, func(r *harness, script *scripted) {
		r.wait(3 * time.Second)
		before := r.views.Load()
		r.wait(20 * time.Minute)
		if n := r.views.Load() - before; n < 20 || n > 70 {
			t.Errorf("drawn %d times in idle 20 minutes", n)
		}
		r.sees("22 min")
	})
}

func TestSpinner_turnsOnlyWhileASeatWorks(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		before := r.views.Load()
		r.wait(time.Second)
		if n := r.views.Load() - before; n < 7 || n > 9 {
			t.Errorf("%d frames in a second", n)
		}
		x := stated("ada", 2, "yes", 0.7, "Move.")
		run.events <- debate.TurnEnded{Response: x, At: time.Now()}
		r.wait(time.Second)
		before = r.views.Load()
		r.wait(time.Minute)
		if n := r.views.Load() - before; n > 4 { // for the ages
			t.Errorf("drawn %d times although everybody is done", n)
		}
	})
}

func TestStart_newBeginsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing()
		deps := script.deps()
		deps.Start = tui.Start{New: true, Begin: true, Topic: "Rust or Go?"}
		r := start(t, 80, 24, deps)
		if !script.did("create Rust or Go?") || !script.did("start 1") {
			t.Errorf("%q", script.calls)
		}
		finish(r, script.current())
		r.stop()
	})
}
