package tui_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
	"roundtable/internal/keymap"
	"roundtable/tui"
)

// withKeys runs a test on a debate with keys of the user's.
func withKeys(t *testing.T, s debate.Session, keys keymap.Changes, test func(r *harness, script *scripted)) {
	t.Helper()
	bubbleWith(t, usual, func() debate.Session { return s }, func(d *tui.Deps, _ *scripted) { d.Keys = keys }, test)
}

func TestKeys_ofTheUserReplaceTheDefaults(t *testing.T) {
	keys := keymap.Changes{"zoom": {"B"}, "pause": {"f5"}, "next-seat": {"L", "f6"}}
	withKeys(t, held(3, 1, 4), keys, func(r *harness, script *scripted) {
		r.sees("B zoom", "L seat")
		r.misses("z zoom", "tab seat")
		r.press("z")
		r.sees("B zoom")
		r.press("B")
		r.sees("B all")
		r.press("B", "?")
		r.sees("L 1-9", "f5")
		r.press("one seat or all")
		r.sees(" ▸ B  ")
		r.press("esc", ":", "zoom")
		r.sees("Zoom one seat, or show all")
		r.press("enter")
		r.sees("B all")
	})
}

// Keys that two commands have exchanged are named as they are now, in reasons and in notices.
func TestKeys_exchangedOnesAreNamedOnce(t *testing.T) {
	keys := keymap.Changes{"pause": {"S"}, "end": {"space"}}
	s := held(3, 1, 4)
	withKeys(t, s, keys, func(r *harness, script *scripted) {
		r.press("S")
		script.current().speaking(s)
		r.press("m")
		r.sees("Not while a round is running. Press S twice to pause now.")
		r.wait(time.Second)
		r.press("S")
		r.sees("Pauses after round 2. Press S to pause now.")
	})
}

func TestKeys_secondOneOfThePaletteInFields(t *testing.T) {
	bubble(t, gate, func(r *harness, _ *scripted) {
		r.press("alt+p")
		r.sees("Commands", "enter choose")
		r.press("alt+p")
		r.misses("enter choose")
		r.press("f1")
		r.sees("enter choose")
	})
}

func TestKeys_badLineIsOneNotice(t *testing.T) {
	const notice = "Not used of the config: keys.frok: there is no command."
	bubbleWith(t, usual, nil, func(d *tui.Deps, _ *scripted) { d.KeysNotice = notice }, func(r *harness, _ *scripted) { r.sees(notice) })
}

// Every text that a main screen draws names the keys of the user, whichever of them changed.
func TestKeys_noScreenNamesADefaultOne(t *testing.T) {
	changes, defaults := keymap.Changes{}, map[string]bool{}
	for i, c := range keymap.All() {
		if c.Fixed {
			continue
		}
		changes[c.ID] = []string{string(rune(0x400 + i))}
		if c.Field {
			changes[c.ID] = []string{"alt+" + string(rune(0x400+i))}
		}
		for _, key := range c.Keys {
			defaults[strings.Replace(key, "pgdown", "pgdn", 1)] = true
		}
	}
	for _, word := range strings.Fields("a + ! enter up down left right home end") { // of other texts, or of fixed commands
		delete(defaults, word)
	}
	check := func(r *harness) {
		t.Helper()
		words := strings.Fields(strings.NewReplacer("(", " ", "│", " ", "─", " ").Replace(r.screen()))
		for i, word := range words {
			_, err := strconv.Atoi(words[max(i-1, 0)])
			age := err == nil && strings.Contains("s m h d", word)
			if defaults[strings.TrimSuffix(word, ":")] && !age {
				t.Errorf("%q is named in %q:\n%s", word, strings.Join(words[max(i-3, 0):min(i+4, len(words))], " "), r.screen())
			}
		}
	}
	for name, s := range map[string]debate.Session{"paused": held(3, 1, 4), "cut off": interrupted(), "waits": gate(), "verdict": concluded()} {
		t.Run(name, func(t *testing.T) {
			withKeys(t, s, changes, func(r *harness, script *scripted) {
				check(r)
				r.resized(80, 24)
				check(r)
				if name == "paused" {
					r.press(changes["pause"][0])
					script.current().speaking(s)
					r.wait(5 * time.Second)
					check(r)
				}
				r.press("esc", "esc", "esc") // the list
				r.wait(time.Second)
				check(r)
			})
		})
	}
}
