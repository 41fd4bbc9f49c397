package tui_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/tui/screen"
)

// A note that cannot be saved stays in the field, and no letter of it is a key of the screen: on
// the list and on the verdict alike.
func TestOutcome_aNoteStaysUntilItIsSaved(t *testing.T) {
	for name, open := range map[string][]string{"the list": {}, "the verdict": {"enter"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := concluded()
				s.Question = debate.QuestionYesNo
				script := storing(s)
				script.list[0].Verdict = true
				r := start(t, 80, 24, script.deps())
				defer r.stop()
				wrong := func() { r.press("O"); time.Sleep(screen.Settle); r.press("w") }
				r.press(open...)
				r.press("O")
				time.Sleep(screen.Settle)
				r.sees("How did it turn out? r right · w wrong · m mixed · o open · esc back")
				r.press("esc")
				wrong()
				r.sees("wrong, note >", "enter save", "esc close (text kept)")
				r.typeText("two")
				r.press("alt+enter") // a blank, in one line
				r.typeText("writers")
				r.press("esc")
				r.misses("wrong, note >", "Deleted")
				wrong()
				r.sees("wrong, note > two writers")
				script.fail = errors.New("the disk is full")
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
	synctest.Test(t, func(t *testing.T) {
		s := concluded()
		s.Question = debate.QuestionYesNo
		script := storing(s)
		script.list[0].Verdict = true
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.press("enter", "s", "O")
		time.Sleep(screen.Settle)
		r.press("w", "enter")
		r.sees("The outcome is saved.")
		r.press("esc", "v")
		r.sees("Outcome: wrong")
	})
}
