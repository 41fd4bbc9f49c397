package tui_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/keymap"
	"roundtable/tui"
)

// The form opens when the round is done, not before, and nothing is started
// until the gate is open.
func TestForm_opensByItselfAndBlocks(t *testing.T) {
	inRound2(t, func(r *harness, script *scripted, run *run) {
		r.sees("● Round 3 waits for C1 (Cy)", "Cy asks:")
		r.misses("Context for round 3")

		done := gate()
		script.sessions[billing] = done
		r.over(done, nil)
		r.sees("Context for round 3", "■ Round 3 waits for C1")
		r.misses("needs you")
		r.send()
		r.wait(time.Second)
		if n := len(script.runs); n != 1 {
			t.Fatalf("%d runs: a round began although C1 is open", n)
		}
		r.sees("Not started: C1 needs an answer")

		r.press("42 writes/s")
		r.send()
		r.did("answer C1 42 writes/s", "start 3")
		r.misses("Context for round 3")
		if got, _ := script.current().session.Request("C1"); got.State != ledger.Resolved {
			t.Errorf("round 3 starts from C1 %s", got.State)
		}
	})
}

// ends lets the round end that was playing, with a required question open: the form opens
// by itself.
func (r *harness) ends(script *scripted, wait time.Duration) {
	r.press("space")
	run := script.current()
	script.sessions[billing] = gate()
	run.speaking(held(3, 1, 4))
	run.end(gate(), nil)
	r.wait(wait)
}

// An answer arrives whole, whatever it begins with and whichever key opens the form, also while
// the key that scrolls is held down as the form opens.
func TestForm_takesAnAnswerWhole(t *testing.T) {
	t.Parallel()
	for i := range '~' - ' ' {
		answer := string(' '+1+i) + "c1 j?/:"
		if i%9 != 0 && answer[0] != 'B' && answer[0] != 'c' && os.Getenv("ROUNDTABLE_LONG") == "" {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			script := storing(held(3, 1, 4))
			deps := script.deps()
			deps.Start.Session, deps.Keys = billing, keymap.Changes{"answer": {"B"}}
			r := launch(t, 80, 24, deps, true)
			defer r.stop()
			r.ends(script, 0)
			for range 40 { // the key is held down for more than a second
				r.prog.Send(keyOf("j"))
				r.wait(33 * time.Millisecond)
			}
			r.wait(200 * time.Millisecond)
			r.press(answer)
			r.wait(2 * time.Second)
			if script.draft.Text != answer {
				t.Errorf("%q arrives as %q", answer, script.draft.Text)
			}
		})
	}
}

// Who reads, searches or types when the form would open sees the question in a row, and the key
// that answers it: nothing lies over what the user does.
func TestForm_opensFolded(t *testing.T) {
	const row = "● C1 Cy: What is the peak write rate"
	for name, c := range map[string]struct {
		keys []string
		back []string
	}{
		"reads above the end": {[]string{"1", "g"}, nil},
		"searches":            {[]string{"/", "w", "enter"}, nil},
		"types a search":      {[]string{"/", "w"}, []string{"esc"}},
		"types a message":     {[]string{"i", "w"}, []string{"esc"}},
		"the palette":         {[]string{":"}, []string{"esc"}},
		"help":                {[]string{"?"}, []string{"esc"}},
		"another screen":      {[]string{"Q"}, []string{"esc"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubbleAt(t, [2]int{80, 24}, func() debate.Session { return numbered(400) }, func(r *harness, script *scripted) {
				s := numbered(400)
				waits := s
				waits.History = append(slices.Clone(s.History), gate().History[1])
				waits.Requests = gate().Requests
				r.plays(s)
				r.press(c.keys...)
				script.sessions[billing] = waits
				r.over(waits, nil)
				r.misses("Context for round 3")
				r.press(c.back...)
				r.misses("Context for round 3")
				r.sees(row, "c answers")
				r.press("c")
				r.sees("Context for round 3")
				r.press("42")
				r.sees("│ 42")
				r.press("esc")
				r.sees(row)
				r.press("c")
				r.sees("│ 42")
			})
		})
	}
}

// A key that came too soon folds the form if that would hide what the key is for.
func TestForm_foldsForAKeyThatCameTooSoon(t *testing.T) {
	for _, key := range []string{"/", "i", ":", "?", "Q"} {
		bubble(t, round1Done, func(r *harness, script *scripted) {
			r.ends(script, 200*time.Millisecond)
			r.press(key)
			r.wait(time.Second)
			r.press("w")
			r.misses("Context for round 3")
		})
	}
}

// esc closes the form that has opened by itself, a click goes into it.
func TestForm_closesBeforeItIsEntered(t *testing.T) {
	bubbleWith(t, usual, round1Done, func(d *tui.Deps, _ *scripted) { d.Mouse = true }, func(r *harness, script *scripted) {
		r.ends(script, time.Second)
		r.press("esc")
		r.misses("Context for round 3")
		r.sees("Round 3 waits for C1", "c answers")
		r.press("space", "opened by me")
		r.sees("│ opened by me")
		r.press("esc")
		r.sends(tea.MouseClickMsg{X: 100, Y: 10, Button: tea.MouseLeft})
		r.misses("opened by me")
	})
}

// The end of a round must not take the form away from somebody who answers early.
func TestForm_openedDuringARoundHoldsTheNextOne(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		done := gate()
		done.Requests[0].Seq, done.Requests[0].Priority = 2, ledger.Optional
		done.Requests[0].Asks[0].Priority = ledger.Optional
		script.sessions[billing] = done
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c", "maybe 40")
		r.over(done, nil)
		r.sees("maybe 40", "Start round 3")
		if len(script.runs) != 1 {
			t.Fatal("round 3 began under the user's hands")
		}
		r.press("esc")
		r.did("start 3")
	})
}

// crowded waits for the user with many requests, the first of them with a long reason.
func crowded() debate.Session {
	s := held(3, 2, 4)
	for i := range 12 {
		who := []agents.ID{"ada", "brook", "cy"}[i%3]
		s.Requests = append(s.Requests, request(fmt.Sprintf("C%d", i+1), who, 2, ledger.Required, fmt.Sprintf("Question number %d?", i+1), "because"))
	}
	return s
}

// Where there is no pane beside the form the pages scroll the form, and typing
// goes back to the field.
func TestForm_pagesScrollItInASmallTerminal(t *testing.T) {
	bubbleAt(t, [2]int{80, 24}, crowded, func(r *harness, _ *scripted) {
		r.sees("Question number 1?")
		r.misses("Question number 12?")
		r.press("pgdown", "pgdown", "pgdown", "pgdown")
		r.sees("Question number 12?")
		r.misses("Question number 1?")
		if r.last.Load().Cursor != nil {
			t.Error("the cursor is shown although its field is out of sight")
		}
		r.press("pgup", "pgup", "pgup", "pgup", "pgup")
		r.sees("Question number 1?")
		r.press("pgdown", "pgdown", "4")
		r.sees("Question number 1?", "4")
		if r.last.Load().Cursor == nil {
			t.Error("typing does not go back to the field")
		}
	})
}

// The form describes the next round correctly during a round, at the gate, and while the verdict is
// written.
func TestForm_saysWhatComesNextWhereverTheDebateStands(t *testing.T) {
	const never = "An answer now waits for another round: + on the verdict."
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		script.sessions[billing] = gate()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		r.press("c")
		r.sees("Round 3 can start once round 2 is done.")
		r.press("42 writes/s")
		r.send()
		r.sees("✓ Saved. Round 3 can start once round 2 is done.")
		r.misses("later round")

		r.over(script.sessions[billing], nil)
		r.sees("enter starts round 3 with 1 answer, 1 optional open", "Context for round 3")
		r.misses("later round:", "Saved.")
		r.send()

		run = script.current()
		r.press("c")
		r.sees("Round 3 can start once round 2 is done.")
		r.hears(debate.Concluding{Profile: panel(1)[0], At: time.Now()})
		r.sees("Context · after the last round", never)
		done := concluded()
		run.events <- debate.Concluded{Session: done, At: time.Now()}
		r.over(done, nil)
		r.sees("Context · after the last round", "round 5 with 1 answer, ")
		r.press("esc")
		r.sees("✓ Yes, 2 of 3; no 1")
	})
}

// A round that was cut off is not over: the form records, and starts nothing.
func TestForm_onlyRecordsWhileTheRoundIsNotOver(t *testing.T) {
	bubble(t, func() debate.Session {
		s := interrupted()
		s.Requests = gate().Requests
		return s
	}, func(r *harness, script *scripted) {
		r.press("c")
		r.sees("Round 3 can start once round 2 is done.")
		r.misses("End now", "blocked")
		r.press("42")
		r.send()
		r.sees("✓ Saved. Round 3 can start once round 2 is done.")
		r.did("answer C1 42")
		r.ran(0)
	})
}

func TestForm_isEndedFromThePalette(t *testing.T) {
	bubble(t, gate, func(r *harness, script *scripted) {
		choose := func(name string) {
			r.press("ctrl+p", name, "enter")
		}
		r.press("half")
		choose("end the debate")
		r.asks("End now? The chair writes the verdict without C1. enter end · esc back")
		r.press("esc")
		r.sees("Context for round 3", "half")
		choose("end the debate")
		r.confirm("enter")
		r.did("stop user", "conclude", "draft C1 half")
	})
}
