package tui_test

import (
	"context"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// A question for the next round is typed on the notice row, kept by the store and
// shown again when the session is opened again.
func TestFocus_isKeptForTheNextRound(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("f", "What of cost? q x")
		r.sees("focus > What of cost? q x")
		r.press("esc", "f") // nothing typed is lost
		r.sees("focus > What of cost? q x")
		r.press("backspace", "backspace", "backspace", "backspace", "enter")
		r.sees("Focus for round 2: What of cost?", "Focus: What of cost?")
		r.did("focus What of cost?")
		r.ran(0)
		r.press("f", "ctrl+u", "enter")
		r.sees("The next round has no focus question.")
		r.misses("Focus: ")
		script.fails("the disk is full")
		r.press("f", "Again?", "enter")
		r.sees("Cannot save: the disk is full.")
		script.fail = nil
		r.press("f")
		r.sees("focus > Again?")
		r.press("enter")
		r.sees("Focus for round 2: Again?")
		r.plays(held(3, 1, 4))
		r.press("f")
		r.misses("Again?")
		r.press("esc")
	})
}

func TestFocus_isReadWhenASessionIsOpened(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		script.focus = debate.Focus{Text: "What of \x1b[2Jcost?", Author: ledger.Author{Kind: ledger.Assistant, Door: "aide"}}
		r.press("q", "enter")
		r.sees("Focus (from “aide”, not you): What of cost?")
	})
}

// named runs a command of the palette.
func (r *harness) named(name string) {
	r.press(":", name, "enter")
}

// A debate can be told to end after the round that runs.
func TestStop_afterThisRound(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, _ *run) {
		r.press("S", "hould we wait")
		r.misses("then ends")
		r.wait(time.Second)
		r.named("end the debate after")
		r.asks("End after round 2 with a verdict? S after this round · n now · esc back")
		r.confirm("S")
		r.sees("■ then ends", "Ends after round 2 with a verdict.")
		r.named("end the debate after")
		r.sees("Continues after this round.")
		r.misses("then ends")
		r.press("space", "space")
		r.confirm("k")
		r.sees("No pause after round 2.")
		r.press("S")
		r.confirm("enter")
		done := held(3, 2, 4)
		answered := peak()
		answered.Seq, answered.State = 9, ledger.Resolved
		answered.Answers = []ledger.Answer{{Revision: 1, Outcome: ledger.Answered, Content: "42"}}
		done.Requests = []ledger.Request{answered}
		script.sessions[billing] = done
		r.over(done, nil)
		r.did("stop user", "conclude")
	})
}

// Ending after a round does not throw away a question that nobody has answered.
func TestStop_afterThisRoundLeavesTheFormToDecide(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, _ *run) {
		r.named("end the debate after")
		r.confirm("S")
		script.sessions[billing] = gate()
		r.over(gate(), nil)
		r.sees("Not ended: C1 has no answer. To end without it, use the last row of the form.", "Context for round 3", "End now: the chair writes")
		r.didNot("stop user")
	})
}

// A seat that waits for its provider can be cancelled or try at once; one whose
// turn has not started is skipped.
func TestSeat_thatWaits(t *testing.T) {
	bubble(t, func() debate.Session { return held(6, 1, 4) }, func(r *harness, script *scripted) {
		r.plays(held(6, 1, 4))
		r.press("1")
		r.named("retry this seat")
		r.press("6", "x")
		r.asks("Cancel Fay? The round goes on without its answer. x cancel · esc back")
		r.press("esc", "R", "x")
		r.confirm("x")
		r.named("retry this seat")
		r.asked("now fay, cancel fay, now fay")
	})
}

// adaBegins starts the second round of three seats, in which the first one works.
func (r *run) adaBegins() debate.Session {
	s := held(3, 1, 4)
	s.History = append(s.History, debate.Round{Number: 2, Began: time.Now(), Manifest: started(s, 2)})
	r.events <- debate.RoundStarted{Session: s, Round: 2, At: time.Now()}
	r.events <- debate.TurnStarted{Turn: turn("ada", 2), Profile: s.Seats[0], At: time.Now()}
	return s
}

// A question about a seat follows what the seat does meanwhile, and a late answer
// to it does not turn into another command.
func TestSeat_questionFollowsIt(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		run.events <- debate.TurnRetrying{
			Turn:  turn("ada", 2),
			Retry: agents.Retry{Cause: "openai rate-limited us (429).", Try: 1, Of: 3, In: 2 * time.Second}, At: time.Now(),
		}
		r.wait(time.Second)
		r.press("1", "x")
		r.asks("Cancel Ada? The round goes on without its answer. x cancel · esc back")
		run.say("ada", "It moves, for one reason.")
		r.asks("Cancel Ada? The round goes on without its answer. x cancel · esc back")
		run.events <- debate.TurnEnded{At: time.Now(), Response: debate.Response{
			Turn: turn("ada", 2), State: debate.TurnFailed, Began: time.Now(), Ended: time.Now(),
			Failure: &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "OpenAI does not answer.", Tries: 1},
		}}
		r.asks("Ada has already finished; there is nothing to cancel. esc back")
		r.press("x")
		r.misses("has already finished")
		r.press("R")
		r.asked("retry ada")
		run.end(s, context.Canceled)
	})
}

// A seat that is run again at the gate works: nothing is called paused meanwhile,
// and what comes after it is the gate, with the form open as without.
func TestSeat_runAgainAtTheGateIsNotCalledPaused(t *testing.T) {
	failed := func() debate.Session {
		s := gate()
		x := &s.History[1].Responses[0]
		x.State, x.Statement = debate.TurnFailed, debate.Statement{}
		x.Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "openai does not answer."}
		return s
	}
	bubble(t, failed, func(r *harness, script *scripted) {
		r.press("esc", "1", "R")
		run, again := script.current(), turn("ada", 2)
		again.Attempt = 2
		run.events <- debate.TurnStarted{Turn: again, Profile: panel(1)[0], At: time.Now()}
		r.hears(debate.Text{Turn: again, Text: "Move."})
		r.sees("2 done, 1 writing · ◷ then waits for you")
		r.misses("pause")
		r.press("c")
		r.sees("Context for round 3", "1 writing · ◷ then waits for you")
		r.misses("paused", "then pauses")
	})
}

// S ends the debate amid a round once it is confirmed.
func TestEnd_amidARoundAsksOnce(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		r.press("S")
		r.asks("End after round 2 with a verdict? S after this round · n now")
		r.press("n")
		r.sees("End now? The chair writes the verdict without unfinished answers.")
		r.asked("")
		r.confirm("enter")
		r.asked("end ")
		run.end(s, context.Canceled)
	})
}

// Without an answer there is nothing that a chair could write of.
func TestEnd_beforeAnybodyHasAnswered(t *testing.T) {
	bubble(t, func() debate.Session { return session(3, 2) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := session(3, 2)
		s.History = []debate.Round{{Number: 1, Began: time.Now(), Manifest: started(s, 1)}}
		r.hears(debate.RoundStarted{Session: s, Round: 1, At: time.Now()})
		r.press("S")
		r.confirm("n")
		r.sees("End now? Nobody has answered, so no chair")
		ada := debate.Response{
			Turn: turn("ada", 1), State: debate.TurnDone, Began: time.Now(), Ended: time.Now(),
			Statement: debate.Statement{Position: "Move.", Body: "Move."},
		}
		r.hears(debate.TurnEnded{Response: ada, At: time.Now()})
		r.sees("End now? The chair writes the verdict without unfinished answers.")
		run.end(s, context.Canceled)
	})
}

// A pause reaches the run, which must not begin the verdict.
func TestPause_reachesTheRun(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		r.press("space")
		if !run.paused.Load() {
			t.Error("the run does not pause")
		}
		r.press("space")
		r.asks("space now · k keep going")
		r.press("k")
		if run.paused.Load() {
			t.Error("the run pauses")
		}
		run.end(s, context.Canceled)
	})
}

// A command that cannot be carried out is answered.
func TestRefused_isShown(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.adaBegins()
		r.hears(debate.Refused{Text: "Ada has already finished; there is nothing to cancel.", At: time.Now()})
		r.sees("Ada has already finished; there is nothing to cancel.")
		run.end(s, context.Canceled)
	})
}

// The question of the next round stays in its prompt when the rest of a round is played.
func TestFocus_staysWhileTheRestOfARoundIsPlayed(t *testing.T) {
	bubble(t, brokenOff, func(r *harness, script *scripted) {
		r.press("f", "Who pays?", "enter", "space")
		run := script.current()
		r.hears(debate.RoundStarted{Session: brokenOff(), Round: 2, At: time.Now()})
		r.press("f")
		r.sees("Who pays?")
		r.press("esc")
		run.end(brokenOff(), context.Canceled)
	})
}

// Between two rounds, m gives the seat in focus another model; the pane and the banner say so.
func TestChangeModel_byKey(t *testing.T) {
	drawScreen(t, screenCase{deps: sessionOf(func() debate.Session { return held(3, 1, 3) })}, dark, func(r *harness) {
		r.press("m")
		r.sees("model of Ada from round 2 (now gpt-5-mini)")
		r.press("gpt-7", "enter")
		r.sees(`There is no model "gpt-7"`)
		r.press("m", "ctrl+u", "gpt-x", "enter")
		r.sees("Ada: gpt-x from round 2.", "gpt-5-mini → gpt-x")
		r.did("change ada of " + billing + " to gpt-x")
	})
}

// In a round that was cut off, the other model is for that round.
func TestChangeModel_inARoundThatIsOpen(t *testing.T) {
	cutOff := func() debate.Session {
		s := held(3, 1, 3)
		x := stated("ada", 1, "", 0, "")
		x.State, x.Statement = debate.TurnInterrupted, debate.Statement{}
		s.History[0].Ended, s.History[0].Responses = time.Time{}, []debate.Response{x}
		return s
	}
	drawScreen(t, screenCase{deps: sessionOf(cutOff)}, dark, func(r *harness) {
		r.press("m")
		r.sees("model of Ada from round 1 (now gpt-5-mini)")
	})
}

// A round by another model says whose it is.
func TestChangeModel_isShownInItsRound(t *testing.T) {
	changed := func() debate.Session {
		s := held(3, 2, 3)
		was := s.Seats[0]
		was.Model = "gpt-4"
		return s.WithSeatChange(debate.SeatChange{Round: 2, Agent: "ada", Was: was, Now: s.Seats[0]})
	}
	drawScreen(t, screenCase{deps: sessionOf(changed)}, dark, func(r *harness) {
		r.press("z")
		r.sees("Ada: gpt-5-mini from round 2 (before gpt-4)")
	})
	s := changed()
	if got := s.SpeakerOf(debate.ForMember, agents.Turn{Agent: "ada", Round: 1}).Model; got != "gpt-4" {
		t.Errorf("round 1 was by %s", got)
	}
}
