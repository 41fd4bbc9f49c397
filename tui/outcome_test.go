package tui_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"roundtable/debate"
)

// A line that cannot be saved stays in the field, with what can be said, and no letter of it is a
// key of the screen: on the list and on the verdict alike.
func TestOutcome_badInputStaysInTheField(t *testing.T) {
	for name, open := range map[string][]string{"the list": {}, "the verdict": {"enter"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, yes := concluded(), debate.SideYes
				s.Question, s.Verdict.Side = debate.QuestionYesNo, &yes
				script := storing(s)
				script.list[0].Outcome = debate.OutcomeFull
				r := start(t, 80, 24, script.deps())
				defer r.stop()
				r.press(open...)
				r.press("O")
				r.sees("how did it turn out? >", "The verdict is yes. Say right, wrong (no was", "enter save", "esc close")
				r.typeText("rixed")
				r.press("enter")
				r.sees("how did it turn out? > rixed", `answered with yes or no, not with "rixed"`)
				r.typeText("x")
				r.sees("how did it turn out? > rixedx")
				r.misses("Deleted", "mode  ")
				r.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
				r.typeText("wrong: two")
				r.press("alt+enter") // a blank, in one line
				r.typeText("writers")
				r.press("esc")
				r.misses("how did it turn out? >")
				r.press("O")
				r.sees("how did it turn out? > wrong: two writers", "esc close (text kept)")
				script.fail = errors.New("the disk is full")
				r.press("enter")
				r.sees("he disk is full")
				r.sees("how did it turn out? > wrong: two writers")
				script.fail = nil
				r.press("enter")
				r.misses("how did it turn out? >")
				if name == "the list" {
					r.sees("The outcome is saved.")
				} else {
					r.sees("Outcome: wrong; right was no (two writers).")
					r.press("k") // the notice goes, and the verdict says it
					r.sees("Outcome: wrong; right was no (two writers)")
				}
			})
		})
	}
}

// An outcome that is said on the list is on the verdict of a debate that is open.
func TestOutcome_onTheListOfAnOpenDebate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, yes := concluded(), debate.SideYes
		s.Question, s.Verdict.Side = debate.QuestionYesNo, &yes
		script := storing(s)
		script.list[0].Outcome = debate.OutcomeFull
		r := start(t, 80, 24, script.deps())
		defer r.stop()
		r.press("enter", "s", "O")
		r.typeText("wrong")
		r.press("enter")
		r.sees("The outcome is saved.")
		r.press("esc", "v")
		r.sees("Outcome: wrong")
	})
}
