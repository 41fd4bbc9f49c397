package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// slowWriter is a writer whose saves take a while, the first ones longer than those
// that follow: run side by side they would end in reverse.
type slowWriter struct {
	*scripted
	delays []time.Duration
}

func (s *slowWriter) wait() {
	s.mu.Lock()
	d := time.Duration(0)
	if len(s.delays) > 0 {
		d, s.delays = s.delays[0], s.delays[1:]
	}
	s.mu.Unlock()
	time.Sleep(d)
}

func (s *slowWriter) SaveDraft(ctx context.Context, id, request string, d debate.Draft) error {
	s.wait()
	return s.scripted.SaveDraft(ctx, id, request, d)
}

func (s *slowWriter) Answer(ctx context.Context, id string, subs ...ledger.Submission) ([]ledger.Request, error) {
	s.wait()
	return s.scripted.Answer(ctx, id, subs...)
}

// Drafts and answers are saved in the order in which they were typed, however
// long each save takes: a draft never comes after the answer that replaces it,
// and the last words before quitting come last.
func TestSaves_keepTheOrderInWhichTheyWereTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(gate())
		deps := script.deps()
		writer := &slowWriter{scripted: script, delays: []time.Duration{9 * time.Second, 6 * time.Second, 3 * time.Second, time.Second}}
		deps.Writer, deps.Start.Session = writer, billing
		r := start(t, 80, 24, deps)
		r.wait(2 * time.Second)
		r.typeText("42")
		r.wait(time.Second)
		r.typeText(" writes")
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

// slowSave needs seconds to save the draft of a new debate.
type slowSave struct {
	*scripted
	mu   sync.Mutex
	last string // what it was asked to keep, "nothing" being no text
}

func (l *slowSave) KeepNew(ctx context.Context, d debate.Draft) error {
	l.mu.Lock()
	l.last = d.Text
	if d.Text == "" {
		l.last = "nothing"
	}
	l.mu.Unlock()
	time.Sleep(5 * time.Second)
	return l.scripted.KeepNew(ctx, d)
}

// What was taken out again is forgotten, also while it is still being kept.
func TestNewDebate_draftThatWasTakenOutIsForgottenAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing(gate())
		deps := script.deps()
		library := &slowSave{scripted: script}
		deps.Sessions = library
		r := start(t, 80, 24, deps)
		r.press("ctrl+n", "x")
		r.wait(time.Second)
		r.press("backspace")
		r.stop()
		r.wait(10 * time.Second)
		library.mu.Lock()
		defer library.mu.Unlock()
		if library.last != "nothing" {
			t.Errorf("at the end it was asked to keep %q", library.last)
		}
	})
}

// A session that is gone under a run is no trouble of saving.
func TestRun_endsPlainlyWhenItsSessionIsGone(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		script.current().end(held(3, 1, 4), debate.ErrNoSession)
		r.wait(time.Second)
		if !strings.Contains(r.screen(), "No such debate") {
			t.Error(r.screen())
		}
		r.misses("Cannot save")
	})
}

// A disk that fills up amid a round leaves all text where it is, and what to do
// fits the smallest of usual terminals.
func TestFailure_ofTheStoreAmidARoundKeepsTheTextInASmallTerminal(t *testing.T) {
	bubbleAt(t, [2]int{80, 24}, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		run.speaking(held(3, 1, 4))
		r.wait(time.Second)
		left := interrupted()
		left.History[1].Responses = left.History[1].Responses[1:]
		unsaved := debate.Response{
			Turn: turn("ada", 2), State: debate.TurnInterrupted, Passages: []debate.Passage{{Text: "Move, behind a single writer."}}, Ended: time.Now(),
			Failure: &debate.TurnFailure{Kind: agents.KindInterrupted, Cause: "It could not be saved."},
		}
		left.History[1].Responses = append([]debate.Response{unsaved}, left.History[1].Responses...)
		run.end(left, errors.New("record the turn of ada: Cannot save: the disk is full (/home/somebody/.local/share/roundtable)."))
		r.wait(time.Second)
		r.press("1")
		r.sees("Move, behind a single writer.", "‖ Paused. Saving failed at 00:00, in round 2. All text is still here.",
			"The disk is full (/home/somebody/.local/share/roundtable).", "Cannot save: the disk is full", "space: try again; e: save a copy elsewhere.", "space: continue with Ada and Cy.")
		r.press("", "space")
		r.misses("Cannot save", "Saving failed")
	})
}

func TestFailure_ofAnAnswerKeepsTheText(t *testing.T) {
	bubble(t, gate, func(r *harness, script *scripted) {
		r.wait(2 * time.Second)
		r.typeText("42 writes/s")
		r.sees("ctrl+c quit, all is saved")
		script.fail = errors.New("the disk is full (/data)")
		r.send()
		r.wait(time.Second)
		r.sees("42 writes/s", "Cannot save: the disk is full (/data).", "ctrl+s: try again")
		r.misses("all is saved")
		script.fail = nil
		r.send()
		r.wait(time.Second)
		if !script.did("start 3") {
			t.Errorf("%q", script.calls)
		}
		r.misses("Cannot save")
	})
}

func TestLostDatabase_isCopiedBeforeTheProgramEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deps, copies, lost := lostDeps(), 0, errors.New("Cannot save: the database was removed or moved (/data).")
		deps.Check = func() error { return lost }
		deps.SaveCopy = func(context.Context) (string, error) {
			copies++
			return "/home/roundtable-copy.db", nil
		}
		r := start(t, 120, 30, deps)
		defer r.stop()
		if said := r.model.Farewell(); said != "" { // nothing is there to continue
			t.Error(said)
		}
		r.press("ctrl+c", "", "s")
		r.wait(time.Second)
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
