package tui_test

import (
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
	"roundtable/tui"
	"roundtable/tui/screen"
)

// What the chair writes is shown while it comes, to its last character, and no
// sequence gets through for being cut in two.
func TestVerdict_isShownWhileItIsWritten(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 4, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		chair := agents.Turn{Session: billing, Round: 4, Step: debate.VerdictStep, Attempt: 1, Agent: "brook"}
		run.events <- debate.Concluding{Turn: chair, Profile: panel(2)[1], At: time.Now()}
		for _, piece := range []string{"## Conclu", "sion\nMove it", ", \x1b]52;c;", "eA==\aat on", "ce"} {
			r.hears(debate.Text{Turn: chair, Text: piece})
		}
		r.press("v")
		r.sees("Brook · claude-sonnet is writing it", "Conclusion", "Move it, at once ")
		r.misses("52;c", "eA==")
	})
}

// A chair that fails is told of without a key to press, and leaves its seat's
// answer and the round as they are.
func TestVerdict_tellsOfAChairThatFails(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 4, 4) }, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		chair := agents.Turn{Session: billing, Round: 4, Step: debate.VerdictStep, Attempt: 1, Agent: "brook"}
		run.events <- debate.Concluding{Turn: chair, Profile: panel(2)[1], At: time.Now()}
		run.events <- debate.TurnEnded{At: time.Now(), Response: debate.Response{
			Turn: chair, State: debate.TurnFailed, Failure: &debate.TurnFailure{Cause: "It refused the key."},
		}}
		r.wait(100 * time.Millisecond)
		r.sees("The chair Brook failed: It refused the key.")
		r.misses("R: retry", "✗ failed")
	})
}

// chairWaits has a chair of its own begin the verdict, which its provider lets wait.
func (r *run) chairWaits(retry agents.Retry) agents.Turn {
	chair := agents.Turn{Session: billing, Round: 3, Step: debate.VerdictStep, Attempt: 1, Agent: "zed"}
	r.events <- debate.Concluding{Turn: chair, Profile: agents.Profile{ID: "zed", Name: "Zed", Model: "opus"}, At: time.Now()}
	r.events <- debate.TurnRetrying{Turn: chair, Retry: retry, At: time.Now()}
	return chair
}

var busyChair = agents.Retry{Cause: "openai rate-limited us (429).", Try: 1, Of: 3, In: 50 * time.Second}

// A chair that must wait says so on each screen, with a countdown, and the keys agree: r asks
// it at once, space twice pauses, and x says what does.
func TestVerdict_saysThatTheChairMustWait(t *testing.T) {
	bubble(t, func() debate.Session {
		s := held(3, 3, 3)
		s.Chair = &agents.Profile{ID: "zed", Name: "Zed", Model: "opus"}
		return s
	}, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		chair := run.chairWaits(busyChair)
		r.wait(9100 * time.Millisecond)
		r.sees("↻ Zed must wait, retry 1 of 3 in 41 s", "↻ The chair must wait, retry 1 of 3 in 41 s.", "Zed · opus must wait",
			"↻ openai rate-limited us (429).", "Retry 1 of 3 in 41 s · R: ask now · space: pause", "R ask now",
			"Zed: openai rate-limited us (429). Retry 1 of 3.")
		r.misses("is writing the verdict", "is writing it")
		r.wait(10 * time.Second)
		r.sees("↻ Zed must wait, retry 1 of 3 in 31 s", "Retry 1 of 3 in 31 s")
		r.press("x", "")
		r.sees("The chair cannot be cancelled. Press space twice to pause now.")
		r.press("R", "esc")
		r.sees("↻ Zed must wait, retry 1 of 3 in 31 s")
		r.press("space")
		r.asks("Pause now? Zed must wait before it writes the verdict.")
		r.press("esc", "R", "v")
		r.asked("now zed, now zed")
		r.hears(debate.TurnQueued{Turn: chair})
		r.sees("Zed is writing the verdict", "Zed · opus is writing it")
		r.misses("must wait", "rate-limited", "R ask now")
		r.press("R")
		r.sees("Zed is not waiting for its provider.")
	})
}

// A run that is paused while the chair works leaves no screen of a verdict behind.
func TestVerdict_isLeftWhenTheChairIsPaused(t *testing.T) {
	for name, waits := range map[string]bool{"writes": false, "waits": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func() debate.Session { return held(3, 3, 3) }, func(r *harness, script *scripted) {
				r.press("space")
				run := script.current()
				chair := run.chairWaits(busyChair)
				doing := "must wait before it writes the verdict"
				if !waits {
					run.events <- debate.TurnQueued{Turn: chair}
					doing = "is writing the verdict"
				}
				r.wait(time.Second)
				r.press("space")
				r.asks("Pause now? Zed "+doing+". All answers are saved; the verdict is written on resume.", "space now")
				r.press("space")
				r.over(held(3, 3, 3), debate.ErrStopped)
				r.sees("Paused after round 3, the last one.", "space: write the verdict.")
				r.misses("Zed")
			})
		})
	}
}

// The user cancels the answer of a member, of which what has come stays, and asks the same again.
func TestFollowUp_isCancelledAndAskedAgain(t *testing.T) {
	bubble(t, concluded, func(r *harness, script *scripted) {
		answers := r.asksChair(script)
		r.wait(time.Second)
		r.sees("You asked Brook", "What is left to fear?", "The report job", "x cancel")
		r.press("a")
		r.sees("Brook is still answering")
		r.press("qx")
		r.press("enter") // asks nothing
		r.press("a", "ctrl+u", "esc", "x")
		run := script.current()
		r.asked("cancel brook")
		cancelled := debate.Response{
			Turn: answers, State: debate.TurnCancelled, Ended: time.Now(), Passages: []debate.Passage{{Text: "The report job"}},
			Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "Cancelled by request."},
		}
		s := concluded()
		s.FollowUps = []debate.FollowUp{{Question: "What is left to fear?", Response: cancelled}}
		run.events <- debate.FollowUpEnded{FollowUp: s.FollowUps[0], At: time.Now()}
		r.over(s, nil)
		r.sees("Cancelled by request.", "a: ask again", "Partial text, not used:")
		r.press("a")
		r.sees("ask the chair (tab: someone else) > What is left to fear?")
		r.press("tab", "tab")
		r.sees("ask Brook (tab: someone else) > What is left to fear?")
		r.press("enter")
		r.did(`ask "brook" What is left to fear?`)
	})
}

// The demo explains what happens, and its verdict leads to a topic of one's own.
func TestDemo_explains(t *testing.T) {
	bubble(t, demonstrated, func(r *harness, script *scripted) {
		r.press("space")
		s := demonstrated()
		s.History = append(s.History, debate.Round{Number: 1, Began: time.Now(), Manifest: started(s, 1)})
		r.hears(debate.RoundStarted{Session: s, Round: 1, At: time.Now()})
		r.sees("They answer blind, so that disagreement shows.", "> skip ahead")
		ask := request("C1", "cy", 1, ledger.Required, "How many?", "It decides.")
		r.hears(debate.ContextChanged{Request: ask, At: time.Now()}) // tells nothing else
		r.sees("Cy asks you for a fact. Round 2 waits for it.")
		over := concluded()
		over.Seats = s.Seats
		r.over(over, nil)
		r.sees("Demo · ", "demo: no model", "ctrl+n own topic")
	})
}

// What the banner and a pane say of a wait for a provider ends with that wait, although
// nothing else happens.
func TestBanner_followsTheClock(t *testing.T) {
	waiting := func() debate.Session {
		s := interrupted()
		s.History[1].Responses[2].WaitUntil = time.Now().Add(150 * time.Second)
		return s
	}
	bubble(t, waiting, func(r *harness, _ *scripted) {
		until := time.Now().Add(150*time.Second - time.Second).Format("15:04")
		r.wait(140 * time.Second)
		r.sees("Paused in round 2: a provider asked to wait until "+until+".", "Ada and Brook have answered.", "space: wait for Cy",
			"Its provider asked to wait until "+until+".", "space go on")
		r.wait(10 * time.Second)
		r.sees("Paused in round", "space: continue with Cy", "space go on")
		r.misses("asked to wait")
	})
}

// withVerdict begins with the list of a debate that has a verdict on a question of yes or no.
func withVerdict(d *tui.Deps, s *scripted) {
	onList(d, s)
	of := s.sessions[billing]
	of.Question = debate.QuestionYesNo
	s.sessions[billing], s.list[0].Verdict = of, true
}

// A note that cannot be saved stays in the field, and no letter of it is a key of the screen: on
// the list and on the verdict alike.
func TestOutcome_aNoteStaysUntilItIsSaved(t *testing.T) {
	for name, open := range map[string][]string{"the list": {}, "the verdict": {"enter"}} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, small, concluded, withVerdict, func(r *harness, script *scripted) {
				wrong := func() { r.press("O"); time.Sleep(screen.Settle); r.press("w") }
				r.press(open...)
				r.press("O")
				time.Sleep(screen.Settle)
				r.sees("How did it turn out? r right · w wrong · m mixed · o open · esc back")
				r.press("esc")
				wrong()
				r.sees("wrong, note >", "enter save", "esc close (text kept)")
				r.press("two")
				r.press("alt+enter") // a blank, in one line
				r.press("writers", "esc")
				r.misses("wrong, note >", "Deleted")
				wrong()
				r.sees("wrong, note > two writers")
				script.fails("the disk is full")
				r.press("enter")
				r.sees("he disk is full", "wrong, note > two writers")
				script.fail = nil
				r.press("enter")
				r.misses("wrong, note >")
				if name == "the list" {
					r.sees("The outcome is saved.")
				} else {
					r.sees("Outcome: wrong (two writers).")
					r.press("k") // the notice goes, and the verdict says it
					r.sees("Outcome: wrong (two writers)")
				}
			})
		})
	}
}

// An outcome that is said on the list is on the verdict of a debate that is open.
func TestOutcome_onTheListOfAnOpenDebate(t *testing.T) {
	bubbleWith(t, small, concluded, withVerdict, func(r *harness, _ *scripted) {
		r.press("enter", "s", "O")
		time.Sleep(screen.Settle)
		r.press("w", "enter")
		r.sees("The outcome is saved.")
		r.press("esc", "v")
		r.sees("Outcome: wrong")
	})
}

// A finding is opened, then its place; esc goes back step by step.
func TestReview_keys(t *testing.T) {
	bubble(t, debatetest.Reviewed, func(r *harness, _ *scripted) {
		r.press("enter")
		r.sees("▸H1: agreed", "enter evidence", "esc list", "Cy: true, worth fixing. The index equals the length.", "for _, row := range rows {")
		r.press("enter")
		r.sees("[F1]", "pr.diff", "i <= len(rows)")
		r.press("esc")
		r.sees("▸H1: agreed")
		r.press("esc", "G", "k", "enter")
		r.sees("▸H5: by one seat", "F1:900 (absent)", "F1:900, where there are no lines.")
		r.press("enter")
		r.sees("The lines of this finding are not in the evidence.")
		r.press("esc", "/", "OPEN.GO", "enter")
		r.sees("An error is dropped", "1 refuted finding", "part 2 of 2", "esc end search")
		r.misses("The check of the cursor is gone")
		r.press("/", "xxx", "enter")
		r.sees(`No match for "xxx" here.`, "The check of the cursor is gone", "esc debate")
		r.press("G", "enter")
		r.sees("The path is not escaped", "▸1 refuted finding")
		r.press("y")
		r.sees("the refuted findings")
		r.press("e")
		r.asks("h HTML · s SARIF · p comment on a pull request")
	})
}
