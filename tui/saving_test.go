package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
)

// Drafts and answers are saved in the order in which they were typed, however
// long each save takes: a draft never comes after the answer that replaces it,
// and the last words before quitting come last.
func TestSaves_keepTheOrderInWhichTheyWereTyped(t *testing.T) {
	bubbleAt(t, small, gate, func(r *harness, script *scripted) {
		script.delays = []time.Duration{9 * time.Second, 6 * time.Second, 3 * time.Second, time.Second} // else they end in reverse
		r.press("42")
		r.wait(time.Second)
		r.press(" writes")
		r.wait(time.Second)
		r.send()
		r.wait(100 * time.Millisecond)
		r.stop()
		r.wait(time.Minute)
		script.mu.Lock()
		defer script.mu.Unlock()
		saves := slices.DeleteFunc(slices.Clone(script.calls), func(c string) bool {
			return !strings.HasPrefix(c, "draft C1") && !strings.HasPrefix(c, "answer C1")
		})
		want := []string{"draft C1 42", "answer C1 42 writes"} // the next draft waits for the first one
		if len(saves) < 2 || !slices.Equal(saves[:2], want) {
			t.Errorf("saved in the order %q", saves)
		}
		for _, late := range saves[min(2, len(saves)):] {
			if late != "draft C1 42 writes" { // the words of the answer itself are no draft, see store.SaveDraft
				t.Errorf("after the answer came %q", late)
			}
		}
	})
}

// What was taken out again is forgotten, also while it is still being kept.
func TestNewDebate_draftThatWasTakenOutIsForgottenAtTheEnd(t *testing.T) {
	atHome(t, func(r *harness, script *scripted) {
		script.delays = []time.Duration{5 * time.Second}
		r.press("ctrl+n", "x")
		r.wait(time.Second)
		r.press("backspace")
		r.stop()
		r.wait(10 * time.Second)
		if script.typed.Text != "" {
			t.Errorf("at the end %q is kept", script.typed.Text)
		}
	})
}

// A session that is gone under a run is no trouble of saving.
func TestRun_endsPlainlyWhenItsSessionIsGone(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		r.over(held(3, 1, 4), debate.ErrNoSession)
		r.sees("No such debate")
		r.misses("Cannot save")
	})
}

// A disk that fills up amid a round leaves all text where it is, and what to do
// fits the smallest of usual terminals.
func TestFailure_ofTheStoreAmidARoundKeepsTheTextInASmallTerminal(t *testing.T) {
	bubbleAt(t, [2]int{80, 24}, round1Done, func(r *harness, script *scripted) {
		r.plays(held(3, 1, 4))
		left := interrupted()
		left.History[1].Responses = left.History[1].Responses[1:]
		unsaved := debate.Response{
			Turn: turn("ada", 2), State: debate.TurnInterrupted, Passages: []debate.Passage{{Text: "Move, behind a single writer."}}, Ended: time.Now(),
			Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "It could not be saved."},
		}
		left.History[1].Responses = append([]debate.Response{unsaved}, left.History[1].Responses...)
		r.over(left, errors.New("record the turn of ada: Cannot save: the disk is full (/home/somebody/.local/share/roundtable)."))
		r.press("1")
		r.sees("Move, behind a single writer.", "‖ Paused. Saving failed at 00:00, in round 2. All text is still here.",
			"The disk is full (/home/somebody/.local/share/roundtable).", "Cannot save: the disk is full", "space: try again; e: save a copy elsewhere.", "space: continue with Ada and Cy.")
		r.press("", "space")
		r.misses("Cannot save", "Saving failed")
	})
}

func TestFailure_ofAnAnswerKeepsTheText(t *testing.T) {
	bubble(t, gate, func(r *harness, script *scripted) {
		r.press("42 writes/s")
		r.sees("ctrl+c quit, all is saved")
		script.fails("the disk is full (/data)")
		r.send()
		r.sees("42 writes/s", "Cannot save: the disk is full (/data).", "ctrl+s: try again")
		r.misses("all is saved")
		script.fail = nil
		r.send()
		r.did("start 3")
		r.misses("Cannot save")
	})
}

func TestLostDatabase_isCopiedBeforeTheProgramEnds(t *testing.T) {
	copies, lost := 0, errors.New("Cannot save: the database was removed or moved (/data).")
	bubbleWith(t, usual, round1Done, func(d *tui.Deps, _ *scripted) {
		d.Check = func() error { return lost }
		d.SaveCopy = func(context.Context) (string, error) {
			copies++
			return "/home/roundtable-copy.db", nil
		}
	}, func(r *harness, _ *scripted) {
		if said := r.model.Farewell(); said != "" { // nothing is there to continue
			t.Error(said)
		}
		r.press("ctrl+c", "", "s")
		r.sees("Saved a copy of all debates: /home/roundtable-copy.db.")
		if want := "Continue: roundtable --db /home/roundtable-copy.db resume " + billing; copies != 1 || r.model.Farewell() != want {
			t.Errorf("%d copies, at the end it says %q", copies, r.model.Farewell())
		}
		r.press("q")
		r.wait(time.Second)
		r.misses("Nothing is kept")
		lost = nil // the end of the program would be an error
	})
}

func TestForm_quittingKeepsWhatWasTypedLast(t *testing.T) {
	bubble(t, gate, func(r *harness, script *scripted) {
		r.press("half an ans")
		r.quits()
		r.did("draft C1 half an ans", "close "+billing)
		if got := r.model.Farewell(); got != "Continue: roundtable resume "+billing {
			t.Error(got)
		}
	})
}
