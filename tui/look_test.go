package tui_test

import (
	"image/color"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui"
	"roundtable/tui/theme"
)

// The styled verdict, once a theme: each role is where it belongs.
func TestScreen_styles(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]colorprofile.Profile{
		"true-colour": colorprofile.TrueColor, "sixteen": colorprofile.ANSI, "colourless": colorprofile.ASCII,
	} {
		t.Run(name, func(t *testing.T) {
			look := theme.Options{Dark: true, Profile: profile}
			drawScreen(t, screenCase{name, sessionOf(concluded), nil}, look, func(r *harness) {
				golden.RequireEqual(t, viewtest.Styles(theme.New(look), r.resized(80, 24)))
			})
		})
	}
}

// The theme is that of the terminal's background, and nothing but colours differs.
func TestTheme_followsTheBackground(t *testing.T) {
	bubble(t, concluded, func(r *harness, _ *scripted) {
		dark := r.last.Load().Content
		r.sends(tea.BackgroundColorMsg{Color: color.White})
		light := r.last.Load().Content
		if light == dark || ansi.Strip(light) != ansi.Strip(dark) {
			t.Errorf("on light it shows\n%s", light)
		}
		r.sends(tea.BackgroundColorMsg{Color: color.Black})
		if got := r.last.Load().Content; got != dark {
			t.Errorf("on dark again it shows\n%s", got)
		}
	})
}

func TestScreen_tooSmall(t *testing.T) {
	bubbleAt(t, [2]int{38, 9}, gate, func(r *harness, _ *scripted) {
		r.sees("Too small: 38x9.", "It needs 40x10.", "Your debates are saved.", "● Round 3 waits for C1 (Cy)", "ctrl+c quit")
		r.misses("roundtable --") // what is named has to be there
	})
}

// A terminal that cannot draw our symbols gets ASCII alone.
func TestScreen_asciiHoldsNothingElse(t *testing.T) {
	for name, s := range map[string]func() debate.Session{
		"home": gate, "debate": interrupted, "form": gate, "verdict": concluded, "writing": round1Done, "review": debatetest.Reviewed,
	} {
		t.Run(name, func(t *testing.T) {
			bubbleWith(t, usual, s, func(d *tui.Deps, _ *scripted) {
				d.Theme = theme.Options{Dark: true, ASCII: true, Profile: colorprofile.TrueColor}
				if name == "home" {
					d.Start = tui.Start{}
				}
			}, func(r *harness, script *scripted) {
				if name == "writing" {
					r.press("space")
					script.current().speaking(round1Done())
				}
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
			bubbleWith(t, small, round1Done, func(d *tui.Deps, _ *scripted) { d.Notify = true }, func(r *harness, script *scripted) {
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
	bubble(t, round1Done, func(r *harness, script *scripted) {
		want := func(title string) {
			t.Helper()
			if got := r.last.Load().WindowTitle; got != title {
				t.Errorf("%q, want %q", got, title)
			}
		}
		want("‖ Should billing move to SQLite?")
		r.press("space")
		want("Should billing move to SQLite? · round 1 of 4")
		r.over(gate(), nil)
		want("◷ Should billing move to SQLite? · Round 3 waits for C1 (Cy)")
	})
}

// A terminal that takes a title byte by byte must not find its end in a letter.
func TestTitle_hasNoEndWithin(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		bubbleWith(t, small, func() debate.Session {
			s := concluded()
			s.Topic = "Überholt Москва 日本 das?"
			return s
		}, func(d *tui.Deps, _ *scripted) { d.ASCII = ascii }, func(r *harness, _ *scripted) {
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
	bubbleWith(t, usual, func() debate.Session {
		s := interrupted()
		s.Topic, s.Seats[0].Name = "Soll é ≠ das 請求 Ü?", "Ädä"
		s.History[0].Responses[0].Statement.Body = "한국어 e\u0301 ᄒ"
		return s
	}, func(d *tui.Deps, _ *scripted) {
		d.ASCII, d.Theme = true, theme.Options{Dark: true, ASCII: true, Profile: colorprofile.TrueColor}
	}, func(r *harness, _ *scripted) {
		r.sees("Soll ? # das ???? ??", "1 ?d?", "?????? ? ??")
		for i, l := range strings.Split(r.last.Load().Content, "\n") {
			if n := ansi.StringWidth(l); n != 140 || strings.ContainsFunc(l, func(c rune) bool { return c > unicode.MaxASCII }) {
				t.Errorf("row %d has %d cells: %q", i, n, l)
			}
		}
	})
}
