package tui_test

import (
	"context"
	"fmt"
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

// round1Done is a debate of three seats whose first round of four is done.
func round1Done() debate.Session { return held(3, 1, 4) }

// inRound2 runs a test in the middle of the second round of that debate, see [run.speaking].
func inRound2(t *testing.T, test func(r *harness, script *scripted, run *run)) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		test(r, script, r.plays(round1Done()))
	})
}

func TestRound_pausesAtItsEnd(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space", "space")
		r.sees("‖ then pauses")
		done := held(3, 2, 4)
		r.over(done, nil)
		if len(script.runs) != 1 {
			t.Fatal("the next round began although the user paused")
		}
		r.sees("‖ Paused after round 2.", "space: start round 3.")
		r.press("space")
		r.did("start 3")
	})
}

// A pause does not go on past what only the user knows: space opens the form then.
func TestRound_pausesBesideItsQuestion(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space", "space")
		r.over(gate(), nil)
		r.press("esc")
		r.misses("space go on")
		r.press("space")
		r.sees("Context for round 3")
	})
}

// Who is asked whether to end it now still is when the round ends by itself.
func TestEndNow_isAskedBeyondTheEndOfARound(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, run *run) {
		r.press("S")
		r.confirm("n")
		r.asks("End now?", "enter end")
		done := held(3, 2, 4)
		script.sessions[billing] = done
		r.over(done, nil)
		r.asks("End now?", "enter end")
		r.press("enter")
		r.did("stop user", "conclude")
	})
}

func TestRound_goesOnByItself(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		r.over(held(3, 2, 4), nil)
		r.did("start 3")
		r.over(concluded(), nil)
		r.sees("✓ Yes, 2 of 3; no 1 · was no; Brook moved", "╭ Votes ")
	})
}

func TestSeat_cancelAsksOnceAndRetryDoesNot(t *testing.T) {
	bubble(t, func() debate.Session { return held(6, 1, 4) }, func(r *harness, script *scripted) {
		r.plays(held(6, 1, 4))
		r.press("1", "x")
		r.asks("Cancel Ada? The round goes on without its answer. x cancel · esc back")
		r.press("esc", "x")
		r.confirm("x")
		r.press("5", "R", "2", "R")
		r.sees("Brook has answered in round 2.")
		r.asked("cancel ada, retry eli")
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
		r.did("retry cy")
	})
}

// A second answer of the store must not undo what is already shown.
func TestRoundEnded_doesNotReplaceANewerAnswer(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		script.sessions[billing] = gate()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c", "42 writes/s")
		r.send()
		r.press("esc")
		run.end(gate(), nil) // read before the answer was recorded
		r.wait(time.Second)
		r.misses("waits for C1")
		r.did("start 3")
	})
}

// A question that does not fit keeps its keys, and one about a running round goes
// when the round has ended.
func TestQuit_theQuestionShowsItsKeysAndGoesWithTheRound(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, run *run) {
		r.prog.Send(tea.WindowSizeMsg{Width: 60, Height: 20})
		r.wait(time.Second)
		r.press("ctrl+c")
		r.asks("Finished answers are saved", "ctrl+c quit · esc back")
		script.sessions[billing] = gate()
		r.over(gate(), nil)
		r.misses("Finished answers are saved")
	})
}

// What is left takes a moment to save. Opened before its lock is back, the session
// would lose that lock while it is open.
func TestHome_aSessionIsOpenedAgainOnceItsLockIsBack(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
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
	bubble(t, round1Done, func(r *harness, script *scripted) {
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
		r.didNot("add 1")
		r.confirm("+")
		r.did("add 1", "start 5") // also in a session that was resumed
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
	inRound2(t, func(r *harness, script *scripted, run *run) {
		before := r.views.Load()
		r.wait(time.Second)
		if n := r.views.Load() - before; n < 7 || n > 9 {
			t.Errorf("%d frames in a second", n)
		}
		x := stated("ada", 2, "yes", 0.7, "Move.")
		r.hears(debate.TurnEnded{Response: x, At: time.Now()})
		before = r.views.Load()
		r.wait(time.Minute)
		if n := r.views.Load() - before; n > 4 { // for the ages
			t.Errorf("drawn %d times although everybody is done", n)
		}
	})
}

// What the light model does takes up to a minute, in which no seat does anything:
// the screen says what is waited for, and lets it be stopped.
func TestAide_isShownAsOtherWaitsAreAndCanBeStopped(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		light := agents.Profile{ID: "lum", Name: "Lum", Model: "phi-4"}
		s := run.speaking(held(3, 1, 4))
		r.wait(100 * time.Millisecond)
		if top, _, _ := strings.Cut(r.screen(), "\n"); strings.Contains(top, "Lum") {
			t.Errorf("the top line is %s", top)
		}
		for _, p := range s.Seats {
			run.events <- debate.TurnEnded{Response: stated(p.ID, 2, "yes", 0.6, "So."), At: time.Now()}
		}
		r.hears(debate.Assisting{Task: debate.TaskCompare, Profile: light, Limit: time.Minute, At: time.Now()})
		r.sees(" Lum is comparing findings \n", "Lum is comparing findings (up to 60 s). space: pause now")
		before, _, _ := strings.Cut(r.screen(), "\n")
		r.wait(130 * time.Millisecond)
		if after, _, _ := strings.Cut(r.screen(), "\n"); after == before {
			t.Errorf("the spinner stands still: %s", after)
		}
		r.press("space", "space")
		r.asks("Pause now? Lum is comparing findings. All answers are saved; this is repeated on resume. space now")
		r.press("enter")
		if !isClosed(run.stopped) {
			t.Error("the run was not stopped")
		}
	})
}

// The MCP servers start before the first seat does, which may take seconds.
func TestAssisting_saysThatTheRoundWaitsForServers(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		r.hears(debate.Assisting{Task: debate.TaskTools, At: time.Now()})
		r.sees(" Waiting for the MCP servers \n")
		run.speaking(held(3, 1, 4))
		r.wait(100 * time.Millisecond)
		if strings.Contains(r.screen(), "MCP") {
			t.Errorf("it still says so:\n%s", r.screen())
		}
	})
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

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

// If no seat has answered, R asks all seats again, whichever has the focus.
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
		r.asked("")
		r.did("start 0")
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

// After a round with one answer the debate pauses: space continues without the other seats, x asks the
// focused seat again.
func TestResume_waitsWhereOnlyOneSeatAnswered(t *testing.T) {
	retries := map[int]string{2: "2 then R: retry Brook", 3: "R: retry a failed seat"}
	for _, seats := range []int{2, 3} {
		for key, want := range map[string]string{"space": "go on", "R": "retry brook"} {
			bubble(t, func() debate.Session { return openRound(seats) }, func(r *harness, script *scripted) {
				r.sees(fmt.Sprintf("Only Ada of %d seats answered in round 2.", seats), "2 Brook      The answer broke off.",
					retries[seats]+". space: go on without", "space go on")
				r.press(key)
				r.did(want)
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
		r.asked("")
		r.did("retry brook")
		r.hears(debate.RoundStarted{Session: brokenOff(), Round: 2, At: time.Now()})
		r.sees("Round 2 of 4 continues.")
		run.end(brokenOff(), context.Canceled)
	})
}

// longAnswers returns a debate whose answers are so long that they are laid out in parts.
func longAnswers() debate.Session {
	s := gate()
	for _, r := range s.History {
		for i := range r.Responses {
			x := &r.Responses[i]
			x.Statement.Body = strings.Repeat("```json\n{\"a\": 1}\n```\n\nWords of no **meaning**.\n\n", 10_000)
			x.Passages = []debate.Passage{{Text: x.Statement.Body}}
		}
	}
	return s
}

func TestQuit_whileALongAnswerIsLaidOut(t *testing.T) {
	bubble(t, longAnswers, func(r *harness, _ *scripted) {
		r.wait(2 * time.Second)
		r.misses("laying out")
		r.sends(tea.WindowSizeMsg{Width: 120, Height: 40})
		r.sees("laying out")
		r.press("?")
		r.sees("laying out")
		r.press("esc")
		r.quits()
		if !strings.Contains(r.screen(), "laying out") {
			t.Errorf("it waited for the end of the layout:\n%s", r.screen())
		}
	})
}

func TestStart_newBeginsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing()
		deps := script.deps()
		deps.Start = tui.Start{New: true, Begin: true, Topic: "Rust or Go?"}
		r := start(t, 80, 24, deps)
		r.did("create Rust or Go?", "start 1")
		r.stop()
	})
}

// What was required and has no answer when the outcome is told is no request that was settled.
func TestConcluded_saysWhatWasNotAnswered(t *testing.T) {
	early := func() debate.Session {
		s := concluded()
		s.Requests[0].State, s.Requests[0].Answers, s.Requests[0].Delivered = ledger.Unanswered, nil, nil
		return s
	}
	bubble(t, early, func(r *harness, script *scripted) {
		r.sees("– C1 unanswered")
		r.misses("no open questions")
	})
}
