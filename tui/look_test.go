package tui_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/debate"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/theme"
)

// The styled verdict, once a theme: each role is where it belongs. On light paper it is
// where it is on dark.
func TestScreen_styles(t *testing.T) {
	t.Parallel()
	for name, looks := range map[string][]theme.Options{
		"true-colour": {{Dark: true, Profile: colorprofile.TrueColor}, {Profile: colorprofile.TrueColor}},
		"sixteen":     {{Dark: true, Profile: colorprofile.ANSI}}, "colourless": {{Dark: true, Profile: colorprofile.ASCII}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, look := range looks {
				drawScreen(t, screenCase{name, sessionOf(concluded), nil}, look, func(r *harness) {
					golden.RequireEqual(t, viewtest.Styles(theme.New(look), r.resized(100, 24)))
				})
			}
		})
	}
}

// A terminal that cannot draw our symbols gets ASCII alone.
func TestScreen_asciiHoldsNothingElse(t *testing.T) {
	for name, s := range map[string]func() *scripted{
		"home": func() *scripted { return storing(gate()) }, "debate": func() *scripted { return storing(interrupted()) },
		"form": func() *scripted { return storing(gate()) }, "verdict": func() *scripted { return storing(concluded()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deps := s().deps()
				deps.Theme = theme.Options{Dark: true, ASCII: true, Profile: colorprofile.TrueColor}
				if name != "home" {
					deps.Start.Session = billing
				}
				r := start(t, 140, 40, deps)
				defer r.stop()
				for _, keys := range [][]string{{}, {"esc"}, {"?"}, {"esc"}, {"ctrl+p"}, {"esc"}, {"ctrl+c"}} {
					r.wait(2 * time.Second)
					if i := strings.IndexFunc(r.screen(), func(c rune) bool { return c > unicode.MaxASCII }); i >= 0 {
						t.Fatalf("%q after %v on\n%s", []rune(r.screen()[i:])[0], keys, r.screen())
					}
					if len(keys) > 0 && keys[0] != "ctrl+c" {
						r.press(keys...)
					}
				}
			})
		})
	}
}

// The bell rings when the debate waits and the user looks elsewhere, once.
func TestBell_ringsOncePerWait(t *testing.T) {
	for name, away := range map[string]bool{"looking on": false, "away": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := storing(held(3, 1, 4))
				deps := script.deps()
				deps.Start.Session, deps.Notify = billing, true
				r := start(t, 80, 24, deps)
				defer r.stop()
				r.press("space")
				if away {
					r.prog.Send(tea.BlurMsg{})
				}
				script.current().end(gate(), nil)
				r.wait(time.Minute)
				rings := strings.Count(r.wrote.String(), "The debate needs you. Round 3 waits for C1 (Cy).")
				if want := map[bool]int{false: 0, true: 1}[away]; rings != want {
					t.Errorf("rang %d times, want %d", rings, want)
				}
			})
		})
	}
}

func TestTitle_changesWithTheState(t *testing.T) {
	bubble(t, func() debate.Session { return held(3, 1, 4) }, func(r *harness, script *scripted) {
		want := func(title string) {
			t.Helper()
			if got := r.last.Load().WindowTitle; got != title {
				t.Errorf("%q, want %q", got, title)
			}
		}
		want("‖ Should billing move to SQLite?")
		r.press("space")
		want("Should billing move to SQLite? · round 1 of 4")
		script.current().end(gate(), nil)
		r.wait(2 * time.Second)
		want("◷ Should billing move to SQLite? · Round 3 waits for C1 (Cy)")
	})
}

// A terminal that takes a title byte by byte must not find its end in a letter.
func TestTitle_hasNoEndWithin(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := concluded()
			s.Topic = "Überholt Москва 日本 das?"
			deps := storing(s).deps()
			deps.Start.Session, deps.ASCII = billing, ascii
			r := start(t, 80, 24, deps)
			defer r.stop()
			want := "◆ ?berholt ?осква 日? das? · verdict"
			if ascii {
				want = "? ?berholt ?????? ???? das? - verdict"
			}
			if got := r.last.Load().WindowTitle; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// What is no ASCII is shown as such where the terminal would take its bytes for
// commands, and everything stays where it is.
func TestScreen_spellsForATerminalWithoutUTF8(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := interrupted()
		s.Topic, s.Seats[0].Name = "Soll é ≠ das 請求 Ü?", "Ädä"
		s.History[0].Responses[0].Statement.Body = "한국어 e\u0301 ᄒ"
		deps := storing(s).deps()
		deps.Start.Session, deps.ASCII = billing, true
		deps.Theme = theme.Options{Dark: true, ASCII: true, Profile: colorprofile.TrueColor}
		r := start(t, 140, 40, deps)
		defer r.stop()
		r.sees("Soll ? # das ???? ??", "1 ?d?", "?????? ? ??")
		for i, l := range strings.Split(r.last.Load().Content, "\n") {
			if n := ansi.StringWidth(l); n != 140 || strings.ContainsFunc(l, func(c rune) bool { return c > unicode.MaxASCII }) {
				t.Errorf("row %d has %d cells: %q", i, n, l)
			}
		}
	})
}
