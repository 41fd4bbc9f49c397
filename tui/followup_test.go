package tui_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// After the verdict the user asks the chair, then a member, cancels that answer, asks the
// same again and adds a round, at both sizes.
func TestStory_followUps(t *testing.T) {
	for _, size := range []struct{ w, h int }{{140, 40}, {80, 24}} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, size.w, size.h, realDeps(t, filepath.Join(t.TempDir(), "r.db"), 20*time.Millisecond))
			defer r.stop()
			r.press("enter")
			r.wait(time.Minute)
			r.typeText("about 40 writes a second")
			r.send()
			r.wait(time.Minute)
			r.sees("Yes, 2 of 3; no 1", "a ask")

			r.press("a")
			r.sees("ask the chair (tab: someone else) >", "enter ask")
			r.misses("esc debate") // esc closes the prompt first
			r.typeText("What is left to fear?")
			r.press("enter")
			r.wait(300 * time.Millisecond)
			r.sees("Follow-up questions", "You asked Ada", "What is left to fear?", "x cancel")
			r.press("a")
			r.wait(10 * time.Millisecond)
			r.sees("Ada is still answering")
			r.typeText("qx")
			r.press("enter") // which runs no command, and asks nothing
			r.wait(time.Minute)
			r.sees("Ada has answered.", "The verdict answers this in part", "no model wrote this", "completed", "a ask")

			r.press("a", "ctrl+u", "tab", "tab")
			r.sees("ask Brook (tab: someone else) >")
			r.typeText("Still no?")
			r.press("enter")
			r.wait(300 * time.Millisecond)
			r.press("x")
			r.wait(time.Second)
			r.sees("Cancelled by you.", "a: ask again", "Partial text, not used:")
			r.press("a")
			r.sees("ask Brook (tab: someone else) > Still no?")
			r.press("enter")
			r.wait(time.Minute)
			r.sees("I still hold what I said")

			r.press("+")
			r.wait(time.Second)
			r.press("enter")
			r.wait(2 * time.Minute)
			r.press("G")
			r.sees("I still hold what I said")
		})
	}
}
