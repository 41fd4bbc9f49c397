package tui_test

import (
	"testing"

	"roundtable/debate"
)

// Terminals send ctrl+/ as ctrl+_, or, where they tell all keys apart, as what it is.
func TestUndo_inTheLineOfAnInterjection(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, _ *scripted) {
		r.press("ctrl+_")
		r.sees("There is no text here to undo.")
		r.press("i")
		r.typeText("Mind the cost")
		r.press("ctrl+u")
		r.misses("Mind")
		r.press("ctrl+_")
		r.sees("> Mind the cost")
		r.press("ctrl+w", "ctrl+w", "ctrl+/", "ctrl+/")
		r.sees("> Mind the cost")
		r.press("ctrl+/")
		r.sees("> Mind the ")
		r.misses("cost")
		r.press("ctrl+u", "esc", "f", "ctrl+_")
		r.misses("Mind")
	})
}

// Help lists what can run on the screen below it, and a row of two keys if one of them can.
func TestHelp_listsWhatCanRun(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, _ *scripted) {
		r.press("?")
		r.sees("one seat or all", "context form", "pause; twice: now")
		r.misses("undo typing", "skip ahead in the demo", "save, next, start", "ask a follow-up")
	})
}
