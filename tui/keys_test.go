package tui_test

import (
	"testing"
	"testing/synctest"
	"time"

	"roundtable/debate"
	"roundtable/internal/keymap"
	"roundtable/tui"
)

// withKeys runs a test on a debate with keys of the user's.
func withKeys(t *testing.T, s debate.Session, keys keymap.Changes, test func(r *harness, script *scripted)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		script := storing(s)
		deps := script.deps()
		deps.Start, deps.Keys = tui.Start{Session: s.ID}, keys
		r := start(t, 140, 40, deps)
		defer r.stop()
		test(r, script)
		for _, run := range script.runs {
			finish(r, run)
		}
	})
}

func TestKeys_ofTheUserReplaceTheDefaults(t *testing.T) {
	keys := keymap.Changes{"zoom": {"B"}, "pause-now": {"w"}, "pause": {"f5"}, "next-seat": {"L", "f6"}}
	withKeys(t, held(3, 1, 4), keys, func(r *harness, script *scripted) {
		r.sees("B zoom", "L seat")
		r.misses("z zoom", "tab seat")
		r.press("z")
		r.sees("B zoom")
		r.press("B")
		r.sees("B all seats")
		r.press("B", "?")
		r.sees("B            one seat or all", "L 1-9", "f5  w")
		r.press("esc", ":")
		r.typeText("zoom")
		r.sees("Zoom one seat, or show all")
		r.press("enter")
		r.sees("B all seats")
	})
}

func TestKeys_ofTheUserAnswerQuestions(t *testing.T) {
	withKeys(t, held(3, 1, 4), keymap.Changes{"end-now": {"w"}}, func(r *harness, script *scripted) {
		r.press("E")
		r.misses("w end")
		r.press("w")
		r.wait(time.Second)
		r.sees("w end")
	})
}

func TestKeys_secondOneOfThePaletteInFields(t *testing.T) {
	bubble(t, gate, func(r *harness, _ *scripted) {
		r.press("c")
		r.wait(time.Second)
		r.press("alt+p")
		r.sees("Commands", "enter run")
		r.press("alt+p")
		r.misses("enter run")
		r.press("f1")
		r.sees("enter run")
	})
}

func TestKeys_badLineIsOneNotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := storing()
		deps := script.deps()
		deps.KeysNotice = "Line 3 of the config is not used: keys.frok: there is no command."
		r := start(t, 100, 30, deps)
		defer r.stop()
		r.sees("Line 3 of the config is not used")
	})
}
