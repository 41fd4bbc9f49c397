package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui"
)

// bubble runs a test of the whole program on a usual screen. The script knows
// one session, which is opened; nothing is left running afterwards.
func bubble(t *testing.T, session func() debate.Session, test func(r *rig, script *scripted)) {
	synctest.Test(t, func(t *testing.T) {
		s := session()
		script := shelf(s)
		deps := script.deps()
		deps.Start.Session = s.ID
		r := start(t, 140, 40, deps)
		defer r.stop()
		test(r, script)
		for _, run := range script.runs {
			finish(r, run)
		}
	})
}

func TestResume_isPausedUntilSpace(t *testing.T) {
	bubble(t, interrupted, func(r *rig, script *scripted) {
		r.wait(time.Minute)
		if len(script.runs) != 0 {
			t.Fatal("a saved session runs by itself")
		}
		r.sees("‖ Paused. Roundtable stopped at 23:56, in round 2.", "space runs Cy again, free (local).")
		r.press("space")
		if !script.did("start 0") {
			t.Error("space plays the rest of the round")
		}
	})
}

// The form opens when the round is done, not before, and nothing is started
// until the gate is open.
func TestForm_opensByItselfAndBlocks(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.sees("● 1 required left", "Cy asks:")
		r.misses("Context for round 3")

		done := gate()
		script.sessions[billing] = done
		run.end(done, nil)
		r.wait(2 * time.Second)
		r.sees("Context for round 3", "◷ waiting for you", "■ Release round 3: blocked")
		r.press("ctrl+s")
		r.wait(time.Second)
		if n := len(script.runs); n != 1 {
			t.Fatalf("%d runs: a round began although C1 is open", n)
		}
		r.sees("Not released. C1 needs an answer")

		r.typeText("42 writes/s")
		r.press("ctrl+s")
		r.wait(time.Second)
		if !script.did("answer C1 42 writes/s") || !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
		r.misses("Context for round 3")
		if got, _ := script.current().session.Request("C1"); got.State != ledger.Resolved {
			t.Errorf("round 3 starts from C1 %s", got.State)
		}
	})
}

// What was typed for another place must neither answer nor run anything.
func TestForm_ignoresKeysForAMoment(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		script.sessions[billing] = gate()
		run.speaking(held(3, 1, 4))
		run.end(gate(), nil)
		r.wait(50 * time.Millisecond)
		r.sees("finish typing")
		if r.last.Load().Cursor != nil {
			t.Error("there is a cursor although keys are ignored")
		}
		r.typeText("xq")
		r.press("ctrl+s", ":", "esc")
		r.sees("finish typing")
		r.wait(time.Second)
		r.misses("finish typing", "Commands", "xq")
		r.sees("0 of 65,536")
		if r.last.Load().Cursor == nil {
			t.Error("there is no cursor")
		}
		r.typeText("now it types")
		r.sees("now it types")
	})
}

func TestForm_savesDraftsWithinASecond(t *testing.T) {
	bubble(t, gate, func(r *rig, script *scripted) {
		r.wait(2 * time.Second)
		r.typeText("42")
		r.wait(998 * time.Millisecond)
		if !script.did("draft C1 42") {
			t.Errorf("%q", script.calls)
		}
		calls := len(script.calls)
		r.wait(time.Hour)
		if len(script.calls) != calls {
			t.Errorf("saved again without a key: %q", script.calls[calls:])
		}
	})
}

func TestForm_quittingKeepsWhatWasTypedLast(t *testing.T) {
	bubble(t, gate, func(r *rig, script *scripted) {
		r.wait(2 * time.Second)
		r.typeText("half an ans")
		r.press("ctrl+c")
		r.quit.Do(r.ended)
		if !script.did("draft C1 half an ans") || !script.did("close "+billing) {
			t.Errorf("%q", script.calls)
		}
		if got := r.model.Farewell(); got != "Continue: roundtable resume "+billing {
			t.Error(got)
		}
	})
}

// esc closes the form and keeps the draft; the round does not start by that.
func TestForm_escKeepsDrafts(t *testing.T) {
	bubble(t, gate, func(r *rig, script *scripted) {
		r.wait(2 * time.Second)
		r.typeText("42")
		r.press("esc")
		r.sees("● 1 required left · c answer", "▸1 Ada")
		r.press("c")
		r.sees("42", "1 draft")
		if len(script.runs) > 0 {
			t.Error("something runs")
		}
	})
}

// The end of a round must not take the form away from somebody who answers early.
func TestForm_openedDuringARoundHoldsTheNextOne(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		done := gate()
		done.Requests[0].Seq, done.Requests[0].Priority = 2, ledger.Optional
		done.Requests[0].Asks[0].Priority = ledger.Optional
		script.sessions[billing] = done
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c")
		r.typeText("maybe 40")
		run.end(done, nil)
		r.wait(time.Second)
		r.sees("maybe 40", "Release round 3")
		if len(script.runs) != 1 {
			t.Fatal("round 3 began under the user's hands")
		}
		r.press("esc")
		if !script.did("start 3") {
			t.Error("the debate goes on when the form is closed")
		}
	})
}

func TestForm_endNowAsksAndConcludes(t *testing.T) {
	bubble(t, gate, func(r *rig, script *scripted) {
		r.wait(2 * time.Second)
		r.press("esc", ":")
		r.typeText("end the debate")
		r.press("enter")
		r.sees("End now? C1 stays unanswered and is exported so; the chair concludes. enter ends · esc stays")
		r.press("esc")
		if script.did("stop user") {
			t.Fatal("esc stays")
		}
		r.press(":")
		r.typeText("end the debate")
		r.press("enter", "enter")
		r.wait(time.Second)
		if !script.did("stop user") || !script.did("conclude") {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestRound_pausesAtItsEnd(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space", "space")
		r.sees("‖ then pauses")
		done := held(3, 2, 4)
		script.current().end(done, nil)
		r.wait(time.Second)
		if len(script.runs) != 1 {
			t.Fatal("the next round began although the user paused")
		}
		r.sees("‖ Paused. Round 2 is done.", "space starts round 3.")
		r.press("space")
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestRound_goesOnByItself(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		script.current().end(held(3, 2, 4), nil)
		r.wait(time.Second)
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
		script.current().end(concluded(), nil)
		r.wait(time.Second)
		r.sees("✓ Full verdict", "Without the debate")
	})
}

func TestSeat_cancelAsksOnceAndRetryDoesNot(t *testing.T) {
	bubble(t, func() debate.Session { return held(6, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(6, 1, 4))
		r.wait(time.Second)
		r.press("x")
		r.sees("Cancel Ada? 78 tok are kept, not used. x cancels · esc goes on")
		r.press("esc", "x", "x")
		r.press("5", "x")
		r.press("2", "x")
		r.sees("Brook is done.")
		if got := run.wasAsked(); got != "cancel ada, retry eli" {
			t.Error(got)
		}
	})
}

func TestSeat_ofAnEndedRoundRunsAgain(t *testing.T) {
	bubble(t, func() debate.Session {
		s := held(3, 2, 4)
		s.History[1].Responses[2].State = debate.TurnFailed
		s.History[1].Responses[2].Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "ollama does not answer.", Retryable: true}
		return s
	}, func(r *rig, script *scripted) {
		r.sees("▸3 Cy", "✗ failed") // the focus is where something is to be done
		r.press("x")
		if !script.did("retry cy") {
			t.Errorf("%q", script.calls)
		}
	})
}

// A second answer of the store must not undo what is already shown.
func TestRoundEnded_doesNotReplaceANewerAnswer(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		script.sessions[billing] = gate()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c")
		r.typeText("42 writes/s")
		r.press("ctrl+s")
		r.wait(time.Second)
		r.press("esc")
		run.end(gate(), nil) // read before the answer was recorded
		r.wait(time.Second)
		r.misses("1 required left")
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
	})
}

func TestQuit_asksOnceWhileARoundRuns(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("ctrl+c")
		r.sees("A round is running. Finished answers are saved, Ada's is asked again on resume. ctrl+c quits · esc stays")
		r.press("esc", "j")
		finish(r, run)
		r.press("ctrl+c", "ctrl+c")
		r.quit.Do(r.ended)
		if !script.did("close " + billing) {
			t.Errorf("%q", script.calls)
		}
	})
}

// A question that does not fit keeps its keys, and one about a running round goes
// when the round has ended.
func TestQuit_theQuestionShowsItsKeysAndGoesWithTheRound(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.prog.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
		r.wait(time.Second)
		r.press("ctrl+c")
		r.sees("A round is running.", "… ctrl+c quits · esc stays")
		script.sessions[billing] = gate()
		run.end(gate(), nil)
		r.wait(time.Second)
		r.misses("A round is running")
	})
}

// Going home leaves a run behind. It is read to its end, and only then is the
// session free to be opened again.
func TestHome_aRunThatWasLeftIsReadToItsEnd(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.press("q", "q")
		r.sees("+ New debate")
		<-run.stopped
		r.press("enter")
		r.sees("What was under way there is being saved; it opens then.")
		if script.did("close " + billing) {
			t.Fatal("the lock was given back while the run was going on")
		}
		for range 1000 { // more than the channel holds
			run.say("ada", "and on and on and on and on and on")
		}
		run.end(run.session, context.Canceled)
		r.wait(time.Second)
		if !script.did("close " + billing) {
			t.Errorf("%q", script.calls)
		}
		r.sees("‖ paused", "▸1 Ada")
	})
}

// What is left takes a moment to save. Opened before its lock is back, the session
// would lose that lock while it is open.
func TestHome_aSessionIsOpenedAgainOnceItsLockIsBack(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		script.closing = func() { time.Sleep(time.Minute) }
		r.press("q", "enter")
		r.sees("What was under way there is being saved; it opens then.")
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
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
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

func TestFailure_ofTheStorePausesAndSaysSo(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		script.current().end(held(3, 1, 4), errors.New("the disk is full (/data)"))
		r.wait(time.Second)
		r.sees("Cannot save: the disk is full (/data). Paused; all text is still here. space tries again; e writes a copy elsewhere.")
		r.press("tab", "j")
		r.sees("Cannot save")
		r.press("space")
		r.misses("Cannot save")
		if n := len(script.runs); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

// A disk that fills up amid a round leaves all text where it is, and what to do
// fits the smallest of usual terminals.
func TestFailure_ofTheStoreAmidARoundKeepsTheTextInASmallTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf(held(3, 1, 4))
		deps := script.deps()
		deps.Start.Session = billing
		r := start(t, 80, 24, deps)
		defer r.stop()
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		left := interrupted()
		left.History[1].Responses = left.History[1].Responses[1:]
		unsaved := debate.Response{
			Turn: turn("ada", 2), State: debate.TurnInterrupted, Passages: []debate.Passage{{Text: "Move, behind a single writer."}}, Ended: time.Now(),
			Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "It could not be saved.", Retryable: true},
		}
		left.History[1].Responses = append([]debate.Response{unsaved}, left.History[1].Responses...)
		run.end(left, errors.New("record the turn of ada: Cannot save: the disk is full (/home/somebody/.local/share/roundtable)."))
		r.wait(time.Second)
		r.sees("Move, behind a single writer.", "‖ Paused. Saving failed at 00:00, in round 2. All text is still here.",
			"The disk is full (/home/somebody/.local/share/roundtable).", "Cannot save: the disk is full", "space tries again; e writes a copy elsewhere.", "space runs Ada and Cy again.")
		r.press("space")
		r.misses("Cannot save", "Saving failed")
		finish(r, script.current())
	})
}

func TestFailure_ofAnAnswerKeepsTheText(t *testing.T) {
	bubble(t, gate, func(r *rig, script *scripted) {
		r.wait(2 * time.Second)
		r.typeText("42 writes/s")
		script.fail = errors.New("the disk is full (/data)")
		r.press("ctrl+s")
		r.wait(time.Second)
		r.sees("42 writes/s", "Cannot save: the disk is full (/data).", "ctrl+s tries again")
		script.fail = nil
		r.press("ctrl+s")
		r.wait(time.Second)
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
		r.misses("Cannot save")
	})
}

func TestFailure_ofAllSeatsShowsTheCauses(t *testing.T) {
	bubble(t, interrupted, func(r *rig, script *scripted) {
		r.press("space")
		script.current().end(interrupted(), &debate.RoundFailedError{Round: 2, Causes: []debate.MissingResponse{
			{Agent: "ada", Name: "Ada", Round: 2, Cause: "openai refused the key (401)."}, {Agent: "cy", Name: "Cy", Round: 2, Cause: "ollama does not answer."},
		}})
		r.wait(time.Second)
		r.sees("Round 2 failed: no seat answered. It keeps its number, nothing is lost. x runs it again.", "1 Ada        openai refused the key (401).", "3 Cy         ollama does not answer.")
		r.press("x")
		if n := len(script.runs); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAddRound_reopensAConcludedDebate(t *testing.T) {
	bubble(t, concluded, func(r *rig, script *scripted) {
		r.sees("✓ Full verdict")
		r.press("+")
		r.sees("Add round 5? 4 calls, 6k-9k tokens, under $0.01.", "+ adds it · esc leaves it")
		r.press("esc", "+")
		if script.did("add 1") {
			t.Error("it does not ask")
		}
		r.press("+")
		r.wait(time.Second)
		r.sees("One round more: 5 are planned.", "‖ Paused. Round 4 is done.", "space starts round 5.")
		if len(script.runs) > 0 {
			t.Error("a resumed session stays paused")
		}
	})
}

// A debate that was ended early has as many rounds planned with one more as before:
// that it goes on is told all the same.
func TestAddRound_isToldOfADebateThatWasEndedEarly(t *testing.T) {
	early := func() debate.Session {
		s := concluded()
		s.Rounds, s.Stopped = 5, debate.StoppedByUser
		return s
	}
	bubble(t, early, func(r *rig, script *scripted) {
		r.press("+", "+")
		r.wait(time.Second)
		r.sees("One round more: 5 are planned.", "space starts round 5.")
	})
}

// What was required and expired with the end is no request that was settled.
func TestConcluded_saysWhatWasNeverAnswered(t *testing.T) {
	early := func() debate.Session {
		s := concluded()
		s.Requests[0].State, s.Requests[0].Answers, s.Requests[0].Delivered = ledger.Expired, nil, nil
		return s
	}
	bubble(t, early, func(r *rig, script *scripted) {
		r.sees("– C1 never answered")
		r.misses("no request open")
	})
}

// Nothing ticks while nothing happens: an idle screen is drawn once.
func TestIdle_drawsNothing(t *testing.T) {
	bubble(t, gate, func(r *rig, script *scripted) {
		r.wait(3 * time.Second)
		before := r.views.Load()
		r.wait(time.Hour)
		if n := r.views.Load() - before; n != 0 {
			t.Errorf("drawn %d times in an idle hour", n)
		}
	})
}

func TestSpinner_turnsOnlyWhileASeatWorks(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *rig, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		before := r.views.Load()
		r.wait(time.Second)
		if n := r.views.Load() - before; n < 7 || n > 9 {
			t.Errorf("%d frames in a second", n)
		}
		x := stated("ada", 2, debate.Yes, 0.7, "Move.")
		run.events <- debate.TurnEnded{Response: x, At: time.Now()}
		r.wait(time.Second)
		before = r.views.Load()
		r.wait(time.Minute)
		if n := r.views.Load() - before; n != 0 {
			t.Errorf("drawn %d times although everybody is done", n)
		}
	})
}

func TestPaste_isTextAndNeverAKey(t *testing.T) {
	bubble(t, interrupted, func(r *rig, script *scripted) {
		r.prog.Send(tea.PasteMsg{Content: "q q x space"})
		r.wait(time.Second)
		r.sees("‖ Paused.")
		if len(script.runs) > 0 {
			t.Error("a pasted text ran a command")
		}
	})
}

func TestSize_changesDoNotBreakTheFrame(t *testing.T) {
	bubble(t, gate, func(r *rig, _ *scripted) {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {20, 5}, {40, 10}, {79, 11}, {1000, 300}, {119, 29}, {120, 30}, {80, 24}} {
			r.prog.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			r.wait(100 * time.Millisecond)
			if lines := strings.Count(r.screen(), "\n") + 1; lines > max(size[1], 1) {
				t.Errorf("%v: %d rows", size, lines)
			}
		}
	})
}

func TestStart_newBeginsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := shelf()
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
